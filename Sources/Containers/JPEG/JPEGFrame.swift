package import ImageCore

/// The frame header of a JPEG image (ITU-T T.81, B.2.2): its size, its samples and how they are
/// coded.
package struct JPEGFrame: Sendable, Hashable {
  /// Number of the marker: 0xC0 baseline, 0xC1 extended, 0xC2 progressive, 0xC3 lossless; with 8
  /// added the same in arithmetic coding.
  package let marker: UInt8
  package let bitDepth: Int
  package let size: PixelSize
  /// Columns and rows of blocks in a unit, for each component.
  package let sampling: [PixelSize]

  package var components: Int { sampling.count }
  package var isProgressive: Bool { marker == 0xC2 || marker == 0xCA }
  package var isArithmetic: Bool { marker > 0xC8 }

  /// The header in `payload` of `file`; nil when it is damaged.
  package init?(_ file: FileBytes, marker: UInt8, _ payload: Range<Int>) {
    guard let bytes = file.bytes(payload.lowerBound, payload.count), bytes.count >= 6 else {
      return nil
    }
    let count = Int(bytes[5])
    guard count > 0, bytes.count >= 6 + 3 * count else { return nil }
    self.marker = marker
    bitDepth = Int(bytes[0])
    size = PixelSize(
      width: Int(bytes[3]) << 8 | Int(bytes[4]), height: Int(bytes[1]) << 8 | Int(bytes[2]))
    sampling = (0..<count).map { index in
      let factors = bytes[6 + 3 * index + 1]
      return PixelSize(width: Int(factors >> 4), height: Int(factors & 15))
    }
    guard sampling.allSatisfy({ (1...4).contains($0.width) && (1...4).contains($0.height) }) else {
      return nil
    }
  }

  /// Blocks of 8 by 8 coefficients of all components.
  package var blocks: Int {
    let largest = PixelSize(
      width: sampling.map(\.width).max() ?? 1, height: sampling.map(\.height).max() ?? 1)
    func ceiling(_ a: Int, _ b: Int) -> Int { (a + b - 1) / b }
    return sampling.reduce(0) { sum, factors in
      sum + ceiling(size.width * factors.width, 8 * largest.width)
        * ceiling(size.height * factors.height, 8 * largest.height)
    }
  }
}

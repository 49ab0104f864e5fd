package import Containers
import ImageCore

/// The frame header of a JPEG image (ITU-T T.81, B.2.2): its size, its samples and how they are coded.
struct JPEGFrame: Sendable, Hashable {
  /// Number of the marker: 0xC0 baseline, 0xC1 extended, 0xC2 progressive, 0xC3 lossless; with 8 added
  /// the same in arithmetic coding.
  let marker: UInt8
  let bitDepth: Int
  let size: PixelSize
  /// Columns and rows of blocks in a unit, for each component.
  let sampling: [PixelSize]

  var components: Int { sampling.count }
  var isProgressive: Bool { marker == 0xC2 || marker == 0xCA }

  /// The header in `payload` of `file`; nil when it is damaged.
  init?(_ file: FileBytes, marker: UInt8, _ payload: Range<Int>) {
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
  var blocks: Int {
    let most = PixelSize(
      width: sampling.map(\.width).max() ?? 1, height: sampling.map(\.height).max() ?? 1)
    func ceiling(_ a: Int, _ b: Int) -> Int { (a + b - 1) / b }
    return sampling.reduce(0) { sum, factors in
      sum + ceiling(size.width * factors.width, 8 * most.width)
        * ceiling(size.height * factors.height, 8 * most.height)
    }
  }

  /// Throws unless the picture can be decoded here.
  func check(path: String?) throws(ReadError) {
    func refuse(_ what: String) -> ReadError { ReadError(.unsupported, what, path: path) }
    switch marker {
    case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA: break
    case 0xC3, 0xCB:
      throw refuse("lossless JPEG is not supported; convert it to PNG or TIFF first")
    default: throw refuse("hierarchical JPEG is not supported; convert it to PNG or TIFF first")
    }
    guard bitDepth == 8 else {
      throw refuse("JPEG of \(bitDepth) bits is not supported; convert it to PNG or TIFF first")
    }
    guard size.width > 0, size.height > 0 else {
      throw refuse(
        "a JPEG that does not state its size first is not supported; save it anew elsewhere")
    }
    guard components == 1 || components == 3 else {
      throw refuse(
        components == 4
          ? "this JPEG holds printing inks (CMYK); convert it to RGB first, with its ICC profile"
          : "JPEG of \(components) components is not supported; convert it to RGB first")
    }
  }
}

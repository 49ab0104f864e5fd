import Containers
import ImageCore
import RawDecode

/// NewRawImageDigest (DNG 1.4 and later): the MD5 of the MD5s of tiles of 256 × 256 pixels, row by
/// row. The samples of a tile are hashed plane by plane, as little-endian 16-bit integers or 32-bit
/// floats. Source: the DNG SDK; verified with files of Adobe's converter.
enum RawImageDigest {
  private static let side = 256

  /// The digest of all `samples` of a picture of `size` with `planes` samples per pixel.
  static func digest(
    _ samples: RawSamples, size: PixelSize, planes: Int, workers: Int
  ) throws(PixelError) -> [UInt8] {
    let across = (size.width + side - 1) / side
    let down = (size.height + side - 1) / side
    let parts = try Parallel.map(count: across * down, workers: workers) { index in
      let (left, top) = (index % across * side, index / across * side)
      let (width, height) = (min(side, size.width - left), min(side, size.height - top))
      switch samples.format {
      case .uint16:
        return unsafe tile(width, height, planes) {
          unsafe UnsafePointer(samples.counts(row: top + $0)) + left * planes
        }
      case .float32:
        return unsafe tile(width, height, planes) {
          unsafe UnsafeRawPointer(samples.floats(row: top + $0))
            .assumingMemoryBound(to: UInt32.self) + left * planes
        }
      }
    }
    return MD5.digest(parts.flatMap { $0 })
  }

  private static func tile<Code: FixedWidthInteger & BitwiseCopyable>(
    _ width: Int, _ height: Int, _ planes: Int, row: (Int) -> UnsafePointer<Code>
  ) -> [UInt8] {
    var sum = MD5()
    var line = [Code](repeating: 0, count: width)
    for plane in 0..<planes {
      for y in 0..<height {
        let row = unsafe row(y)
        for x in 0..<width { line[x] = unsafe row[x &* planes &+ plane].littleEndian }
        unsafe line.withUnsafeBytes { unsafe sum.add($0) }
      }
    }
    return sum.digest()
  }
}

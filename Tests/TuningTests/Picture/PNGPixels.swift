import Codecs
import ImageCore

/// The 8-bit samples of a PNG.
struct PNGPixels {
  let size: PixelSize
  /// Red, green and blue, row by row.
  let rgb: [UInt8]

  struct Failure: Error { let message: String }

  init(_ bytes: [UInt8]) throws {
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    size = PixelSize(width: number(16), height: number(20))
    guard bytes[24] == 8 else { throw Failure(message: "\(bytes[24]) bits") }
    var rgb = [UInt8](repeating: 0, count: 3 * size.area)
    let (width, height) = (size.width, size.height)
    let message = bytes.withUnsafeBytes { file in
      rgb.withUnsafeMutableBufferPointer { target in
        target.baseAddress.flatMap {
          PNGDecoder.read(
            file, columns: width, rows: height, rowBytes: 3 * width, stride: 3 * width, into: $0)
        }
      }
    }
    if let message { throw Failure(message: message) }
    self.rgb = rgb
  }
}

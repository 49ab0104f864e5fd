import Containers
import ImageCore

/// The IHDR chunk of a PNG (ISO/IEC 15948, 11.2.2).
struct PNGHeader: Sendable {
  let size: PixelSize
  /// Bits of a stored sample or palette index.
  let storedBits: Int
  let isPalette: Bool
  let hasAlpha: Bool
  /// 1 gray or 3.
  let channels: Int
  /// Bits of a sample once palettes are applied.
  var bits: Int { isPalette ? 8 : storedBits }
  /// Stored samples of a pixel.
  var storedSamples: Int { isPalette ? 1 : channels + (hasAlpha ? 1 : 0) }

  private static let depths: [UInt8: Set<UInt8>] = [
    0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
  ]

  /// `payload` is the data of the chunk.
  init(_ payload: [UInt8], path: String?) throws(ReadError) {
    var cursor = ByteCursor(payload)
    guard payload.count == 13, let columns = cursor.integer(UInt32.self),
      let rows = cursor.integer(UInt32.self)
    else {
      throw ReadError(.damaged, "its header has a wrong length; copy it again", path: path)
    }
    let (width, height, depth, color) = (Int(columns), Int(rows), payload[8], payload[9])
    guard (1...Int(Int32.max)).contains(width), (1...Int(Int32.max)).contains(height),
      Self.depths[color]?.contains(depth) == true, payload[10] == 0, payload[11] == 0,
      payload[12] <= 1
    else {
      throw ReadError(.damaged, "its header is inconsistent; copy it again", path: path)
    }
    size = PixelSize(width: width, height: height)
    storedBits = Int(depth)
    isPalette = color == 3
    hasAlpha = color & 4 != 0
    channels = color & 2 != 0 ? 3 : 1
  }
}

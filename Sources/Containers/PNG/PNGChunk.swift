package import ImageCore

/// Chunks of a PNG (W3C PNG, third edition, clause 11), read and written; all numbers are
/// big-endian. libpng up to 1.6.39 does not support the ones on color and luminance.
package enum PNGChunk {
  package static let header = "IHDR"
  package static let codePoints = "cICP"
  package static let profile = "iCCP"
  package static let masteringDisplay = "mDCV"
  package static let contentLight = "cLLI"
  package static let exif = "eXIf"
  package static let pixelSize = "pHYs"
  package static let text = "iTXt"

  /// Length, name and data: a chunk without its CRC.
  package static func bytes(_ name: String, _ data: [UInt8]) -> [UInt8] {
    UInt32(truncatingIfNeeded: data.count).bytes(bigEndian: true) + Array(name.utf8) + data
  }

  /// Calls `body` with the name and the data of each chunk of `file`, up to the last or a truncated
  /// one, until it returns false. Throws above the limit of chunks, pixel data excluded: writers
  /// divide pixels into chunks of a few KiB.
  package static func forEach(
    in file: FileBytes, _ body: (_ name: String, _ data: Range<Int>) -> Bool
  ) throws(FormatError) {
    var position = 8
    var count = file.itemCount(of: "chunks")
    while let length = file.integer(UInt32.self, at: position, bigEndian: true).map({ Int($0) }),
      let kind = file.bytes(position + 4, 4), file.holds(position + 8, length)
    {
      let name = String(decoding: kind, as: UTF8.self)
      if name != "IDAT" { try count.add() }
      guard body(name, position + 8..<position + 8 + length), name != "IEND" else { return }
      position += 12 + length
    }
  }
}

/// `mDCV`: red, green, blue and white in steps of 0.00002, highest and lowest luminance in 0.0001
/// cd/m².
extension HDRMetadata.MasteringDisplay {
  /// The display in the data of the chunk; nil when these have another length.
  package init?(png data: [UInt8]) {
    guard data.count == 24 else { return nil }
    var cursor = ByteCursor(data)
    func number<T: FixedWidthInteger>(_ type: T.Type, _ step: Double) -> Double {
      Double(cursor.integer(type) ?? 0) * step
    }
    let points = (0..<4).map { _ in
      Chromaticity(x: number(UInt16.self, 0.00002), y: number(UInt16.self, 0.00002))
    }
    self.init(
      red: points[0], green: points[1], blue: points[2], white: points[3],
      maximumNits: number(UInt32.self, 0.0001), minimumNits: number(UInt32.self, 0.0001))
  }

  /// The data of the chunk.
  package var png: [UInt8] {
    var bytes = BoxWriter()
    for point in [red, green, blue, white] { bytes.chromaticity(point) }
    for nits in [maximumNits, minimumNits] { bytes.u32(.nearest(nits * 10_000)) }
    return bytes.bytes
  }
}

/// `cLLI`: MaxCLL and MaxFALL in 0.0001 cd/m².
extension HDRMetadata.ContentLight {
  /// The levels in the data of the chunk; nil when these have another length.
  package init?(png data: [UInt8]) {
    var cursor = ByteCursor(data)
    guard data.count == 8, let maximum = cursor.integer(UInt32.self),
      let average = cursor.integer(UInt32.self)
    else { return nil }
    self.init(maximumNits: Double(maximum) * 0.0001, averageNits: Double(average) * 0.0001)
  }

  /// The data of the chunk.
  package var png: [UInt8] {
    [maximumNits, averageNits].flatMap { UInt32.nearest($0 * 10_000).bytes(bigEndian: true) }
  }
}

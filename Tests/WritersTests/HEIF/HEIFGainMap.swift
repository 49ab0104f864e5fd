import Containers
import HDRRender
import ImageCore
import Testing

extension ParsedHEIF {
  /// What the `tmap` item says of the map.
  var gainMapRecord: GainMapMetadata {
    get throws { try GainMapMetadata(isoRecord: Array(try first("tmap").item.data.dropFirst())) }
  }
}

extension DecodedHEIF {
  /// The map of ISO's form as libheif decodes it, once it is made the primary picture of the file.
  static func gainMap(_ bytes: [UInt8], channels: Int) throws -> GainMapImage {
    let file = try ParsedHEIF(bytes)
    let map = try #require(try file.first("tmap").item.reference("dimg")?.last)
    var shown = bytes
    let number = [UInt8(map >> 8), UInt8(map & 255)]
    for (name, at) in [("pitm", 8), ("infe", 8)] {
      for start in bytes.indices where bytes[start...].starts(with: name.utf8) {
        if name == "pitm" {
          shown.replaceSubrange((start + at)..<(start + at + 2), with: number)
        } else if Array(bytes[(start + at)..<(start + at + 2)]) == number {
          shown[start + 7] = 0
        }
      }
    }
    let decoded = try DecodedHEIF(shown)
    let codes = decoded.codes.enumerated().filter { channels == 3 || $0.offset % 3 == 0 }
    return try GainMapImage(
      size: decoded.size, channels: channels, bytes: codes.map { UInt8($0.element) })
  }
}

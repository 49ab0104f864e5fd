import Containers

/// A JPEG XL file with another gain map: its boxes unchanged, except for `jhgm`, whose new one
/// precedes the picture. A bare codestream is wrapped in a container (ISO/IEC 18181-2).
enum JPEGXLGainMapInsertion {
  private static let pictures = ["jxlc", "jxlp"]
  /// What follows the length and type of the box that every file begins with.
  private static let signature: [UInt8] = [0x0D, 0x0A, 0x87, 0x0A]

  /// The file with a map whose box holds `content`. Throws where boxes do not end, and for a file
  /// without a picture.
  static func bytes(_ file: FileBytes, content: [UInt8]) throws(FormatError) -> [UInt8] {
    var map = BoxWriter()
    map.box(JPEGXLGainMapBundle.box) { $0.append(content) }
    guard let original = file.bytes(0, file.count) else {
      throw .contradiction("the file cannot be read")
    }
    if JPEGXLGainMapRemoval.isBare(file) {
      var writer = BoxWriter()
      writer.box("JXL ") { $0.append(signature) }
      writer.box("ftyp") {
        $0.append("jxl ".utf8)
        $0.u32(0)
        $0.append("jxl ".utf8)
      }
      writer.append(map.bytes)
      writer.box("jxlc") { $0.append(original) }
      return writer.bytes
    }
    let rest = try JPEGXLGainMapRemoval.bytes(file) ?? original
    let boxes = try FileBytes(rest, of: file)
    var start = 0
    while let box = boxes.box(at: start) {
      if pictures.contains(box.type) { return rest[..<start] + map.bytes + rest[start...] }
      start = box.range.upperBound
    }
    throw .contradiction("it has no codestream box")
  }
}

import ImageCore

/// The file that a decoder is given: one coded picture that was checked here, and nothing else.
///
/// Decoders read whole files, so they would have to trust the tables that were refused or mended here;
/// libheif 1.15.1 moreover reads no file whose metadata belong to a `tmap` item, and gives no auxiliary
/// picture by its number. The colour is stated as the identity matrix, full range: the planes then come
/// out as they are coded (see ``HEIFDecoder``).
enum SinglePictureFile {
  static func bytes(_ still: CodedStill, data: [UInt8]) throws(ReadError) -> [UInt8] {
    guard data.count < 1 << 31 else {
      throw ReadError(.tooLarge, "a coded picture of \(data.count) bytes is more than is read")
    }
    let brand = still.codec == .hevc ? "heix" : "avif"
    let head = box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + Array("mif1\(brand)".utf8))
    let start = head.count + meta(still, offset: 0, count: data.count).count + 8
    return head + meta(still, offset: start, count: data.count) + u32(data.count + 8)
      + Array("mdat".utf8) + data
  }

  private static func meta(_ still: CodedStill, offset: Int, count: Int) -> [UInt8] {
    let name = still.codec == .hevc ? "hvcC" : "av1C"
    let properties =
      box(name, still.configuration)
      + box("ispe", [0, 0, 0, 0] + u32(still.size.width) + u32(still.size.height))
      + box("colr", Array("nclx".utf8) + [0, 2, 0, 2, 0, 0, 0x80])
    let parts: [(String, [UInt8])] = [
      ("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)),
      ("pitm", [0, 0, 0, 0, 0, 1]),
      ("iloc", [1, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1] + u32(offset) + u32(count)),
      (
        "iinf",
        [0, 0, 0, 0, 0, 1]
          + box("infe", [2, 0, 0, 0, 0, 1, 0, 0] + Array(still.codec.rawValue.utf8) + [0])
      ),
      (
        "iprp",
        box("ipco", properties) + box("ipma", [0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 3, 0x81, 2, 3])
      ),
    ]
    return box("meta", parts.reduce(into: [0, 0, 0, 0]) { $0 += box($1.0, $1.1) })
  }

  private static func u32(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    u32(content.count + 8) + Array(type.utf8) + content
  }
}

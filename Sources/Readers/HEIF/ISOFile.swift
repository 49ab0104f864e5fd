package import Containers

/// The boxes at the top of a file: where the tables of its pictures are.
struct ISOFile {
  /// Tables larger than this are no still picture's.
  private static let maxTableBytes = 64 << 20
  private static let maxBoxes = 65_536

  /// The content of the `meta` box.
  let meta: ISOCursor

  /// The search ends at the first `meta`; the boxes behind it need not be whole.
  init(_ file: FileBytes) throws(ReadError) {
    var position = 0
    var isSequence = false
    for _ in 0..<Self.maxBoxes where position < file.count {
      guard let short = file.integer(UInt32.self, at: position, bigEndian: true),
        let type = file.bytes(position + 4, 4)
      else { break }
      var (header, length) = (8, Int(short))
      if short == 0 { length = file.count - position }
      if short == 1 {
        guard let long = file.integer(UInt64.self, at: position + 8, bigEndian: true) else { break }
        (header, length) = (16, Int(clamping: long))
      }
      guard length >= header, length <= file.count - position else { break }
      switch String(decoding: type, as: UTF8.self) {
      case "meta":
        guard length <= Self.maxTableBytes,
          let bytes = file.bytes(position + header, length - header)
        else {
          throw ReadError(
            .tooLarge, "its tables have \(length) bytes; no still picture needs so many")
        }
        meta = ISOCursor(bytes)
        return
      case "moov": isSequence = true
      default: break
      }
      position += length
    }
    if isSequence {
      throw ReadError(
        .unsupported, "it holds a sequence of pictures and no still; export a single picture")
    }
    throw ISOCursor.damaged("the file has no whole table of pictures")
  }
}

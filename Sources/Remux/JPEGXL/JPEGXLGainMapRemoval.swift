import Containers

/// A JPEG XL file without its gain map: its boxes unchanged, except for `jhgm`, plain or packed
/// (`brob`). A bare codestream has none.
enum JPEGXLGainMapRemoval {
  private static let packed = "brob"

  /// Whether the file is a codestream without boxes.
  static func isBare(_ file: FileBytes) -> Bool {
    file.bytes(0, JPEGXLImageHeader.signature.count) == JPEGXLImageHeader.signature
  }

  /// The file without the boxes; nil where it has none. Throws where boxes do not end.
  static func bytes(_ file: FileBytes) throws(FormatError) -> [UInt8]? {
    guard !isBare(file) else { return nil }
    var (remaining, start): ([UInt8], Int) = ([], 0)
    var isChanged = false
    while start < file.count {
      guard let box = file.box(at: start), let bytes = file.bytes(start, box.range.count) else {
        throw .contradiction("the box at offset \(start) extends past the end of the file")
      }
      let isMap =
        box.type == JPEGXLGainMapBundle.box
        || box.type == packed && file.matches(JPEGXLGainMapBundle.box, at: box.content.lowerBound)
      if isMap { isChanged = true } else { remaining += bytes }
      start = box.range.upperBound
    }
    return isChanged ? remaining : nil
  }
}

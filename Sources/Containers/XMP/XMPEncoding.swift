/// The bytes of a packet as UTF-8.
enum XMPEncoding {
  /// `bytes`, UTF-8 or UTF-16, as UTF-8 without byte order mark, padding and white space at the
  /// ends; nil where they are neither.
  static func utf8(_ bytes: [UInt8]) -> [UInt8]? {
    let isLittle = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0x3C, 0])
    let isBig = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0, 0x3C])
    let text: String?
    if isLittle || isBig {
      let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isLittle ? first | second << 8 : first << 8 | second
      }
      text = String(validating: units, as: UTF16.self)
    } else {
      text = String(validating: bytes, as: UTF8.self)
    }
    guard let text else { return nil }
    let isPadding: (UInt8) -> Bool = { $0 == 0 || $0 == 0x20 || (0x09...0x0D).contains($0) }
    var utf8 = ArraySlice(Array(text.utf8))
    if utf8.starts(with: [0xEF, 0xBB, 0xBF]) { utf8 = utf8.dropFirst(3) }
    utf8 = utf8.drop(while: isPadding)
    while let last = utf8.last, isPadding(last) { utf8.removeLast() }
    return Array(utf8)
  }
}

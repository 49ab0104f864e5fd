/// The bytes of an XMP packet as UTF-8 that is safe to give to an XML parser.
///
/// Sidecars come from strangers. Refused before parsing: more than 8 MiB (the largest sidecars,
/// with painted masks, have a few hundred KiB), text that is neither UTF-8 nor UTF-16, any document
/// type or entity declaration (XMP has none; they are the way to make a parser expand kilobytes to
/// gigabytes or open other files), and more than 2000 attributes in one element, since libxml2
/// compares each with all others. The XML declaration is left out: after transcoding its encoding
/// would be wrong.
struct XMPText {
  /// Bytes of the largest packet that is read.
  static let maximumSize = 8 << 20
  /// Most attributes of one element; Lightroom writes about 150.
  static let maximumAttributes = 2000

  /// The packet as UTF-8.
  let utf8: [UInt8]

  /// The text of `bytes`, which stand in the file `path`.
  init(_ bytes: [UInt8], path: String?) throws(RecipeError) {
    func refuse(_ reason: String) -> RecipeError { RecipeError(.malformed, reason, path: path) }
    guard bytes.count <= Self.maximumSize else {
      throw refuse("the XMP is larger than 8 MiB; save it again without what is no setting")
    }
    guard let text = Self.decoded(bytes) else {
      throw refuse(
        "the XMP is neither UTF-8 nor UTF-16; save it again with the program that made it")
    }
    guard !text.isEmpty else {
      throw refuse("the XMP is empty; save it again or remove it")
    }
    if let reason = Self.hazard(in: text) { throw refuse(reason) }
    utf8 = Self.withoutDeclaration(text)
  }

  /// `bytes` as UTF-8 without byte order mark, padding and white space at the ends.
  private static func decoded(_ bytes: [UInt8]) -> [UInt8]? {
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

  private static func withoutDeclaration(_ text: [UInt8]) -> [UInt8] {
    guard stands("<?xml", in: text, at: 0), text.count > 5, text[5] <= 0x20,
      let end = position(after: "?>", in: text, from: 0)
    else { return text }
    return Array(text[end...])
  }

  /// Why an XML parser must not see `text`.
  private static func hazard(in text: [UInt8]) -> String? {
    var index = 0
    while index < text.count {
      guard text[index] == UInt8(ascii: "<") else {
        index += 1
        continue
      }
      if stands("<!--", in: text, at: index) {
        index = position(after: "-->", in: text, from: index + 4) ?? text.count
      } else if stands("<![CDATA[", in: text, at: index) {
        index = position(after: "]]>", in: text, from: index + 9) ?? text.count
      } else if stands("<!", in: text, at: index) {
        return "the XMP declares a document type or entities, which XMP does not have; remove them"
      } else if stands("<?", in: text, at: index) {
        index = position(after: "?>", in: text, from: index + 2) ?? text.count
      } else {
        let (end, attributes) = tag(in: text, from: index + 1)
        guard attributes <= maximumAttributes else {
          return "an element of the XMP has more than \(maximumAttributes) attributes"
        }
        index = end
      }
    }
    return nil
  }

  /// Where the tag ends and how many attributes it has.
  private static func tag(in text: [UInt8], from start: Int) -> (end: Int, attributes: Int) {
    var (index, attributes, quote) = (start, 0, UInt8(0))
    while index < text.count {
      let byte = text[index]
      index += 1
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "=") {
        attributes += 1
      } else if byte == UInt8(ascii: ">") {
        break
      }
    }
    return (index, attributes)
  }

  private static func position(
    after mark: StaticString, in text: [UInt8], from start: Int
  ) -> Int? {
    var index = start
    while index + mark.utf8CodeUnitCount <= text.count {
      if stands(mark, in: text, at: index) { return index + mark.utf8CodeUnitCount }
      index += 1
    }
    return nil
  }

  /// Whether `mark` is what `text` has at `index`.
  private static func stands(_ mark: StaticString, in text: [UInt8], at index: Int) -> Bool {
    guard index + mark.utf8CodeUnitCount <= text.count else { return false }
    return mark.withUTF8Buffer { mark in
      mark.indices.allSatisfy { text[index + $0] == mark[$0] }
    }
  }
}

/// Characters of XML 1.0: white space, names, and the references (`&amp;`, `&#65;`) in texts.
enum XMLText {
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Production 2, of XML 1.0, fifth edition.
  static func isCharacter(_ code: UInt32) -> Bool {
    switch code {
    case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  /// Production 4.
  private static func startsName(_ code: UInt32) -> Bool {
    switch code {
    case 0x3A, 0x41...0x5A, 0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF,
      0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF,
      0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
      true
    default: false
    }
  }

  /// Whether `bytes` are a name (productions 4a and 5).
  static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
    var isFirst = true
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      let code = scalar.value
      let isInner =
        switch code {
        case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: !isFirst
        default: startsName(code)
        }
      guard isInner else { return false }
      isFirst = false
    }
    return !isFirst
  }

  /// The character of the reference that starts at `start` with `&`, and the index after it; nil
  /// for a reference that needs a document type, and for anything else.
  static func reference(
    in bytes: ArraySlice<UInt8>, at start: Int
  ) -> (scalar: Unicode.Scalar, end: Int)? {
    guard let end = bytes[start...].prefix(64).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let letters = bytes[(start + 1)..<end]
    guard letters.allSatisfy({ $0 < 0x80 }) else { return nil }
    let name = String(decoding: letters, as: UTF8.self)
    let scalar: Unicode.Scalar?
    switch name {
    case "lt": scalar = "<"
    case "gt": scalar = ">"
    case "amp": scalar = "&"
    case "quot": scalar = "\""
    case "apos": scalar = "'"
    default:
      let digits = name.hasPrefix("#x") ? name.dropFirst(2) : name.dropFirst()
      let isNumber = name.hasPrefix("#") && digits.utf8.allSatisfy { $0 != 0x2B }
      let code = isNumber ? UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10) : nil
      scalar = code.flatMap { isCharacter($0) ? Unicode.Scalar($0) : nil }
    }
    return scalar.map { ($0, end + 1) }
  }

  /// What bytes are a part of, which decides what they mean.
  enum Context {
    case text
    /// White space means spaces.
    case attribute
    /// A CDATA section: no references.
    case literal
  }

  /// What `bytes` mean: line ends become U+000A, references are resolved; unknown ones stay.
  static func decoded(_ bytes: ArraySlice<UInt8>, _ context: Context) -> String {
    let isAttribute = context == .attribute
    let isPlain = bytes.allSatisfy {
      $0 != UInt8(ascii: "&") && $0 != 0x0D && !(isAttribute && ($0 == 0x0A || $0 == 0x09))
    }
    if isPlain { return String(decoding: bytes, as: UTF8.self) }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "&"), context != .literal,
        let reference = reference(in: bytes, at: index)
      {
        out += Array(String(reference.scalar).utf8)
        index = reference.end
        continue
      }
      index += 1
      if byte == 0x0D, index < bytes.endIndex, bytes[index] == 0x0A { index += 1 }
      let isLineEnd = byte == 0x0D || byte == 0x0A
      out.append(isAttribute && (isLineEnd || byte == 0x09) ? 0x20 : isLineEnd ? 0x0A : byte)
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// `text` as the value of an attribute or the text of an element, without what is no character
  /// of XML. Line ends and tabs survive in both.
  static func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars where isCharacter(scalar.value) {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "\n", "\r", "\t": out += "&#\(scalar.value);"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}

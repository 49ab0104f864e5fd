/// Characters of XML 1.0: what is white space, what may stand in a name or a text, and what
/// references (`&amp;`, `&#65;`) stand for.
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

  /// What the reference that starts at `start` with `&` stands for, and the place behind it; nil
  /// for one that XML does not have by itself.
  static func reference(
    in bytes: ArraySlice<UInt8>, at start: Int
  ) -> (scalar: Unicode.Scalar, end: Int)? {
    var index = start + 1
    guard index < bytes.endIndex else { return nil }
    if bytes[index] != UInt8(ascii: "#") {
      let name = bytes[index...].prefix(5).prefix { $0 != UInt8(ascii: ";") }
      guard name.endIndex < bytes.endIndex, bytes[name.endIndex] == UInt8(ascii: ";") else {
        return nil
      }
      let scalar: Unicode.Scalar? =
        switch String(decoding: name, as: UTF8.self) {
        case "lt": "<"
        case "gt": ">"
        case "amp": "&"
        case "quot": "\""
        case "apos": "'"
        default: nil
        }
      return scalar.map { ($0, name.endIndex + 1) }
    }
    index += 1
    var radix: UInt32 = 10
    if index < bytes.endIndex, bytes[index] == UInt8(ascii: "x") {
      radix = 16
      index += 1
    }
    let first = index
    var code: UInt32 = 0
    while index < bytes.endIndex, let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue,
      digit < radix, bytes[index] < 0x80
    {
      code = min(code * radix + UInt32(digit), 0x110000)
      index += 1
    }
    guard index > first, index < bytes.endIndex, bytes[index] == UInt8(ascii: ";"),
      isCharacter(code), let scalar = Unicode.Scalar(code)
    else { return nil }
    return (scalar, index + 1)
  }

  /// Where bytes stand, which decides what they mean.
  enum Place {
    case text
    /// Between quotes: white space means spaces.
    case attribute
    /// A marked section: references are none.
    case literal
  }

  /// What `bytes` mean: line ends are as XML has them, references resolved; unknown ones stay.
  static func resolved(_ bytes: ArraySlice<UInt8>, in place: Place) -> String {
    let isAttribute = place == .attribute
    let isPlain = bytes.allSatisfy {
      $0 != UInt8(ascii: "&") && $0 != 0x0D && !(isAttribute && ($0 == 0x0A || $0 == 0x09))
    }
    if isPlain { return String(decoding: bytes, as: UTF8.self) }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "&"), place != .literal,
        let found = reference(in: bytes, at: index)
      {
        out += Array(String(found.scalar).utf8)
        index = found.end
        continue
      }
      index += 1
      if byte == 0x0D {
        if index < bytes.endIndex, bytes[index] == 0x0A { index += 1 }
        out.append(isAttribute ? 0x20 : 0x0A)
      } else {
        out.append(isAttribute && (byte == 0x0A || byte == 0x09) ? 0x20 : byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// `text` as it stands in an attribute's value.
  static func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}

/// The inside of one XML tag, and the text between tags.
package enum XMLTag {
  /// The name of `name a="b" c='d'` and its attributes in order. What has no value is left out.
  package static func parts(_ tag: ArraySlice<UInt8>) -> (
    name: String, attributes: [(String, String)]
  ) {
    var rest = tag.drop(while: isSpace)
    let name = rest.prefix { !isSpace($0) }
    rest = rest.dropFirst(name.count)
    var attributes: [(String, String)] = []
    while true {
      rest = rest.drop(while: isSpace)
      let key = rest.prefix { !isSpace($0) && $0 != UInt8(ascii: "=") }
      rest = rest.dropFirst(key.count).drop(while: isSpace)
      guard !key.isEmpty, rest.first == UInt8(ascii: "=") else { break }
      rest = rest.dropFirst().drop(while: isSpace)
      guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        break
      }
      let value = rest.dropFirst().prefix { $0 != quote }
      rest = rest.dropFirst(value.count + 2)
      attributes.append((String(decoding: key, as: UTF8.self), text(Array(value))))
    }
    return (String(decoding: name, as: UTF8.self), attributes)
  }

  /// Text with its entities resolved, without the white space around it.
  package static func text(_ bytes: [UInt8]) -> String {
    var out: [UInt8] = []
    var rest = bytes[...].drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
    while let byte = rest.first {
      if byte == UInt8(ascii: "&"), let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")),
        let character = entity(rest[(rest.startIndex + 1)..<end])
      {
        out += Array(String(character).utf8)
        rest = rest[(end + 1)...]
      } else {
        out.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func entity(_ name: ArraySlice<UInt8>) -> Character? {
    let name = String(decoding: name, as: UTF8.self)
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let code = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return code.flatMap(Unicode.Scalar.init).map(Character.init)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}

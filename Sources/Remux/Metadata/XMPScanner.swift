import HDRRender
import Readers

/// The tags of an XMP packet with their places in it (XML 1.0, as far as ISO 16684-1 uses it).
/// Comments, CDATA and processing instructions are passed over.
struct XMPScanner {
  struct Name: Hashable {
    var namespace: String
    var local: String
  }

  struct Attribute {
    var name: Name
    var value: String
    /// With the white space before it.
    var range: Range<Int>
    /// Between the quotes.
    var valueRange: Range<Int>
    /// The namespace that it declares.
    var declares: String?
  }

  struct Tag {
    var name: Name
    var range: Range<Int>
    var attributes: [Attribute] = []
    var isEmpty = false
  }

  enum Event {
    case open(Tag)
    /// With the place behind the tag before it.
    case close(Tag, textStart: Int)
  }

  private static let mostElements = 64
  private static let mostPrefixes = 64
  private static let mostAttributes = 8192

  private let packet: [UInt8]
  private var position = 0
  private var lastEnd = 0
  private var scopes: [[String: String]] = []

  init(_ packet: [UInt8]) { self.packet = packet }

  private static func refused(_ what: String) -> ReadError {
    ReadError(.unsupported, "its XMP cannot be edited: \(what); save it anew elsewhere")
  }

  /// The next tag; nil at the end.
  mutating func next() throws(ReadError) -> Event? {
    while let start = packet[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = start
      if begins("<!--") {
        try skip("-->")
      } else if begins("<![CDATA[") {
        try skip("]]>")
      } else if begins("<?") {
        try skip("?>")
      } else if begins("<!") {
        throw Self.refused("it has a DOCTYPE")
      } else {
        return try tag()
      }
    }
    return nil
  }

  private func begins(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { packet[position...].starts(with: $0) }
  }

  private mutating func skip(_ end: StaticString) throws(ReadError) {
    let count = end.utf8CodeUnitCount
    while position + count <= packet.count {
      if begins(end) {
        position += count
        return
      }
      position += 1
    }
    throw Self.refused("it ends early")
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    isSpace(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
  }

  private mutating func tag() throws(ReadError) -> Event {
    let start = position
    position += 1
    let isEnd = position < packet.count && packet[position] == UInt8(ascii: "/")
    if isEnd { position += 1 }
    let name = take { !Self.endsName($0) }
    guard !name.isEmpty else { throw Self.refused("a tag has no name") }
    var found: [(key: String, range: Range<Int>, value: Range<Int>)] = []
    var isEmpty = false
    while true {
      let before = position
      _ = take(Self.isSpace)
      guard position < packet.count, found.count < Self.mostAttributes else {
        throw Self.refused("a tag does not end")
      }
      if packet[position] == UInt8(ascii: ">") { break }
      if packet[position] == UInt8(ascii: "/") {
        isEmpty = true
        position += 1
        continue
      }
      guard !isEnd, !isEmpty else { throw Self.refused("a tag is damaged") }
      let key = take { !Self.endsName($0) && $0 != UInt8(ascii: "=") }
      _ = take(Self.isSpace)
      guard position < packet.count, packet[position] == UInt8(ascii: "="), !key.isEmpty else {
        throw Self.refused("an attribute has no value")
      }
      position += 1
      _ = take(Self.isSpace)
      guard position < packet.count,
        let quote = [UInt8(ascii: "\""), UInt8(ascii: "'")].first(where: { $0 == packet[position] })
      else { throw Self.refused("an attribute has no quotes") }
      position += 1
      let value = take { $0 != quote }
      guard position < packet.count else { throw Self.refused("an attribute does not end") }
      position += 1
      found.append((text(key), before..<position, value))
    }
    position += 1
    let result = try event(
      text(name), found, start..<position, isEnd: isEnd, isEmpty: isEmpty, textStart: lastEnd)
    lastEnd = position
    return result
  }

  private mutating func take(_ matches: (UInt8) -> Bool) -> Range<Int> {
    let start = position
    while position < packet.count, matches(packet[position]) { position += 1 }
    return start..<position
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: packet[range], as: UTF8.self)
  }

  private mutating func event(
    _ name: String, _ found: [(key: String, range: Range<Int>, value: Range<Int>)],
    _ range: Range<Int>, isEnd: Bool, isEmpty: Bool, textStart: Int
  ) throws(ReadError) -> Event {
    if isEnd {
      let tag = Tag(name: resolved(name, scopes.last ?? [:], isAttribute: false), range: range)
      guard scopes.popLast() != nil else { throw Self.refused("tags do not match") }
      return .close(tag, textStart: textStart)
    }
    var scope = scopes.last ?? ["xml": "http://www.w3.org/XML/1998/namespace"]
    for (key, _, value) in found where key == "xmlns" || key.hasPrefix("xmlns:") {
      scope[key == "xmlns" ? "" : String(key.dropFirst(6))] = XMLTag.text(Array(packet[value]))
    }
    guard scopes.count < Self.mostElements, scope.count <= Self.mostPrefixes else {
      throw Self.refused("it is nested too deeply")
    }
    var tag = Tag(
      name: resolved(name, scope, isAttribute: false), range: range, isEmpty: isEmpty)
    for (key, range, value) in found {
      let isDeclaration = key == "xmlns" || key.hasPrefix("xmlns:")
      let text = XMLTag.text(Array(packet[value]))
      tag.attributes.append(
        Attribute(
          name: resolved(key, scope, isAttribute: true), value: text, range: range,
          valueRange: value, declares: isDeclaration ? text : nil))
    }
    if !isEmpty { scopes.append(scope) }
    return .open(tag)
  }

  private func resolved(_ name: String, _ scope: [String: String], isAttribute: Bool) -> Name {
    guard let colon = name.firstIndex(of: ":") else {
      return Name(namespace: isAttribute ? "" : scope[""] ?? "", local: name)
    }
    return Name(
      namespace: scope[String(name[..<colon])] ?? "",
      local: String(name[name.index(after: colon)...]))
  }
}

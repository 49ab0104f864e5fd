import ImageCore

/// Sets xmp:Rating in a sidecar of another program; all its other bytes stay: byte order mark, line
/// ends, comments, order, white space.
///
/// Source: ISO 16684-1 (XMP, part 1), clause 7: a property is an attribute of a description or an
/// element in it. An existing one is changed where it is. A new one becomes an attribute of the
/// first description, written as the attribute before it. The result is parsed again, and refused
/// where it differs in anything but the rating. Known failure: ratings with qualifiers, which no
/// program writes, and UTF-16 are refused.
package enum XMPRating {
  /// Prefixes of the namespace where the packet has none; the first that it does not use otherwise.
  private static let prefixes = [XMPNamespace.basic.prefix, "xap", "xmpBasic"]

  /// `bytes` with this rating: −1…5. Throws where they are not well-formed XMP in UTF-8.
  package static func set(_ rating: Int, in bytes: [UInt8]) throws(XMPFault) -> [UInt8] {
    let old = try XMPPacket(wellFormed: bytes)
    let start = XMPPacket.start(of: bytes)
    guard let text = XMPPacket.utf8(bytes), bytes[start...].starts(with: text) else {
      throw .notUTF8
    }
    var editor = XMPEditor(XMLTree(text, .wellFormed))
    guard editor.set(Array("\(rating)".utf8), prefixes: prefixes) else { throw .unusualRating }
    let new = bytes[..<start] + editor.bytes + bytes[(start + text.count)...]
    let packet = try XMPPacket(wellFormed: Array(new))
    func others(_ packet: XMPPacket) -> [XMPName: XMPValue] {
      packet.properties.filter { $0.key != .rating }
    }
    guard packet[.rating]?.number == Double(rating), others(packet) == others(old) else {
      throw .unusualRating
    }
    return Array(new)
  }
}

extension XMPEditor {
  /// Sets the rating to `text`; false where the packet has a form that this does not edit.
  fileprivate mutating func set(_ text: [UInt8], prefixes: [String]) -> Bool {
    let resources = tree.rdf.map { tree.elements[$0].children } ?? []
    var isSet = false
    for resource in resources.map({ tree.elements[$0] }) {
      for attribute in resource.attributes where attribute.name == .rating {
        replace(attribute.value, with: text)
        isSet = true
      }
      for child in resource.children.map({ tree.elements[$0] }) where child.name == .rating {
        guard set(text, in: child) else { return false }
        isSet = true
      }
    }
    if isSet { return true }
    guard let first = resources.first else {
      var description = XMPDescription()
      description.add(.basic, XMPName.rating.name, String(decoding: text, as: UTF8.self))
      return append("\(description.text)\n".utf8)
    }
    return insert(text, into: first, prefixes)
  }

  /// Sets the text of an element; false where it has a value of another kind.
  private mutating func set(_ text: [UInt8], in element: XMLTree.Element) -> Bool {
    guard element.children.isEmpty, element.attributes.allSatisfy(\.isDeclaration),
      let content = element.content
    else { return false }
    let tag = element.startTag
    if element.end == tag.upperBound {
      let name = tree.name(at: tag.lowerBound + 1)
      let end = "</".utf8 + name + ">".utf8
      replace(tag.upperBound - 2..<tag.upperBound, with: ">".utf8 + text + end)
      return true
    }
    let texts = element.text.compactMap(tree.trimmed)
    replace(texts.first ?? content.lowerBound..<content.lowerBound, with: text)
    for other in texts.dropFirst() { replace(other, with: []) }
    return true
  }

  /// Adds the attribute to the element `index`; false where no prefix is free.
  private mutating func insert(_ text: [UInt8], into index: Int, _ prefixes: [String]) -> Bool {
    let element = tree.elements[index]
    let last = element.attributes.last?.range
    let end = last?.upperBound ?? tree.name(at: element.startTag.lowerBound + 1).endIndex
    let space = last.map { tree.space(before: $0.lowerBound) } ?? Array(" ".utf8)
    var added: [UInt8] = []
    var prefix = tree.prefix(of: .basic, at: index)
    if prefix == nil {
      let used = Set(tree.elements.flatMap(\.attributes).compactMap(tree.declaredPrefix))
      guard let free = prefixes.first(where: { !used.contains(Array($0.utf8)[...]) }) else {
        return false
      }
      prefix = Array(free.utf8)[...]
      added = space + "xmlns:\(free)=\"\(XMPNamespace.basic.uri)\"".utf8
    }
    added += space + (prefix ?? []) + ":\(XMPName.rating.name)=\"".utf8 + text + "\"".utf8
    replace(end..<end, with: added)
    return true
  }
}

extension XMLTree {
  /// A text without white space around it; nil where that is all.
  fileprivate func trimmed(_ range: Range<Int>) -> Range<Int>? {
    guard let first = bytes[range].firstIndex(where: { !XMLText.isSpace($0) }),
      let last = bytes[range].lastIndex(where: { !XMLText.isSpace($0) })
    else { return nil }
    return first..<last + 1
  }

  /// The white space before an attribute.
  fileprivate func space(before position: Int) -> [UInt8] {
    Array(bytes[..<position].reversed().prefix(while: XMLText.isSpace).reversed())
  }

  /// The prefix that an attribute declares, empty for the default namespace; nil for others.
  fileprivate func declaredPrefix(_ attribute: Attribute) -> ArraySlice<UInt8>? {
    attribute.isDeclaration
      ? name(at: attribute.range.lowerBound).dropFirst("xmlns:".utf8.count) : nil
  }

  /// The prefix of `namespace` in `element`; nil where it has none there.
  fileprivate func prefix(of namespace: XMPNamespace, at element: Int) -> ArraySlice<UInt8>? {
    var inner: Set<ArraySlice<UInt8>> = []
    for ancestor in lineage(of: element) {
      for attribute in elements[ancestor].attributes {
        guard let prefix = declaredPrefix(attribute) else { continue }
        let isInScope = inner.insert(prefix).inserted && !prefix.isEmpty
        if isInScope, value(attribute).isSame(as: namespace.uri) { return prefix }
      }
    }
    return nil
  }
}

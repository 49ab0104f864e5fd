/// Makes the elements of an ``XMLTree``, in one pass over the bytes.
struct XMLScanner {
  private let bytes: [UInt8]
  private let isStrict: Bool
  private(set) var elements: [XMLTree.Element] = []
  private var position = 0
  private var count = 0
  private var open: [Open] = []
  private var namespaces: [(prefix: String, uri: String)]

  /// An element whose end tag is still to come.
  private struct Open {
    let index: Int
    let tag: Range<Int>
    /// Declarations that hold outside of it.
    let outside: Int
  }

  private struct Found {
    let name: Range<Int>
    let value: Range<Int>
    let end: Int
  }

  init(_ bytes: [UInt8], _ rules: XMLTree.Rules, declared: [XMPNamespace]) {
    self.bytes = bytes
    isStrict = rules == .wellFormed
    namespaces = ([.xml] + declared).map { ($0.prefix, $0.uri) }
  }

  /// Reads to the end or the first fault, which it returns.
  mutating func run() -> XMPFault? {
    do throws(XMPFault) {
      while position < bytes.count {
        let start = position
        position = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        if isStrict { try checkText(start..<position) }
        if position == bytes.count { break }
        if let section = XMLSection(at: position, in: bytes[...]) {
          guard section.end <= bytes.count else {
            throw malformed("it ends early", at: bytes.count)
          }
          if isStrict { try check(section) }
          position = section.end
        } else if bytes[...].holds("<!", at: position) {
          throw fault(.documentType, at: position)
        } else if bytes[...].holds("</", at: position) {
          try endTag()
        } else {
          try startTag()
        }
      }
      guard open.isEmpty, !isStrict || !elements.isEmpty else {
        throw malformed("it ends early", at: bytes.count)
      }
      return nil
    } catch { return error }
  }

  private func fault(_ kind: XMPFault.Kind, at place: Int) -> XMPFault {
    let lines = bytes[..<min(place, bytes.count)].reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
    return XMPFault(kind, line: lines)
  }

  private func malformed(_ what: String, at place: Int) -> XMPFault {
    fault(.malformed(what), at: place)
  }

  private mutating func take(while matches: (UInt8) -> Bool) -> Range<Int> {
    let start = position
    while position < bytes.count, matches(bytes[position]) { position += 1 }
    return start..<position
  }

  /// A name of a tag or attribute.
  private mutating func name() throws(XMPFault) -> Range<Int> {
    let name = take {
      !XMLText.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
        && $0 != UInt8(ascii: "=")
    }
    guard !name.isEmpty else { throw malformed("a tag has no name", at: position) }
    if isStrict, !XMLText.isName(bytes[name]) {
      throw malformed("a name has characters that names do not have", at: position)
    }
    return name
  }

  private mutating func startTag() throws(XMPFault) {
    let start = position
    position += 1
    let name = try name()
    var found: [Found] = []
    var isEmpty = false
    while true {
      let space = take(while: XMLText.isSpace)
      guard position < bytes.count else { throw malformed("a tag does not end", at: position) }
      if bytes[position] == UInt8(ascii: ">") { break }
      if bytes[...].holds("/>", at: position) {
        isEmpty = true
        position += 1
        break
      }
      guard !isStrict || !space.isEmpty else {
        throw malformed("attributes are not apart", at: position)
      }
      guard found.count < XMLTree.maxAttributes else {
        throw fault(.tooManyAttributes, at: position)
      }
      found.append(try attribute())
    }
    position += 1
    try add(name, start..<position, found, isEmpty: isEmpty)
  }

  private mutating func attribute() throws(XMPFault) -> Found {
    let key = try name()
    _ = take(while: XMLText.isSpace)
    guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
      throw malformed("an attribute has no value", at: position)
    }
    position += 1
    _ = take(while: XMLText.isSpace)
    guard position < bytes.count,
      bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'")
    else { throw malformed("an attribute has no quotes", at: position) }
    let quote = bytes[position]
    position += 1
    let value = take { $0 != quote }
    guard position < bytes.count else { throw malformed("an attribute does not end", at: position) }
    if isStrict {
      if bytes[value].contains(UInt8(ascii: "<")) {
        throw malformed("a value has a <", at: value.upperBound)
      }
      try checkCharacters(value, references: true)
    }
    position += 1
    return Found(name: key, value: value, end: position)
  }

  private mutating func endTag() throws(XMPFault) {
    let start = position
    position += 2
    let name = try name()
    guard let element = open.last, bytes[element.tag] == bytes[name] else {
      throw malformed("tags do not match", at: position)
    }
    _ = take(while: XMLText.isSpace)
    guard position < bytes.count, bytes[position] == UInt8(ascii: ">") else {
      throw malformed("a tag is damaged", at: position)
    }
    position += 1
    elements[element.index].content = elements[element.index].startTag.upperBound..<start
    elements[element.index].end = position
    namespaces.removeSubrange(element.outside...)
    open.removeLast()
  }

  private mutating func add(
    _ name: Range<Int>, _ tag: Range<Int>, _ found: [Found], isEmpty: Bool
  ) throws(XMPFault) {
    if isStrict, open.isEmpty, !elements.isEmpty {
      throw malformed("it has more than one root", at: tag.lowerBound)
    }
    guard open.count < XMLTree.maxDepth else { throw fault(.tooDeep, at: position) }
    count += 1 + found.count
    guard count <= XMLTree.maxCount else { throw fault(.tooManyElements, at: position) }
    let outside = namespaces.count
    for attribute in found {
      if let prefix = declaredPrefix(attribute.name) {
        let uri = XMLText.resolved(bytes[attribute.value], in: .attribute)
        guard namespaces.count < XMLTree.maxNamespaces else {
          throw fault(.tooManyNamespaces, at: position)
        }
        namespaces.append((prefix, uri))
      }
    }
    let attributes = try found.map { (attribute: Found) throws(XMPFault) in
      XMLTree.Attribute(
        name: try resolved(attribute.name, isAttribute: true),
        range: attribute.name.lowerBound..<attribute.end, value: attribute.value,
        isDeclaration: declaredPrefix(attribute.name) != nil)
    }
    if isStrict { try checkTwice(found, attributes) }
    let index = elements.count
    elements.append(
      XMLTree.Element(
        name: try resolved(name, isAttribute: false), parent: open.last?.index,
        depth: open.count + 1, startTag: tag, attributes: attributes,
        content: isEmpty ? tag.upperBound..<tag.upperBound : nil, end: tag.upperBound))
    if let parent = open.last?.index { elements[parent].children.append(index) }
    if isEmpty {
      namespaces.removeSubrange(outside...)
    } else {
      open.append(Open(index: index, tag: name, outside: outside))
    }
  }

  /// The prefix that an attribute of this name declares; empty for the namespace without one.
  private func declaredPrefix(_ name: Range<Int>) -> String? {
    guard bytes[name].starts(with: "xmlns".utf8) else { return nil }
    if name.count == 5 { return "" }
    guard bytes[name.lowerBound + 5] == UInt8(ascii: ":") else { return nil }
    return String(decoding: bytes[(name.lowerBound + 6)..<name.upperBound], as: UTF8.self)
  }

  private func resolved(_ name: Range<Int>, isAttribute: Bool) throws(XMPFault) -> XMPName {
    guard let colon = bytes[name].firstIndex(of: UInt8(ascii: ":")) else {
      let uri = isAttribute ? "" : namespaces.last { $0.prefix.isEmpty }?.uri ?? ""
      return XMPName(uri, String(decoding: bytes[name], as: UTF8.self))
    }
    let prefix = String(decoding: bytes[name.lowerBound..<colon], as: UTF8.self)
    let local = bytes[(colon + 1)..<name.upperBound]
    let uri = namespaces.last { $0.prefix == prefix }?.uri
    if isStrict, prefix != "xmlns" {
      guard uri != nil, !local.isEmpty, !local.contains(UInt8(ascii: ":")) else {
        throw malformed("a prefix is not declared", at: position)
      }
    }
    return XMPName(uri ?? "", String(decoding: local, as: UTF8.self))
  }
}

// What XML calls an error, though it is certain where elements and attributes stand.
extension XMLScanner {
  private func checkTwice(
    _ found: [Found], _ attributes: [XMLTree.Attribute]
  ) throws(XMPFault) {
    guard found.count > 1 else { return }
    let spelled = Set(found.map { bytes[$0.name] })
    let named = attributes.filter { !$0.isDeclaration }.map(\.name)
    guard spelled.count == found.count, Set(named).count == named.count else {
      throw malformed("an attribute stands twice", at: position)
    }
  }

  private func checkText(_ range: Range<Int>) throws(XMPFault) {
    if open.isEmpty {
      if let place = range.first(where: { !XMLText.isSpace(bytes[$0]) }) {
        throw malformed("it has text outside of its elements", at: place)
      }
      return
    }
    try checkCharacters(range, references: true)
    for place in range
    where bytes[place] == UInt8(ascii: "]") && bytes[range].holds("]]>", at: place) {
      throw malformed("a text has a ]]>", at: place)
    }
  }

  private func check(_ section: XMLSection) throws(XMPFault) {
    try checkCharacters(section.content, references: false)
    let content = bytes[section.content]
    switch section.kind {
    case .literal:
      if open.isEmpty { throw malformed("it has text outside of its elements", at: position) }
    case .comment:
      let isSound =
        content.last != UInt8(ascii: "-")
        && !zip(content, content.dropFirst()).contains {
          $0 == UInt8(ascii: "-") && $1 == UInt8(ascii: "-")
        }
      guard isSound else { throw malformed("a comment has a --", at: position) }
    case .instruction:
      let target = content.prefix { !XMLText.isSpace($0) }
      let isDeclaration =
        target.count == 3 && String(decoding: target, as: UTF8.self).lowercased() == "xml"
      guard XMLText.isName(target), !isDeclaration || position == 0 else {
        throw malformed("an instruction has no name", at: position)
      }
    }
  }

  private func checkCharacters(_ range: Range<Int>, references: Bool) throws(XMPFault) {
    var place = range.lowerBound
    while place < range.upperBound {
      let byte = bytes[place]
      if byte == UInt8(ascii: "&"), references {
        guard let found = XMLText.reference(in: bytes[range], at: place) else {
          throw malformed("a reference is not known", at: place)
        }
        place = found.end
        continue
      }
      // The two codes of three bytes that are no characters.
      let isNone =
        byte == 0xEF && place + 2 < range.upperBound && bytes[place + 1] == 0xBF
        && bytes[place + 2] >= 0xBE
      guard byte >= 0x20 || XMLText.isSpace(byte), !isNone else {
        throw malformed("it has characters that XML does not have", at: place)
      }
      place += 1
    }
  }
}

import ImageCore

/// Makes the elements of an ``XMLTree`` in one pass over the bytes.
struct XMLScanner {
  /// Marks around what is no tag between `<` and `>`.
  private static let comment = (start: "<!--", end: "-->")
  static let cdata = (start: "<![CDATA[", end: "]]>")
  private static let instruction = (start: "<?", end: "?>")

  private let bytes: [UInt8]
  private let isStrict: Bool
  private let limits: DecodeLimits
  private(set) var elements: [XMLTree.Element] = []
  private var position = 0
  private var count = 0
  /// Elements whose end tag is still to come, and the number of namespaces declared outside them.
  private var open: [(element: Int, name: Range<Int>, namespaces: Int)] = []
  private var namespaces = XMLScope()

  private typealias RawAttribute = (name: Range<Int>, value: Range<Int>, end: Int)

  init(_ bytes: [UInt8], _ rules: XMLTree.Rules, _ limits: DecodeLimits) {
    (self.bytes, self.limits) = (bytes, limits)
    isStrict = rules == .wellFormed
    let known: [XMPNamespace] = isStrict ? [.xml] : [.xml, .rdf, .tiff]
    for namespace in known {
      namespaces.declare(ArraySlice(namespace.prefix.utf8), namespace.uri)
    }
  }

  /// Reads to the end or to the first fault, which it returns.
  mutating func run() -> XMPFault? {
    do throws(XMPFault) {
      while position < bytes.count {
        try text()
        if position == bytes.count { break }
        if next(Self.comment.start) {
          try check(comment: try section(Self.comment))
        } else if next(Self.cdata.start) {
          let start = position
          _ = try section(Self.cdata)
          try addText(start..<position)
        } else if next(Self.instruction.start) {
          let start = position
          try check(instruction: try section(Self.instruction), at: start)
        } else if next("<!") {
          throw .documentType
        } else if next("</") {
          try endTag()
        } else {
          try startTag()
        }
      }
      guard open.isEmpty, !isStrict || !elements.isEmpty else {
        throw .malformed("it is truncated")
      }
      return nil
    } catch {
      var fault = error
      fault.line = bytes.prefix(position).reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
      return fault
    }
  }

  private func next(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  private mutating func take(while matches: (UInt8) -> Bool) -> Range<Int> {
    let start = position
    while position < bytes.count, matches(bytes[position]) { position += 1 }
    return start..<position
  }

  private mutating func skip(_ text: String, else problem: String) throws(XMPFault) {
    guard next(text) else { throw .malformed(problem) }
    position += text.utf8.count
  }

  /// Skips a section between two marks and returns its content.
  private mutating func section(
    _ marks: (start: String, end: String)
  ) throws(XMPFault) -> Range<Int> {
    position += marks.start.utf8.count
    let start = position
    while position < bytes.count, !next(marks.end) {
      position += 1
      _ = take { $0 != marks.end.utf8.first }
    }
    let content = start..<position
    try checkCharacters(content, references: false)
    try skip(marks.end, else: "it is truncated")
    return content
  }

  private mutating func text() throws(XMPFault) {
    let range = take { $0 != UInt8(ascii: "<") }
    if range.isEmpty { return }
    try checkCharacters(range, references: true)
    if isStrict, bytes[range].contains(subsequence: Self.cdata.end) {
      throw .malformed("a text contains ]]>")
    }
    try addText(range)
  }

  private mutating func addText(_ range: Range<Int>) throws(XMPFault) {
    if let element = open.last?.element {
      elements[element].text.append(range)
    } else if isStrict, !bytes[range].allSatisfy(XMLText.isSpace) {
      throw .malformed("it has text outside the root element")
    }
  }

  /// The name of an element or attribute.
  private mutating func name() throws(XMPFault) -> Range<Int> {
    let name = take { !XMLText.isSpace($0) && !">/=".utf8.contains($0) }
    guard !name.isEmpty else { throw .malformed("a tag has no name") }
    if isStrict, !XMLText.isName(bytes[name]) {
      throw .malformed("a name has an invalid character")
    }
    return name
  }

  private func require(items: Int) throws(XMPFault) {
    guard items <= limits.maxItems else { throw .tooManyItems(limits) }
  }

  private mutating func startTag() throws(XMPFault) {
    let start = position
    position += 1
    let name = try name()
    var attributes: [RawAttribute] = []
    while true {
      let space = take(while: XMLText.isSpace)
      guard position < bytes.count else { throw .malformed("a tag is not closed") }
      if next(">") || next("/>") { break }
      if isStrict, space.isEmpty { throw .malformed("there is no space between attributes") }
      attributes.append(try attribute())
      try require(items: count + 1 + attributes.count)
    }
    let isEmpty = next("/")
    position += isEmpty ? 2 : 1
    try add(name, start..<position, attributes, isEmpty: isEmpty)
  }

  private mutating func attribute() throws(XMPFault) -> RawAttribute {
    let name = try name()
    _ = take(while: XMLText.isSpace)
    try skip("=", else: "an attribute has no value")
    _ = take(while: XMLText.isSpace)
    let quote = next("'") ? "'" : "\""
    try skip(quote, else: "an attribute value is not quoted")
    let value = take { $0 != quote.utf8.first }
    if isStrict, let mark = bytes[value].firstIndex(of: UInt8(ascii: "<")) {
      position = mark
      throw .malformed("an attribute value contains <")
    }
    try checkCharacters(value, references: true)
    try skip(quote, else: "an attribute value is not closed")
    return (name, value, position)
  }

  private mutating func endTag() throws(XMPFault) {
    let start = position
    position += 2
    let name = try name()
    guard let (index, opened, outer) = open.last, bytes[opened] == bytes[name] else {
      throw .malformed("start and end tags do not match")
    }
    _ = take(while: XMLText.isSpace)
    try skip(">", else: "an end tag is malformed")
    elements[index].content = elements[index].startTag.upperBound..<start
    elements[index].end = position
    namespaces.leave(to: outer)
    open.removeLast()
  }

  private mutating func add(
    _ name: Range<Int>, _ tag: Range<Int>, _ found: [RawAttribute], isEmpty: Bool
  ) throws(XMPFault) {
    if isStrict, open.isEmpty, !elements.isEmpty {
      throw .malformed("it has more than one root element")
    }
    guard open.count < limits.maxNesting else { throw .tooDeep(limits) }
    count += 1 + found.count
    try require(items: count)
    let outer = namespaces.count
    for attribute in found {
      guard let prefix = declaredPrefix(attribute.name) else { continue }
      guard namespaces.count < FormatLimits.namespaces else { throw .tooManyNamespaces }
      guard attribute.value.count <= FormatLimits.namespaceBytes else {
        throw .malformed("a namespace is longer than \(FormatLimits.namespaceBytes) bytes")
      }
      let uri = XMLText.decoded(bytes[attribute.value], .attribute)
      if isStrict, uri.isEmpty, !prefix.isEmpty { throw .malformed("a prefix has no namespace") }
      namespaces.declare(prefix, uri)
    }
    var attributes: [XMLTree.Attribute] = []
    for attribute in found {
      attributes.append(
        XMLTree.Attribute(
          name: try resolved(attribute.name, isAttribute: true),
          range: attribute.name.lowerBound..<attribute.end, value: attribute.value,
          isDeclaration: declaredPrefix(attribute.name) != nil))
    }
    if isStrict, found.count > 1 {
      let names = attributes.filter { !$0.isDeclaration }.map(\.name)
      guard Set(found.map { bytes[$0.name] }).count == found.count, Set(names).count == names.count
      else { throw .malformed("an attribute is duplicated") }
    }
    let resolvedName = try resolved(name, isAttribute: false)
    let index = elements.count
    if let parent = open.last?.element { elements[parent].children.append(index) }
    elements.append(
      XMLTree.Element(
        name: resolvedName, parent: open.last?.element,
        depth: open.count + 1, startTag: tag, attributes: attributes,
        content: isEmpty ? tag.upperBound..<tag.upperBound : nil, end: tag.upperBound))
    if isEmpty {
      namespaces.leave(to: outer)
    } else {
      open.append((index, name, outer))
    }
  }

  /// The prefix that an attribute of this name declares, empty for the default namespace.
  private func declaredPrefix(_ name: Range<Int>) -> ArraySlice<UInt8>? {
    let parts = bytes[name].split(separator: UInt8(ascii: ":"), maxSplits: 1)
    guard parts.first?.elementsEqual("xmlns".utf8) == true else { return nil }
    return parts.count == 1 ? [] : parts[1]
  }

  private mutating func resolved(
    _ name: Range<Int>, isAttribute: Bool
  ) throws(XMPFault) -> XMPName {
    guard let colon = bytes[name].firstIndex(of: UInt8(ascii: ":")) else {
      let uri = isAttribute ? nil : namespaces.uri(of: [])
      return XMPName(uri ?? "", String(decoding: bytes[name], as: UTF8.self))
    }
    let prefix = bytes[name.lowerBound..<colon]
    let local = bytes[(colon + 1)..<name.upperBound]
    let uri = namespaces.uri(of: prefix)
    if isStrict {
      guard !prefix.isEmpty, XMLText.isName(local), !local.contains(UInt8(ascii: ":")),
        uri != nil || prefix.elementsEqual("xmlns".utf8)
      else {
        position = name.lowerBound
        throw .malformed("a prefix is not declared")
      }
    }
    return XMPName(uri ?? "", String(decoding: local, as: UTF8.self))
  }
}

// What XML calls an error although the extent of every element is certain.
extension XMLScanner {
  private func check(comment: Range<Int>) throws(XMPFault) {
    if isStrict, bytes[comment].contains(subsequence: "--") || bytes[comment].last == 0x2D {
      throw .malformed("a comment contains --")
    }
  }

  private func check(instruction: Range<Int>, at start: Int) throws(XMPFault) {
    guard isStrict else { return }
    let target = bytes[instruction].prefix { !XMLText.isSpace($0) }
    let isDeclaration =
      target.count == 3 && String(decoding: target, as: UTF8.self).lowercased() == "xml"
    guard XMLText.isName(target), !target.contains(UInt8(ascii: ":")), !isDeclaration || start == 0
    else {
      throw .malformed("a processing instruction has no valid target")
    }
  }

  private mutating func checkCharacters(
    _ range: Range<Int>, references: Bool
  ) throws(XMPFault) {
    guard isStrict else { return }
    position = range.lowerBound
    while position < range.upperBound {
      let byte = bytes[position]
      if byte == UInt8(ascii: "&"), references {
        guard let reference = XMLText.reference(in: bytes[range], at: position) else {
          throw .malformed("an entity reference is unknown")
        }
        position = reference.end
        continue
      }
      // U+FFFE and U+FFFF are no characters.
      guard byte >= 0x20 || XMLText.isSpace(byte),
        byte != 0xEF || !next("\u{FFFE}") && !next("\u{FFFF}")
      else { throw .malformed("it has a character that XML does not allow") }
      position += 1
    }
  }
}

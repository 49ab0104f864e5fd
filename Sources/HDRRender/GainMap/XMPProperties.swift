/// The simple properties of an XMP packet: what `rdf:Description` holds as attributes, as elements
/// with text, and as elements with an `rdf:Seq`, `Bag` or `Alt` of texts (ISO 16684-1, 7.4 and
/// 7.5).
///
/// A scanner, no XML parser: it knows tags, attributes, namespaces, comments, CDATA, the five named
/// entities and those of numbers, and skips what it does not know. Structures and qualifiers are
/// left out. It never fails: of a damaged packet it keeps what stands before the damage. A DOCTYPE,
/// which XMP forbids, ends it; so does nesting beyond 64 elements, so that no input costs more than
/// its length. Of a property that stands twice the first one counts. UTF-8 only.
package struct XMPProperties {
  private struct Name: Hashable {
    var namespace: String
    var local: String
  }

  private struct Element {
    var name: Name
    var prefixes: [String: String]
    var text: [UInt8] = []
    var items: [String] = []
  }

  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private static let mostElements = 64
  private static let mostPrefixes = 64

  private var found: [Name: [String]] = [:]
  private var open: [Element] = []

  /// The values of a property, in order; empty when it is not there.
  package func values(_ namespace: String, _ local: String) -> [String] {
    found[Name(namespace: namespace, local: local)] ?? []
  }

  package init(packet: [UInt8]) {
    var rest = packet[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      if !open.isEmpty { open[open.count - 1].text += rest[..<start] }
      rest = rest[start...]
      if rest.starts(with: "<!--".utf8) {
        guard let end = Self.end(of: "-->", in: rest) else { return }
        rest = rest[end...]
      } else if rest.starts(with: "<![CDATA[".utf8) {
        guard let end = Self.end(of: "]]>", in: rest) else { return }
        if !open.isEmpty { open[open.count - 1].text += rest[(start + 9)..<(end - 3)] }
        rest = rest[end...]
      } else if rest.starts(with: "<?".utf8) {
        guard let end = Self.end(of: "?>", in: rest) else { return }
        rest = rest[end...]
      } else if rest.starts(with: "<!".utf8) {
        return
      } else {
        guard let end = Self.tagEnd(rest) else { return }
        let tag = rest[(start + 1)..<(end - 1)]
        rest = rest[end...]
        if tag.first == UInt8(ascii: "/") {
          close()
        } else {
          let isEmpty = tag.last == UInt8(ascii: "/")
          guard begin(isEmpty ? tag.dropLast() : tag) else { return }
          if isEmpty { close() }
        }
      }
    }
  }

  /// Behind the first `mark`.
  private static func end(of mark: StaticString, in bytes: ArraySlice<UInt8>) -> Int? {
    let wanted = mark.withUTF8Buffer { Array($0) }
    var index = bytes.startIndex
    while index + wanted.count <= bytes.endIndex {
      if bytes[index..<index + wanted.count].elementsEqual(wanted) { return index + wanted.count }
      index += 1
    }
    return nil
  }

  /// Behind the `>` of a tag, which may also stand in quotes.
  private static func tagEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    var quote: UInt8?
    for index in bytes.indices {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return index + 1
      }
    }
    return nil
  }

  /// Opens an element; false where the nesting is too deep.
  private mutating func begin(_ tag: ArraySlice<UInt8>) -> Bool {
    guard open.count < Self.mostElements else { return false }
    let (name, attributes) = XMLTag.parts(tag)
    var prefixes = open.last?.prefixes ?? ["xml": "http://www.w3.org/XML/1998/namespace"]
    for (key, value) in attributes where prefixes.count < Self.mostPrefixes {
      if key.hasPrefix("xmlns:") { prefixes[String(key.dropFirst(6))] = value }
      if key == "xmlns" { prefixes[""] = value }
    }
    func resolved(_ qualified: String, isAttribute: Bool) -> Name {
      guard let colon = qualified.firstIndex(of: ":") else {
        return Name(namespace: isAttribute ? "" : prefixes[""] ?? "", local: qualified)
      }
      return Name(
        namespace: prefixes[String(qualified[..<colon])] ?? "",
        local: String(qualified[qualified.index(after: colon)...]))
    }
    open.append(Element(name: resolved(name, isAttribute: false), prefixes: prefixes))
    if isDescription(open.count - 1) {
      for (key, value) in attributes {
        let attribute = resolved(key, isAttribute: true)
        if found[attribute] == nil { found[attribute] = [value] }
      }
    }
    return true
  }

  /// Closes the innermost element and keeps what it says.
  private mutating func close() {
    guard let element = open.popLast() else { return }
    let depth = open.count
    if element.name == Name(namespace: Self.rdf, local: "li") {
      guard depth >= 2, isDescription(depth - 3) else { return }
      open[depth - 2].items.append(XMLTag.text(element.text))
    } else if element.name.namespace != Self.rdf, isDescription(depth - 1) {
      if found[element.name] == nil {
        found[element.name] =
          element.items.isEmpty ? [XMLTag.text(element.text)] : element.items
      }
    }
  }

  /// Whether the open element at `depth` is a description of the file itself.
  private func isDescription(_ depth: Int) -> Bool {
    depth > 0 && open[depth].name == Name(namespace: Self.rdf, local: "Description")
      && open[depth - 1].name == Name(namespace: Self.rdf, local: "RDF")
  }
}

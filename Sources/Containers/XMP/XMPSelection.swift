/// Properties selected from a packet, each with its original bytes.
///
/// An element moves into another packet unchanged, including arrays, languages and qualifiers; only
/// the namespaces that are declared around it go with it. From a damaged packet the part before the
/// damage is used. A description that is not well-formed on its own, such as one with references to
/// unknown entities, is omitted: it would make the other packet unreadable.
package struct XMPSelection {
  /// Elements `rdf:Description` that hold the properties.
  package let descriptions: [String]
  /// Names of the properties.
  package let names: Set<XMPName>
  /// Elements and attributes of the source packet.
  let items: Int

  /// The properties of `packet`, UTF-8 or UTF-16, whose name `isWanted`. Of a repeated property,
  /// which XMP forbids, the first is used.
  package init(_ packet: [UInt8], where isWanted: (XMPName) -> Bool) {
    self.init(XMLTree(XMPPacket.utf8(packet) ?? [], .lenient)) { name, _ in isWanted(name) }
  }

  /// The properties in `tree` that are wanted, by their names and the bytes that they take there.
  init(_ tree: XMLTree, where isWanted: (_ name: XMPName, _ bytes: Int) -> Bool) {
    var (descriptions, all): ([String], Set<XMPName>) = ([], [])
    let rdf = tree.rdf
    let resources = rdf.map { tree.elements[$0].children } ?? []
    let outer = XMLDeclarations(of: rdf.map { Array(tree.lineage(of: $0)) } ?? [], in: tree)
    var room = FormatLimits.packetGrowth * tree.bytes.count + (1 << 16)
    for resource in resources.prefix(FormatLimits.namespaces) {
      var own: Set<XMPName> = []
      let text = tree.description(of: resource, within: outer) { name, bytes in
        isWanted(name, bytes) && !all.contains(name) && own.insert(name).inserted
      }
      guard let text, text.utf8.count <= room,
        XMLTree(XMPWriter.packet(descriptions: [text]), .wellFormed).fault == nil
      else { continue }
      room -= text.utf8.count
      descriptions.append(text)
      all.formUnion(own)
    }
    (self.descriptions, names) = (descriptions, all)
    items = tree.elements.reduce(0) { $0 + 1 + $1.attributes.count }
  }
}

/// Declarations of namespaces, the first of each prefix.
private struct XMLDeclarations {
  /// The declarations, as in the bytes.
  var ranges: [Range<Int>] = []
  /// Their indices by prefix.
  var indices: [ArraySlice<UInt8>: Int] = [:]

  /// The declarations of `elements`, in this order.
  init(of elements: [Int], in tree: XMLTree) {
    for element in elements {
      for attribute in tree.elements[element].attributes where attribute.isDeclaration {
        let name = tree.name(at: attribute.range.lowerBound)
        let prefix = name.dropFirst("xmlns:".utf8.count)
        guard indices[prefix] == nil else { continue }
        indices[prefix] = ranges.count
        ranges.append(attribute.range)
      }
    }
  }

  /// The declarations of `prefixes`.
  func ranges(of prefixes: Set<ArraySlice<UInt8>>) -> [Range<Int>] {
    prefixes.compactMap { indices[$0] }.sorted().map { ranges[$0] }
  }
}

extension XMLTree {
  /// The properties of a resource, by their names and lengths, as an element of its own; nil for
  /// none. `outer` are the declarations around it.
  fileprivate func description(
    of resource: Int, within outer: XMLDeclarations, where isSelected: (XMPName, Int) -> Bool
  ) -> String? {
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let attributes = elements[resource].attributes.filter {
      !$0.isDeclaration && isProperty($0.name) && isSelected($0.name, $0.range.count)
    }
    let children = elements[resource].children.filter {
      elements[$0].content != nil && isProperty(elements[$0].name)
        && isSelected(elements[$0].name, elements[$0].range.count)
    }
    guard !attributes.isEmpty || !children.isEmpty else { return nil }
    let first = attributes.map { "\n    " + text($0.range) }.joined()
    let rest = children.map { "\n   " + text(elements[$0].range) }.joined()
    let properties = first + (children.isEmpty ? "/>" : ">" + rest)
    let declarations = declarations(
      of: prefixes(of: attributes, children), XMLDeclarations(of: [resource], in: self), outer
    ).map { "\n    " + $0 }.joined()
    return "  <rdf:Description rdf:about=\"\"\(declarations)\(properties)"
      + (children.isEmpty ? "" : "\n  </rdf:Description>")
  }

  /// An element and its ancestors, the inner ones first.
  func lineage(of element: Int) -> some Sequence<Int> {
    sequence(first: element) { elements[$0].parent }
  }

  /// The name of the element or attribute that starts here.
  func name(at start: Int) -> ArraySlice<UInt8> {
    bytes[start...].prefix { !XMLText.isSpace($0) && !">/=".utf8.contains($0) }
  }

  /// The prefixes of the names in attributes and in elements including their content; not the ones
  /// that only occur in texts and values.
  private func prefixes(
    of attributes: [Attribute], _ children: [Int]
  ) -> Set<ArraySlice<UInt8>> {
    var found: Set<ArraySlice<UInt8>> = []
    func add(_ start: Int) {
      let name = name(at: start)
      if let colon = name.firstIndex(of: UInt8(ascii: ":")) { found.insert(name[..<colon]) }
    }
    for attribute in attributes { add(attribute.range.lowerBound) }
    for child in children {
      // What it holds follows it.
      for element in elements[child...] {
        guard element.startTag.lowerBound < elements[child].end else { break }
        add(element.startTag.lowerBound + 1)
        for attribute in element.attributes where !attribute.isDeclaration {
          add(attribute.range.lowerBound)
        }
      }
    }
    return found
  }

  /// The declarations of the default namespace and of the prefixes in `used`, the inner ones where
  /// two have one prefix, and the one that lenient reading assumes.
  private func declarations(
    of used: Set<ArraySlice<UInt8>>, _ inner: XMLDeclarations, _ outer: XMLDeclarations
  ) -> [String] {
    var used = used
    used.insert([])
    // The prefix of the description itself.
    used.remove(ArraySlice(XMPNamespace.rdf.prefix.utf8))
    let others = used.filter { inner.indices[$0] == nil }
    var texts = (inner.ranges(of: used) + outer.ranges(of: others)).map {
      String(decoding: bytes[$0], as: UTF8.self)
    }
    let tiff = ArraySlice(XMPNamespace.tiff.prefix.utf8)
    if others.contains(tiff), outer.indices[tiff] == nil {
      texts.append(XMPNamespace.tiff.declaration)
    }
    return texts
  }
}

extension XMPNamespace {
  /// The attribute that declares it with its usual prefix.
  var declaration: String { "xmlns:\(prefix)=\"\(uri)\"" }
}

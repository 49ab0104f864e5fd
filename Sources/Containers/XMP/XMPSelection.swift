/// Properties taken out of a packet, each with the bytes that it has there.
///
/// An element moves into another packet as it is, arrays, languages and qualifiers included; only
/// the namespaces that are declared around it go with it. Of a damaged packet what stands before
/// the damage is taken. A description that is not well-formed on its own, such as one with
/// references to unknown entities, is left out: it would make the other packet unreadable.
package struct XMPSelection {
  /// Elements `rdf:Description` that hold the properties.
  package let descriptions: [String]
  /// Names of the properties.
  package let names: Set<XMPName>

  /// Descriptions that are taken: writers make one for each namespace, and each takes what is
  /// declared around it along.
  private static let maxDescriptions = XMLTree.maxNamespaces

  /// The properties of `packet`, UTF-8 or UTF-16, whose name `isWanted`. Of a repeated property,
  /// which XMP forbids, the first is taken.
  package init(_ packet: [UInt8], where isWanted: (XMPName) -> Bool) {
    let tree = XMLTree(XMPPacket.utf8(packet) ?? [], .lenient)
    var (descriptions, all): ([String], Set<XMPName>) = ([], [])
    let resources = tree.rdf.map { tree.elements[$0].children } ?? []
    for resource in resources.prefix(Self.maxDescriptions) {
      var own: Set<XMPName> = []
      let text = tree.description(of: resource) {
        isWanted($0) && !all.contains($0) && own.insert($0).inserted
      }
      guard let text,
        XMLTree(XMPWriter.packet(descriptions: [text]), .wellFormed).fault == nil
      else { continue }
      descriptions.append(text)
      all.formUnion(own)
    }
    (self.descriptions, names) = (descriptions, all)
  }
}

extension XMLTree {
  /// The properties of a resource as an element of its own; nil for none.
  fileprivate func description(of resource: Int, where isTaken: (XMPName) -> Bool) -> String? {
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let attributes = elements[resource].attributes.filter {
      !$0.isDeclaration && isProperty($0.name) && isTaken($0.name)
    }.map { "\n    " + text($0.range) }
    let children = elements[resource].children.filter {
      elements[$0].content != nil && isProperty(elements[$0].name) && isTaken(elements[$0].name)
    }.map { "\n   " + text(elements[$0].range) }
    guard !attributes.isEmpty || !children.isEmpty else { return nil }
    let properties = attributes.joined() + (children.isEmpty ? "/>" : ">" + children.joined())
    let declarations = declarations(around: resource)
      .filter { $0.prefix.isEmpty || properties.contains($0.prefix + ":") }
      .map { "\n    " + $0.text }.joined()
    return "  <rdf:Description rdf:about=\"\"\(declarations)\(properties)"
      + (children.isEmpty ? "" : "\n  </rdf:Description>")
  }

  /// The declarations of namespaces in an element and around it, the inner ones where two have one
  /// prefix, and those that lenient reading takes for granted.
  private func declarations(around element: Int) -> [(prefix: String, text: String)] {
    var found: [(prefix: String, text: String)] = []
    var seen: Set<String> = [XMPNamespace.rdf.prefix]
    var next: Int? = element
    while let index = next {
      for attribute in elements[index].attributes where attribute.isDeclaration {
        let text = String(decoding: bytes[attribute.range], as: UTF8.self)
        let prefix = text.prefix { $0 != "=" && !$0.isWhitespace }.dropFirst("xmlns:".count)
        if seen.insert(String(prefix)).inserted { found.append((String(prefix), text)) }
      }
      next = elements[index].parent
    }
    let tiff = XMPNamespace.tiff
    if !seen.contains(tiff.prefix) { found.append((tiff.prefix, tiff.declaration)) }
    return found
  }
}

extension XMPNamespace {
  /// The attribute that declares it with its usual prefix.
  var declaration: String { "xmlns:\(prefix)=\"\(uri)\"" }
}

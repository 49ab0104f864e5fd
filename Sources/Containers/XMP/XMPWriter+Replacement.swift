extension XMPWriter {
  /// `packet`, nil for none, with `description` instead of the property `name` of its resources. In
  /// a sound packet everything else stays byte for byte, else all properties stay. Throws where not
  /// all of them can be read, as unreadable ones would be lost.
  package static func edited(
    _ packet: [UInt8]?, _ name: XMPName, by description: XMPDescription
  ) throws(XMPFault) -> [UInt8] {
    guard let packet else { return Self.packet(descriptions: [description.text]) }
    guard let text = XMPPacket.utf8(packet) else { throw .notUnicode }
    // Room that was reserved for a packet.
    if text.isEmpty { return Self.packet(descriptions: [description.text]) }
    let tree = XMLTree(text, .wellFormed)
    var editor = XMPEditor(tree)
    for resource in tree.rdf.map({ tree.elements[$0].children }) ?? [] {
      for attribute in tree.elements[resource].attributes where attribute.name == name {
        editor.remove(attribute.range)
      }
      for index in tree.elements[resource].children where tree.elements[index].name == name {
        editor.remove(tree.elements[index].range)
      }
    }
    if tree.fault == nil, editor.append("\(description.text)\n".utf8) { return editor.bytes }
    // RDF with another prefix than the usual one, or with one that is not declared.
    let lenient = XMLTree(text, .lenient)
    let isEmpty = tree.fault == nil && tree.elements.count < 2
    guard lenient.fault == nil, lenient.rdf != nil || isEmpty else {
      throw tree.fault ?? lenient.fault ?? XMPFault.noRDF
    }
    let rest = XMPSelection(lenient) { found, _ in found != name }
    guard lenient.propertyCount(besides: name) == rest.names.count else {
      throw tree.fault ?? XMPFault.tooLarge
    }
    return Self.packet(descriptions: [description.text] + rest.descriptions)
  }

  /// The same for any packet: of one of which not all can be read, what can be read stays.
  package static func replacing(
    _ name: XMPName, by description: XMPDescription, in packet: [UInt8]?
  ) -> [UInt8] {
    if let sound = try? Self.edited(packet, name, by: description) { return sound }
    let rest = XMPSelection(packet ?? []) { $0 != name }
    return Self.packet(descriptions: [description.text] + rest.descriptions)
  }
}

extension XMLTree {
  /// Attributes and elements of the resources that should be properties, whatever their namespace,
  /// except `name`.
  fileprivate func propertyCount(besides name: XMPName) -> Int {
    let resources = rdf.map { elements[$0].children } ?? []
    return resources.reduce(0) { count, resource in
      // rdf:about and its kind say what the resource is; old packets have them without a prefix.
      let attributes = elements[resource].attributes.filter {
        !$0.isDeclaration && $0.name != name && !$0.name.isIn(.rdf)
          && !($0.name.namespace.isEmpty && $0.name.name.isSame(as: XMPName.about.name))
      }
      let children = elements[resource].children.filter { elements[$0].name != name }
      return count + attributes.count + children.count
    }
  }
}

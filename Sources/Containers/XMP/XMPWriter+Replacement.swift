extension XMPWriter {
  /// `packet`, nil for none, with `description` in place of the property `name` of its resources;
  /// all else stays byte for byte where the packet is sound, else what can be read of it stays.
  package static func replacing(
    _ name: XMPName, by description: XMPDescription, in packet: [UInt8]?
  ) -> [UInt8] {
    guard let packet, !packet.isEmpty else {
      return Self.packet(descriptions: [description.text])
    }
    let tree = XMLTree(XMPPacket.utf8(packet) ?? [], .wellFormed)
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
    let rest = XMPSelection(packet) { $0 != name }
    return Self.packet(descriptions: [description.text] + rest.descriptions)
  }
}

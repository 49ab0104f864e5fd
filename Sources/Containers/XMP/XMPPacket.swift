/// The properties of an XMP packet: a sidecar's, or one from inside a picture.
///
/// Source: ISO 16684-1 (XMP, part 1), clause 7 and annex C: the subset of RDF/XML that XMP is
/// written in. Understood are attribute and element form, arrays (rdf:Seq, rdf:Bag, rdf:Alt),
/// structures (nested rdf:Description, rdf:parseType="Resource", attributes of an empty element),
/// rdf:resource, and qualified values (rdf:value). Packets come with or without xpacket and
/// x:xmpmeta around them. What is nested stays nested: a look or a saved setting that repeats a
/// setting's name does not overwrite it. A property that stands twice, which XMP forbids, counts as
/// it stands first. Resources that rdf:about names are not told apart, as XMP allows only one.
public struct XMPPacket: Sendable, Hashable {
  /// Bytes of the largest packet with settings that is read; those with painted masks have a few
  /// hundred KiB.
  public static let maxBytes = 8 << 20

  /// The top level: what is said of the picture itself.
  public let properties: [XMPName: XMPValue]

  /// The packet that `bytes` are, UTF-8 or UTF-16. Throws for all that is no well-formed XMP, or
  /// larger or deeper than XMP has reason to be.
  public init(wellFormed bytes: [UInt8]) throws(XMPFault) {
    guard bytes.count <= Self.maxBytes else { throw XMPFault(.tooLarge) }
    guard let text = XMPEncoding.utf8(bytes) else { throw XMPFault(.notUnicode) }
    guard !text.isEmpty else { throw XMPFault(.empty) }
    let tree = XMLTree(text, .wellFormed)
    if let fault = tree.fault { throw fault }
    guard tree.rdf != nil else { throw XMPFault(.noRDF) }
    self.init(tree)
  }

  /// The packet that `bytes` are, UTF-8, whatever its state: of a damaged one what stands before
  /// the damage. For what files say of their pictures.
  public init(lenient bytes: [UInt8]) { self.init(XMLTree(bytes, .lenient)) }

  /// The properties in `tree`; none where it has no RDF.
  package init(_ tree: XMLTree) {
    var properties: [XMPName: XMPValue] = [:]
    for resource in tree.rdf.map({ tree.elements[$0].children }) ?? [] {
      properties.merge(tree.fields(of: resource)) { first, _ in first }
    }
    self.properties = properties
  }

  /// The value of a property.
  public subscript(name: XMPName) -> XMPValue? { properties[name] }

  /// The value of the property `name` of `namespace`.
  public subscript(namespace: XMPNamespace, name: String) -> XMPValue? {
    properties[XMPName(namespace, name)]
  }

  /// The fields of one namespace by name.
  public func fields(in namespace: XMPNamespace) -> [String: XMPValue] {
    var fields: [String: XMPValue] = [:]
    for (name, value) in properties where name.namespace == namespace.uri {
      fields[name.name] = value
    }
    return fields
  }

  /// The texts of a property, one or those of its list; none where it is not there, an empty one in
  /// the place of a structure.
  public func texts(_ namespace: XMPNamespace, _ name: String) -> [String] {
    switch self[namespace, name] {
    case nil: []
    case .list(let items)?: items.map { $0.text ?? "" }
    case let value?: [value.text ?? ""]
    }
  }
}

extension XMLTree {
  /// Attributes and elements that are properties. Elements that are not closed are none.
  fileprivate func fields(of element: Int) -> [XMPName: XMPValue] {
    var fields: [XMPName: XMPValue] = [:]
    for attribute in elements[element].attributes
    where !attribute.isDeclaration && isProperty(attribute.name) && fields[attribute.name] == nil {
      fields[attribute.name] = .text(value(attribute))
    }
    for child in elements[element].children where elements[child].content != nil {
      let name = elements[child].name
      if isProperty(name), fields[name] == nil { fields[name] = value(of: child) }
    }
    return fields
  }

  private func isProperty(_ name: XMPName) -> Bool {
    if name.namespace == XMPNamespace.rdf.uri { return name == .value }
    return !name.namespace.isEmpty && name.namespace != XMPNamespace.xml.uri
  }

  /// The value of an element that is a property or an item. Never deeper than the elements, which
  /// are limited.
  private func value(of element: Int) -> XMPValue {
    let children = elements[element].children
    if value(.parseType, of: element) == "Resource" { return unqualified(fields(of: element)) }
    if let inner = children.first, elements[inner].name.namespace == XMPNamespace.rdf.uri {
      switch elements[inner].name.name {
      case "Seq", "Bag", "Alt":
        let items = elements[inner].children.filter { elements[$0].name == .item }
        return .list(items.map(value(of:)))
      case "Description":
        return unqualified(fields(of: inner))
      default: break
      }
    }
    if let link = value(.resource, of: element) { return .text(link) }
    let text = text(of: element)
    if children.isEmpty, text.trimmingSpace.isEmpty {
      let fields = fields(of: element)
      if !fields.isEmpty { return unqualified(fields) }
    }
    return .text(text)
  }

  /// The value itself where qualifiers are given with it.
  private func unqualified(_ fields: [XMPName: XMPValue]) -> XMPValue {
    fields[.value] ?? .structure(fields)
  }
}

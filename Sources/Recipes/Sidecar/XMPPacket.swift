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
  /// The top level: what is said of the picture itself.
  public let properties: [XMPName: XMPValue]

  /// The packet that `bytes` are, UTF-8 or UTF-16. Throws ``RecipeError/Code/malformed`` for all
  /// that is no XMP, or larger or deeper than XMP has reason to be; `path` names the file in that
  /// error.
  public init(_ bytes: [UInt8], path: String? = nil) throws(RecipeError) {
    let text = try XMPText(bytes, path: path)
    let root = try XMPElements.root(of: text, path: path)
    guard let rdf = Self.rdf(in: root, levels: 4) else {
      throw RecipeError(
        .malformed, "the file is XML, but no XMP (it has no rdf:RDF); remove it or save it again",
        path: path)
    }
    var properties: [XMPName: XMPValue] = [:]
    for resource in rdf.children {
      properties.merge(Self.fields(of: resource)) { first, _ in first }
    }
    self.properties = properties
  }

  /// The value of `name` in `namespace`.
  public subscript(namespace: String, name: String) -> XMPValue? {
    properties[XMPName(namespace, name)]
  }

  /// The fields of one namespace by name.
  public func fields(in namespace: String) -> [String: XMPValue] {
    var fields: [String: XMPValue] = [:]
    for (name, value) in properties where name.namespace == namespace { fields[name.name] = value }
    return fields
  }

  private static func rdf(in element: XMPElement, levels: Int) -> XMPElement? {
    if element.name == XMPName(XMPName.rdf, "RDF") { return element }
    guard levels > 1 else { return nil }
    for child in element.children {
      if let found = rdf(in: child, levels: levels - 1) { return found }
    }
    return nil
  }

  /// Attributes and elements that are properties.
  private static func fields(of element: XMPElement) -> [XMPName: XMPValue] {
    var fields: [XMPName: XMPValue] = [:]
    for (name, value) in element.attributes where isProperty(name) && fields[name] == nil {
      fields[name] = .text(value)
    }
    for child in element.children where isProperty(child.name) && fields[child.name] == nil {
      fields[child.name] = value(of: child)
    }
    return fields
  }

  private static func isProperty(_ name: XMPName) -> Bool {
    if name.namespace == XMPName.rdf { return name.name == "value" }
    return !name.namespace.isEmpty && name.namespace != XMPName.xml
  }

  /// The value of an element that is a property or an item. Never deeper than the elements, which
  /// are limited.
  private static func value(of element: XMPElement) -> XMPValue {
    let type = element.attributes.first { $0.name == XMPName(XMPName.rdf, "parseType") }?.value
    if type == "Resource" { return unqualified(fields(of: element)) }
    if let inner = element.children.first, inner.name.namespace == XMPName.rdf {
      switch inner.name.name {
      case "Seq", "Bag", "Alt":
        let items = inner.children.filter { $0.name == XMPName(XMPName.rdf, "li") }
        return .list(items.map(value(of:)))
      case "Description":
        return unqualified(fields(of: inner))
      default: break
      }
    }
    if let link = element.attributes.first(where: { $0.name == XMPName(XMPName.rdf, "resource") }) {
      return .text(link.value)
    }
    if element.children.isEmpty, element.text.trimmingSpace.isEmpty {
      let fields = fields(of: element)
      if !fields.isEmpty { return unqualified(fields) }
    }
    return .text(element.text)
  }

  /// The value itself where qualifiers are given with it.
  private static func unqualified(_ fields: [XMPName: XMPValue]) -> XMPValue {
    fields[XMPName(XMPName.rdf, "value")] ?? .structure(fields)
  }
}

public import ImageCore

/// The properties of an XMP packet: a sidecar's, or one from inside a picture.
///
/// Source: ISO 16684-1 (XMP, part 1), clause 7 and annex C: the subset of RDF/XML that XMP is
/// written in. Understood are attribute and element form, arrays (rdf:Seq, rdf:Bag, rdf:Alt),
/// structures (nested rdf:Description, rdf:parseType="Resource", attributes of an empty element),
/// rdf:resource, and qualified values (rdf:value). Packets come with or without xpacket and
/// x:xmpmeta around them. What is nested stays nested: a look or a saved setting that repeats a
/// setting's name does not overwrite it. Of a repeated property, which XMP forbids, the first
/// counts. Resources that rdf:about names are not distinguished, as XMP allows only one.
public struct XMPPacket: Sendable, Hashable {
  /// Maximum bytes of a packet with settings; packets with painted masks have a few hundred KiB.
  public static let maxBytes = FormatLimits.settingsBytes

  /// The top level: properties of the picture itself.
  public let properties: [XMPName: XMPValue]

  /// The packet in `bytes`, UTF-8 or UTF-16. Throws unless they are well-formed XMP within
  /// ``maxBytes`` and the limits on items and nesting.
  public init(
    wellFormed bytes: [UInt8], limits: DecodeLimits = DecodeLimits()
  ) throws(XMPFault) {
    guard bytes.count <= Self.maxBytes else { throw .tooLarge }
    guard let text = Self.utf8(bytes) else { throw .notUnicode }
    guard !text.isEmpty else { throw .empty }
    let tree = XMLTree(text, .wellFormed, limits: limits)
    if let fault = tree.fault { throw fault }
    guard tree.rdf != nil else { throw .noRDF }
    self.init(tree)
  }

  /// The packet in `bytes`, UTF-8; of a damaged one, what comes before the damage.
  public init(lenient bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) {
    self.init(XMLTree(bytes, .lenient, limits: limits))
  }

  /// The properties in `tree`; none where it has no RDF.
  package init(_ tree: XMLTree) {
    var properties: [XMPName: XMPValue] = [:]
    for resource in tree.rdf.map({ tree.elements[$0].children }) ?? [] {
      properties.merge(tree.fields(of: resource)) { first, _ in first }
    }
    self.properties = properties
  }

  /// `bytes`, UTF-8 or UTF-16, as UTF-8 without byte order mark, padding and white space at the
  /// ends; nil where they are neither.
  static func utf8(_ bytes: [UInt8]) -> [UInt8]? {
    let isLittle = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0x3C, 0])
    let isBig = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0, 0x3C])
    let text: String?
    if isLittle || isBig {
      let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isLittle ? first | second << 8 : first << 8 | second
      }
      text = String(validating: units, as: UTF16.self)
    } else {
      text = String(validating: bytes, as: UTF8.self)
    }
    guard let text else { return nil }
    let utf8 = Array(text.utf8)
    let start = start(of: utf8)
    let end = utf8.lastIndex { !isPadding($0) } ?? -1
    return Array(utf8[start..<max(end + 1, start)])
  }

  /// Where the text in `utf8` begins, after a byte order mark and padding.
  static func start(of utf8: [UInt8]) -> Int {
    let start = utf8.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return utf8[start...].firstIndex { !isPadding($0) } ?? utf8.count
  }

  private static func isPadding(_ byte: UInt8) -> Bool {
    byte == 0 || byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  /// The value of a property.
  public subscript(name: XMPName) -> XMPValue? { properties[name] }

  /// The value of the property `name` of `namespace`.
  public subscript(namespace: XMPNamespace, name: String) -> XMPValue? {
    properties[XMPName(namespace, name)]
  }

  /// The fields of one namespace by name. Non-ASCII names, which no schema has, are omitted:
  /// finding equal texts can take the square of their length.
  public func fields(in namespace: XMPNamespace) -> [String: XMPValue] {
    var fields: [String: XMPValue] = [:]
    for (name, value) in properties
    where name.isIn(namespace) && name.name.utf8.allSatisfy({ $0 < 0x80 }) {
      fields[name.name] = value
    }
    return fields
  }

  /// The texts of a property: one, or the items of its list; empty for a structure or a missing
  /// property.
  public func texts(_ namespace: XMPNamespace, _ name: String) -> [String] {
    switch self[namespace, name] {
    case nil: []
    case .list(let items)? where !items.isEmpty: items.map { $0.text ?? "" }
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

  func isProperty(_ name: XMPName) -> Bool {
    if name.isIn(.rdf) { return name == .value }
    return !name.namespace.isEmpty && !name.isIn(.xml)
  }

  private static let lists = Set(["Seq", "Bag", "Alt"].map { XMPName(.rdf, $0) })

  /// The value of an element that is a property or an item. Never deeper than the elements, which
  /// are limited.
  private func value(of element: Int) -> XMPValue {
    let children = elements[element].children
    if value(XMPName(.rdf, "parseType"), of: element)?.isSame(as: "Resource") == true {
      return unqualified(fields(of: element))
    }
    if let inner = children.first {
      if Self.lists.contains(elements[inner].name) {
        let items = elements[inner].children.filter { elements[$0].name == .item }
        return .list(items.map(value(of:)))
      }
      if elements[inner].name == .description { return unqualified(fields(of: inner)) }
    }
    if let link = value(XMPName(.rdf, "resource"), of: element) { return .text(link) }
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

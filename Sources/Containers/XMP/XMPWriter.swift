package import ImageCore

/// An element `rdf:Description` to be written: each property is an attribute on a line of its own.
package struct XMPDescription {
  private var namespaces: [XMPNamespace]
  private var attributes = ""
  private var elements = ""

  /// A description that declares `namespaces`, and the namespaces of the added properties.
  package init(_ namespaces: XMPNamespace...) { self.namespaces = namespaces }

  private mutating func tag(_ namespace: XMPNamespace, _ name: String) -> String {
    if !namespaces.contains(namespace) { namespaces.append(namespace) }
    return "\(namespace.prefix):\(name)"
  }

  private mutating func attribute(
    _ namespace: XMPNamespace, _ name: String, _ value: String
  ) -> String {
    "\(tag(namespace, name))=\"\(XMLText.escaped(value))\""
  }

  /// Adds a property.
  package mutating func add(_ namespace: XMPNamespace, _ name: String, _ value: String) {
    attributes += "\n    " + attribute(namespace, name, value)
  }

  /// How the values of a property are to be understood.
  package enum List: String {
    /// In order.
    case sequence = "Seq"
    /// In no order.
    case bag = "Bag"
    /// One text in several languages; added texts have the default one.
    case languages = "Alt"
  }

  /// Adds a property of several values.
  package mutating func add(
    _ namespace: XMPNamespace, _ name: String, _ list: List, _ values: [String]
  ) {
    let tag = tag(namespace, name)
    let item = list == .languages ? "rdf:li xml:lang=\"x-default\"" : "rdf:li"
    let items = values.map { "<\(item)>\(XMLText.escaped($0))</rdf:li>" }.joined()
    let kind = "rdf:\(list.rawValue)"
    elements += "\n   <\(tag)><\(kind)>\(items)</\(kind)></\(tag)>"
  }

  /// Adds a property that is a structure of texts.
  package mutating func add(
    _ namespace: XMPNamespace, _ name: String,
    fields: [(namespace: XMPNamespace, name: String, value: String)]
  ) {
    let tag = tag(namespace, name)
    let texts = fields.map { "\n    " + attribute($0.namespace, $0.name, $0.value) }.joined()
    elements += "\n   <\(tag)\(texts)/>"
  }

  /// Adds elements as they are, each line with its indentation.
  package mutating func add(elements text: String) { elements += "\n" + text }

  /// The element, indented as in a packet.
  package var text: String {
    let declarations = namespaces.map { "\n    " + $0.declaration }.joined()
    let head = "  <rdf:Description rdf:about=\"\"\(declarations)\(attributes)"
    return elements.isEmpty ? "\(head)/>" : "\(head)>\(elements)\n  </rdf:Description>"
  }
}

/// XMP packets of written files (ISO 16684-1:2019).
package enum XMPWriter {
  /// The packet of a finished picture, UTF-8: what ``FinishedProperties`` leaves of the source's
  /// own, and what describes the new file: media type `format`, upright, made by rawdev, with IDs
  /// of its own (XMP specification part 2, media management) where the metadata name its
  /// derivation.
  /// `descriptions` are elements `rdf:Description` to be added.
  package static func packet(
    _ metadata: CaptureMetadata, format: String, descriptions: [String] = []
  ) -> [UInt8] {
    fitted(metadata, format: format, descriptions: descriptions, limit: .max).packet
  }

  /// What describes the new file; Exif's dates and rating where the source's packet has none.
  static func description(
    of metadata: CaptureMetadata, _ format: String, besides names: Set<XMPName>
  ) -> String {
    var description = XMPDescription(.dublinCore, .tiff, .basic)
    description.add(.dublinCore, "format", format)
    description.add(.tiff, XMPName.orientation.name, "1")
    description.add(.basic, "CreatorTool", RawdevVersion.software)
    if let date = metadata.isoDate {
      for (namespace, name) in [(XMPNamespace.basic, "CreateDate"), (.photoshop, "DateCreated")]
      where !names.contains(XMPName(namespace, name)) {
        description.add(namespace, name, date)
      }
    }
    if case .shorts(let stars)? = metadata[.image, TIFFTag.rating], !names.contains(.rating),
      let stars = stars.first, stars <= 5
    {
      description.add(.basic, XMPName.rating.name, "\(stars)")
    }
    if let derivation = metadata.derivation, derivation.isWritten {
      add(derivation, of: metadata, to: &description)
    }
    return description.text
  }

  /// The picture that a file with `metadata` is made of; nil where they do not know it.
  package static func source(of metadata: CaptureMetadata) -> SourcePicture? {
    metadata.derivation.map {
      let packet = XMPPacket(lenient: XMPPacket.utf8(metadata.xmp ?? []) ?? [])
      return SourcePicture(document: document(of: packet, $0), capture: $0.capture)
    }
  }

  private static func document(
    of source: XMPPacket, _ derivation: CaptureMetadata.Derivation
  ) -> String {
    source[.documentID]?.text ?? "xmp.did:\(derivation.source)"
  }

  /// The IDs of the new file, of its source and of the document that both come from.
  private static func add(
    _ derivation: CaptureMetadata.Derivation, of metadata: CaptureMetadata,
    to description: inout XMPDescription
  ) {
    let source = XMPPacket(lenient: XMPPacket.utf8(metadata.xmp ?? []) ?? [])
    let document = document(of: source, derivation)
    let original = source[.originalDocumentID]?.text ?? document
    description.add(.media, XMPName.documentID.name, "xmp.did:\(derivation.document)")
    description.add(.media, XMPName.instanceID.name, "xmp.iid:\(derivation.document)")
    description.add(.media, XMPName.originalDocumentID.name, original)
    let instance = source[.instanceID]?.text.map { (XMPNamespace.reference, "instanceID", $0) }
    description.add(
      .media, "DerivedFrom",
      fields: (instance.map { [$0] } ?? []) + [
        (.reference, "documentID", document), (.reference, "originalDocumentID", original),
      ])
    if let recipe = derivation.recipe { description.add(.rawdev, "Recipe", recipe) }
  }

  /// A packet of these elements and nothing else.
  package static func packet(descriptions: [String]) -> [UInt8] {
    let text = """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="\(XMPNamespace.meta.uri)">
       <rdf:RDF xmlns:rdf="\(XMPNamespace.rdf.uri)">
      \(appended(descriptions))</rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>
      """
    return Array(text.utf8)
  }

  /// `packet` with `descriptions` after its own; nil where it has no RDF.
  package static func adding(_ descriptions: [String], to packet: [UInt8]) -> [UInt8]? {
    var editor = XMPEditor(XMLTree(packet, .lenient))
    return editor.append(appended(descriptions).utf8) ? editor.bytes : nil
  }

  private static func appended(_ descriptions: [String]) -> String {
    descriptions.isEmpty ? "" : descriptions.joined(separator: "\n") + "\n "
  }
}

extension CaptureMetadata {
  /// `YYYY-MM-DDTHH:MM:SS` of Exif's `YYYY:MM:DD HH:MM:SS`, with its offset from UTC where Exif has
  /// one; nil for anything else.
  package var isoDate: String? {
    let parts = dateTimeOriginal?.split(whereSeparator: { $0 == ":" || $0 == " " }) ?? []
    guard parts.count == 6, parts.allSatisfy({ UInt($0) != nil }), parts[0].count == 4,
      parts.dropFirst().allSatisfy({ $0.count == 2 })
    else { return nil }
    let date = parts[0...2].joined(separator: "-") + "T" + parts[3...5].joined(separator: ":")
    guard case .ascii(let offset)? = self[.exif, 0x9011], offset.utf8.count == 6,
      offset.allSatisfy({ "+-:0123456789".contains($0) })
    else { return date }
    return date + offset
  }
}

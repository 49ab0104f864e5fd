package import ImageCore

/// An element `rdf:Description` to be written: each property is an attribute on a line of its own.
package struct XMPDescription {
  private let namespaces: [XMPNamespace]
  private var attributes = ""
  private var elements = ""

  /// A description that declares `namespaces`.
  package init(_ namespaces: XMPNamespace...) { self.namespaces = namespaces }

  /// Adds a property.
  package mutating func add(_ namespace: XMPNamespace, _ name: String, _ value: String) {
    attributes += "\n    \(namespace.prefix):\(name)=\"\(XMLText.escaped(value))\""
  }

  /// Adds a property of several values, in order.
  package mutating func add(_ namespace: XMPNamespace, _ name: String, sequence: [String]) {
    let items = sequence.map { "<rdf:li>\(XMLText.escaped($0))</rdf:li>" }.joined()
    let tag = "\(namespace.prefix):\(name)"
    elements += "\n   <\(tag)><rdf:Seq>\(items)</rdf:Seq></\(tag)>"
  }

  /// Adds elements as they are, each line with its indentation.
  package mutating func add(elements text: String) { elements += "\n" + text }

  /// The element, indented as in a packet.
  package var text: String {
    let declarations = namespaces.map { "\n    xmlns:\($0.prefix)=\"\($0.uri)\"" }.joined()
    let head = "  <rdf:Description rdf:about=\"\"\(declarations)\(attributes)"
    return elements.isEmpty ? "\(head)/>" : "\(head)>\(elements)\n  </rdf:Description>"
  }
}

/// XMP packets of written files (ISO 16684-1:2019).
package enum XMPWriter {
  /// Namespaces, in any version, of gain maps and of other pictures in the same file: a raw's
  /// packet that names one describes pictures that the written file does not have.
  private static let ofOtherPictures = [
    XMPNamespace.hdrgm, .container, .appleGainMap, .applePixelData,
  ].map { $0 == .container ? $0.uri : String($0.uri.dropLast("1.0/".count)) }

  /// The packet of a picture, UTF-8: the raw's own with its orientation set to upright, unless it
  /// is damaged, describes other pictures or is longer than `limit`; else a small one. `format` is
  /// the media type of the file; `descriptions` are elements `rdf:Description` to be added. Known
  /// failure: a packet with develop settings of another program keeps them.
  package static func packet(
    _ metadata: CaptureMetadata, format: String, descriptions: [String] = [], limit: Int = .max
  ) -> [UInt8] {
    if let own = metadata.xmp.flatMap({ upright($0, adding: descriptions) }), own.count <= limit {
      return own
    }
    var description = XMPDescription(.dublinCore, .photoshop, .tiff, .basic)
    description.add(.dublinCore, "format", format)
    description.add(.tiff, XMPName.orientation.name, "1")
    description.add(.basic, "CreatorTool", "rawdev")
    if let date = metadata.dateTimeOriginal.flatMap(isoDate) {
      description.add(.basic, "CreateDate", date)
      description.add(.photoshop, "DateCreated", date)
    }
    return packet(of: description.text + "\n", adding: descriptions)
  }

  /// A packet of these elements and nothing else.
  package static func packet(descriptions: [String]) -> [UInt8] {
    packet(of: "", adding: descriptions)
  }

  /// `packet` with `descriptions` behind its own; nil where it has no RDF.
  package static func adding(_ descriptions: [String], to packet: [UInt8]) -> [UInt8]? {
    var editor = XMPEditor(XMLTree(packet, .lenient))
    return editor.append(appended(descriptions).utf8) ? editor.bytes : nil
  }

  /// A note where the raw's packet is larger than the format holds.
  package static func notes(_ metadata: CaptureMetadata, limit: Int) -> [String] {
    (metadata.xmp?.count ?? 0) > limit
      ? ["the raw's XMP does not fit the format; a small packet was written instead"] : []
  }

  private static func appended(_ descriptions: [String]) -> String {
    descriptions.isEmpty ? "" : descriptions.joined(separator: "\n") + "\n "
  }

  private static func packet(of inside: String, adding descriptions: [String]) -> [UInt8] {
    let text = """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="\(XMPNamespace.meta.uri)">
       <rdf:RDF xmlns:rdf="\(XMPNamespace.rdf.uri)">
      \(inside) \(appended(descriptions))</rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>
      """
    return Array(text.utf8)
  }

  /// The raw's packet for the written file; nil where it is not to be passed on.
  private static func upright(_ packet: [UInt8], adding descriptions: [String]) -> [UInt8]? {
    guard let text = String(validating: packet, as: UTF8.self),
      !ofOtherPictures.contains(where: text.contains)
    else { return nil }
    let tree = XMLTree(packet, .lenient)
    var editor = XMPEditor(tree)
    for element in tree.elements {
      let own = element.name == .orientation ? element.text.first : nil
      let values = element.attributes.filter { $0.name == .orientation }.map(\.value)
      for range in (own.map { [$0] } ?? []) + values {
        let digits = packet[range].drop(while: XMLText.isSpace).prefix {
          (0x30...0x39).contains($0)
        }
        if !digits.isEmpty { editor.replace(digits.indices, with: "1".utf8) }
      }
    }
    return editor.append(appended(descriptions).utf8) ? editor.bytes : nil
  }

  /// `YYYY-MM-DDTHH:MM:SS` of Exif's `YYYY:MM:DD HH:MM:SS`; nil for anything else.
  private static func isoDate(_ exif: String) -> String? {
    let parts = exif.split(whereSeparator: { $0 == ":" || $0 == " " })
    guard parts.count == 6, parts.allSatisfy({ UInt($0) != nil }), parts[0].count == 4,
      parts.dropFirst().allSatisfy({ $0.count == 2 })
    else { return nil }
    return parts[0...2].joined(separator: "-") + "T" + parts[3...5].joined(separator: ":")
  }
}

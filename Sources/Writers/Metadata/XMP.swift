import ImageCore

/// The XMP packet of a written file (ISO 16684-1:2019).
///
/// A packet that came with the raw is passed on as it is, with its orientation set to upright,
/// unless it speaks of a gain map, which is not that of the written file; else a small one is made.
/// Known failure: a packet with develop settings of another program keeps them.
package enum XMP {
  /// Namespaces of statements on gain maps and on pictures in the same file.
  private static let ofOtherPictures = [
    "http://ns.adobe.com/hdr-gain-map/", "http://ns.google.com/photos/1.0/container/",
    "http://ns.apple.com/HDRGainMap/", "http://ns.apple.com/pixeldatainfo/",
  ]

  /// The packet, UTF-8. `format` is the media type of the file; `descriptions` are more elements
  /// `rdf:Description`. Where a packet from the raw makes it longer than `limit`, a small one is
  /// made.
  static func packet(
    _ metadata: CaptureMetadata, format: String, descriptions: [String] = [],
    limit: Int = .max
  ) -> [UInt8] {
    if let own = metadata.xmp.flatMap({ String(validating: $0, as: UTF8.self) }),
      own.contains("<rdf:RDF"), own.contains("</rdf:RDF>"),
      !ofOtherPictures.contains(where: own.contains)
    {
      let packet = Array(adding(descriptions, to: upright(own)).utf8)
      if packet.count <= limit { return packet }
    }
    var properties = """
          dc:format="\(format)"
          tiff:Orientation="1"
          xmp:CreatorTool="rawdev"
      """
    if let date = metadata.dateTimeOriginal.flatMap(isoDate) {
      properties += "\n    xmp:CreateDate=\"\(date)\"\n    photoshop:DateCreated=\"\(date)\""
    }
    let text = """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about=""
          xmlns:dc="http://purl.org/dc/elements/1.1/"
          xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
          xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
          xmlns:xmp="http://ns.adobe.com/xap/1.0/"
      \(properties)/>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>
      """
    return Array(adding(descriptions, to: text).utf8)
  }

  /// What to tell of a packet from the raw that is larger than a format holds.
  static func notes(_ metadata: CaptureMetadata, limit: Int) -> [String] {
    (metadata.xmp?.count ?? 0) > limit
      ? ["the raw's XMP does not fit the format; a small packet was written instead"] : []
  }

  /// A packet of these elements and nothing else.
  package static func packet(descriptions: [String]) -> [UInt8] {
    let text = """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>
      """
    return Array(adding(descriptions, to: text).utf8)
  }

  /// The packet with more elements at the end of its RDF.
  private static func adding(_ descriptions: [String], to packet: String) -> String {
    let end = "</rdf:RDF>"
    guard !descriptions.isEmpty, let found = packet.ranges(of: end).last else { return packet }
    return packet[..<found.lowerBound] + descriptions.joined(separator: "\n") + "\n "
      + packet[found.lowerBound...]
  }

  /// The packet with the value of tiff:Orientation, as attribute or element, set to 1.
  private static func upright(_ packet: String) -> String {
    var out = ""
    var rest = packet[...]
    let name = "tiff:Orientation"
    while let found = rest.firstRange(of: name) {
      out += rest[..<found.upperBound]
      rest = rest[found.upperBound...]
      let lead = rest.prefix { $0 == "=" || $0 == "\"" || $0 == "'" || $0 == ">" || $0 == " " }
      let number = rest.dropFirst(lead.count).prefix { $0.isNumber }
      if !lead.isEmpty, !number.isEmpty {
        out += lead + "1"
        rest = rest[number.endIndex...]
      }
    }
    return out + rest
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

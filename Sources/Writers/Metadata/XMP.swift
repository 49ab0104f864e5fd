import ImageCore

/// The XMP packet of a written file (ISO 16684-1:2019).
///
/// A packet that came with the raw is passed on as it is, with its orientation set to upright; else
/// a small one is made. Known failure: a packet with develop settings of another program keeps them.
enum XMP {
  /// The packet, UTF-8. `format` is the media type of the file.
  static func packet(_ metadata: CaptureMetadata, format: String) -> [UInt8] {
    if let own = metadata.xmp.flatMap({ String(validating: $0, as: UTF8.self) }),
      own.contains("<rdf:RDF"), own.contains("</rdf:RDF>")
    {
      return Array(upright(own).utf8)
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
    return Array(text.utf8)
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

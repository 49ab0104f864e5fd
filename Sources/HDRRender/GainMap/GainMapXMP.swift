import Foundation

// Gain map parameters as XMP: hdrgm (Adobe, Android) and HDRGainMap (Apple). Read as attributes or
// as elements, one number or an rdf:Seq of three; written as attributes, three different numbers as
// an rdf:Seq. Numbers are plain decimals, as XMP wants them (ISO 16684-1, 8.2.1.4), and read back
// as the doubles they were, above 1e-12.

extension HDRGMValues {
  package static let namespace = "http://ns.adobe.com/hdr-gain-map/1.0/"

  /// The values in an XMP packet; nil when it says nothing of a gain map. Throws when what it says
  /// is no number, lacks what is required, or is of an unknown version.
  public init?(xmp packet: [UInt8]) throws(GainMapError) {
    let xmp = XMPProperties(packet: packet)
    guard let version = xmp.values(Self.namespace, "Version").first else { return nil }
    guard version == "1.0" else {
      throw GainMapError(
        .unsupported,
        "hdrgm version \(version.prefix(16)) is unknown; show the picture without its map")
    }
    func numbers(_ name: String, default value: Double?) throws(GainMapError) -> [Double] {
      let texts = xmp.values(Self.namespace, name)
      if texts.isEmpty, let value { return [value] }
      let numbers = texts.compactMap(XMPNumber.parse)
      guard numbers.count == texts.count, numbers.count == 1 || numbers.count == 3 else {
        throw GainMapError(
          .damaged, "hdrgm:\(name) is missing or no number; show the picture without its map")
      }
      return numbers
    }
    self.init(
      gainMapMin: try numbers("GainMapMin", default: 0),
      gainMapMax: try numbers("GainMapMax", default: nil),
      gamma: try numbers("Gamma", default: 1),
      offsetSDR: try numbers("OffsetSDR", default: 1.0 / 64),
      offsetHDR: try numbers("OffsetHDR", default: 1.0 / 64),
      hdrCapacityMin: try numbers("HDRCapacityMin", default: 0)[0],
      hdrCapacityMax: try numbers("HDRCapacityMax", default: nil)[0],
      baseRenditionIsHDR: xmp.values(Self.namespace, "BaseRenditionIsHDR").first?.lowercased()
        == "true")
  }

  /// An `rdf:Description` with the values, for the packet of the gain map.
  public var xmpDescription: String {
    let lists = [
      ("GainMapMin", gainMapMin), ("GainMapMax", gainMapMax), ("Gamma", gamma),
      ("OffsetSDR", offsetSDR), ("OffsetHDR", offsetHDR), ("HDRCapacityMin", [hdrCapacityMin]),
      ("HDRCapacityMax", [hdrCapacityMax]),
    ]
    var attributes = "    hdrgm:Version=\"1.0\""
    var elements = ""
    for (name, values) in lists {
      let texts = values.map(XMPNumber.text)
      if Set(texts).count == 1 {
        attributes += "\n    hdrgm:\(name)=\"\(texts[0])\""
      } else {
        let items = texts.map { "<rdf:li>\($0)</rdf:li>" }.joined()
        elements += "\n   <hdrgm:\(name)><rdf:Seq>\(items)</rdf:Seq></hdrgm:\(name)>"
      }
    }
    attributes += "\n    hdrgm:BaseRenditionIsHDR=\"\(baseRenditionIsHDR ? "True" : "False")\""
    let head =
      "  <rdf:Description rdf:about=\"\"\n    xmlns:hdrgm=\"\(Self.namespace)\"\n\(attributes)"
    return elements.isEmpty ? head + "/>" : "\(head)>\(elements)\n  </rdf:Description>"
  }
}

extension AppleGainMap {
  static let namespace = "http://ns.apple.com/HDRGainMap/1.0/"

  /// What an XMP packet says; nil when it has no version, and the map is then not to be used.
  public init?(xmp packet: [UInt8]) {
    let xmp = XMPProperties(packet: packet)
    guard let text = xmp.values(Self.namespace, "HDRGainMapVersion").first, let version = Int(text)
    else { return nil }
    self.init(
      version: version,
      statedHeadroom: xmp.values(Self.namespace, "HDRGainMapHeadroom").first
        .flatMap(XMPNumber.parse))
  }

  /// An `rdf:Description` for the packet of the gain map.
  public var xmpDescription: String {
    let headroom = statedHeadroom.map { stated in
      "\n    HDRGainMap:HDRGainMapHeadroom=\"\(XMPNumber.text(stated))\""
    }
    return """
        <rdf:Description rdf:about=""
          xmlns:HDRGainMap="\(Self.namespace)"
          HDRGainMap:HDRGainMapVersion="\(version)"\(headroom ?? "")/>
      """
  }
}

/// Numbers as XMP writes them.
private enum XMPNumber {
  /// A finite number in plain or scientific decimals; nil for anything else.
  static func parse(_ text: String) -> Double? {
    guard text.utf8.count <= 64, text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
      let value = Double(text), value.isFinite
    else { return nil }
    return value
  }

  /// The shortest decimals that read back alike, without an exponent.
  static func text(_ value: Double) -> String {
    let short = "\(value)"
    return short.contains("e") ? String(format: "%.30f", value) : short
  }
}

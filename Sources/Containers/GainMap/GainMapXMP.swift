import Foundation
public import ImageCore

// Gain map parameters as XMP: hdrgm (Adobe, Android) and HDRGainMap (Apple). Read as attributes or
// as elements, one number or an rdf:Seq of three; written as attributes, three different numbers as
// an rdf:Seq. Numbers are plain decimals, as XMP requires (ISO 16684-1, 8.2.1.4), and read back
// as the same doubles, above 1e-12.

extension HDRGMValues {
  static let version = "1.0"

  /// Whether a packet describes a gain map, its own or one of another picture in the file.
  package static func isIn(_ packet: XMPPacket) -> Bool { packet[.hdrgm, "Version"] != nil }

  /// The values in an XMP packet; nil when it describes no gain map. Throws when a value is no
  /// number, a required one is missing, or the version is unknown.
  public init?(_ packet: XMPPacket) throws(GainMapError) {
    guard let version = packet.texts(.hdrgm, "Version").first else { return nil }
    guard version.isSame(as: Self.version) else {
      let printable = String(version.unicodeScalars.prefix(16)).asName
      throw GainMapError(
        .unsupported,
        "hdrgm version \(printable) is not supported; "
          + "show the picture without its map")
    }
    func numbers(_ name: String, default value: Double?) throws(GainMapError) -> [Double] {
      let texts = packet.texts(.hdrgm, name)
      if texts.isEmpty, let value { return [value] }
      let numbers = texts.compactMap(XMPNumber.parse)
      guard numbers.count == texts.count, numbers.count == 1 || numbers.count == 3 else {
        throw GainMapError(
          .damaged, "hdrgm:\(name) is missing or not a number; show the picture without its map")
      }
      return numbers
    }
    let isHDR = packet.texts(.hdrgm, "BaseRenditionIsHDR").first ?? ""
    self.init(
      gainMapMin: try numbers("GainMapMin", default: 0),
      gainMapMax: try numbers("GainMapMax", default: nil),
      gamma: try numbers("Gamma", default: 1),
      offsetSDR: try numbers("OffsetSDR", default: 1.0 / 64),
      offsetHDR: try numbers("OffsetHDR", default: 1.0 / 64),
      hdrCapacityMin: try numbers("HDRCapacityMin", default: 0)[0],
      hdrCapacityMax: try numbers("HDRCapacityMax", default: nil)[0],
      baseRenditionIsHDR: isHDR.lowercased().isSame(as: "true"))
  }

  /// The values in the bytes of an XMP packet.
  public init?(xmp packet: [UInt8]) throws(GainMapError) {
    try self.init(XMPPacket(lenient: packet))
  }

  /// An `rdf:Description` with the values, for the packet of the gain map.
  public var xmpDescription: String {
    var description = XMPDescription(.hdrgm)
    description.add(.hdrgm, "Version", Self.version)
    for (name, values) in [
      ("GainMapMin", gainMapMin), ("GainMapMax", gainMapMax), ("Gamma", gamma),
      ("OffsetSDR", offsetSDR), ("OffsetHDR", offsetHDR), ("HDRCapacityMin", [hdrCapacityMin]),
      ("HDRCapacityMax", [hdrCapacityMax]),
    ] {
      let texts = values.map(XMPNumber.text)
      if Set(texts).count == 1 {
        description.add(.hdrgm, name, texts[0])
      } else {
        description.add(.hdrgm, name, .sequence, texts)
      }
    }
    description.add(.hdrgm, "BaseRenditionIsHDR", baseRenditionIsHDR ? "True" : "False")
    return description.text
  }
}

extension AppleGainMap {
  /// The values in an XMP packet. One without a version counts only where the picture is Apple's
  /// map all the same: where `isAuxiliary`, or the packet itself, says so; else nil.
  public init?(_ packet: XMPPacket, isAuxiliary: Bool = false) {
    let headroom = packet.texts(.appleGainMap, "HDRGainMapHeadroom").first
      .flatMap(XMPNumber.parse)
    let version = packet.texts(.appleGainMap, "HDRGainMapVersion").first.flatMap { Int($0) }
    let use = packet.texts(.applePixelData, "AuxiliaryImageType").first ?? ""
    guard version != nil || isAuxiliary || use.isSame(as: HEIFProperty.appleGainMap) else {
      return nil
    }
    self.init(
      version: version
        ?? (headroom == nil ? Self.versionWithoutHeadroom : Self.versionWithHeadroom),
      declaredHeadroom: headroom)
  }

  /// The values in the bytes of an XMP packet.
  public init?(xmp packet: [UInt8]) { self.init(XMPPacket(lenient: packet)) }

  /// An `rdf:Description` for the packet of the gain map.
  public var xmpDescription: String {
    var description = XMPDescription(.appleGainMap)
    description.add(.appleGainMap, "HDRGainMapVersion", "\(version)")
    if let declaredHeadroom {
      description.add(.appleGainMap, "HDRGainMapHeadroom", XMPNumber.text(declaredHeadroom))
    }
    return description.text
  }

  /// An `rdf:Description` that Apple's readers need in the second picture of a JPEG, beside
  /// ``xmpDescription``; the number spells L008, eight bits of one channel.
  package static var pixelDataDescription: String {
    var description = XMPDescription(.applePixelData)
    description.add(.applePixelData, "AuxiliaryImageType", HEIFProperty.appleGainMap)
    description.add(.applePixelData, "NativeFormat", "1278226488")
    description.add(.applePixelData, "StoredFormat", "1278226488")
    return description.text
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

  /// The shortest decimals that read back as the same number, without an exponent.
  static func text(_ value: Double) -> String {
    let short = "\(value)"
    return short.contains("e") ? String(format: "%.30f", value) : short
  }
}

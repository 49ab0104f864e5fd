import Foundation
public import ImageCore

// Gain map parameters as XMP: hdrgm (Adobe, Android) and HDRGainMap (Apple). Read as attributes or
// as elements, one number or an rdf:Seq of three; written as attributes, three different numbers as
// an rdf:Seq. Numbers are plain decimals, as XMP wants them (ISO 16684-1, 8.2.1.4), and read back
// as the doubles they were, above 1e-12.

extension HDRGMValues {
  static let version = "1.0"

  /// The properties of numbers, in the order in which they are written.
  private enum Property: String, CaseIterable {
    case gainMapMin = "GainMapMin"
    case gainMapMax = "GainMapMax"
    case gamma = "Gamma"
    case offsetSDR = "OffsetSDR"
    case offsetHDR = "OffsetHDR"
    case hdrCapacityMin = "HDRCapacityMin"
    case hdrCapacityMax = "HDRCapacityMax"

    /// What holds where the property is not there; nil where it has to be.
    var defaultValue: Double? {
      switch self {
      case .gainMapMin, .hdrCapacityMin: 0
      case .gamma: 1
      case .offsetSDR, .offsetHDR: 1.0 / 64
      case .gainMapMax, .hdrCapacityMax: nil
      }
    }
  }

  /// Whether a packet speaks of a gain map, its own or one of another picture in the file.
  package static func isIn(_ packet: XMPPacket) -> Bool { packet[.hdrgm, "Version"] != nil }

  /// The values in an XMP packet; nil when it says nothing of a gain map. Throws when what it says
  /// is no number, lacks what is required, or is of an unknown version.
  public init?(_ packet: XMPPacket) throws(GainMapError) {
    guard let version = packet.texts(.hdrgm, "Version").first else { return nil }
    guard version == Self.version else {
      throw GainMapError(
        .unsupported,
        "hdrgm version \(version.prefix(16)) is unknown; show the picture without its map")
    }
    func numbers(_ property: Property) throws(GainMapError) -> [Double] {
      let texts = packet.texts(.hdrgm, property.rawValue)
      if texts.isEmpty, let value = property.defaultValue { return [value] }
      let numbers = texts.compactMap(XMPNumber.parse)
      guard numbers.count == texts.count, numbers.count == 1 || numbers.count == 3 else {
        throw GainMapError(
          .damaged,
          "hdrgm:\(property.rawValue) is missing or no number; show the picture without its map")
      }
      return numbers
    }
    self.init(
      gainMapMin: try numbers(.gainMapMin), gainMapMax: try numbers(.gainMapMax),
      gamma: try numbers(.gamma), offsetSDR: try numbers(.offsetSDR),
      offsetHDR: try numbers(.offsetHDR), hdrCapacityMin: try numbers(.hdrCapacityMin)[0],
      hdrCapacityMax: try numbers(.hdrCapacityMax)[0],
      baseRenditionIsHDR: packet.texts(.hdrgm, "BaseRenditionIsHDR").first?.lowercased() == "true")
  }

  /// The values in the bytes of an XMP packet.
  public init?(xmp packet: [UInt8]) throws(GainMapError) {
    try self.init(XMPPacket(lenient: packet))
  }

  /// An `rdf:Description` with the values, for the packet of the gain map.
  public var xmpDescription: String {
    var description = XMPDescription(.hdrgm)
    description.add(.hdrgm, "Version", Self.version)
    for property in Property.allCases {
      let texts = values(property).map(XMPNumber.text)
      if Set(texts).count == 1 {
        description.add(.hdrgm, property.rawValue, texts[0])
      } else {
        description.add(.hdrgm, property.rawValue, sequence: texts)
      }
    }
    description.add(.hdrgm, "BaseRenditionIsHDR", baseRenditionIsHDR ? "True" : "False")
    return description.text
  }

  private func values(_ property: Property) -> [Double] {
    switch property {
    case .gainMapMin: gainMapMin
    case .gainMapMax: gainMapMax
    case .gamma: gamma
    case .offsetSDR: offsetSDR
    case .offsetHDR: offsetHDR
    case .hdrCapacityMin: [hdrCapacityMin]
    case .hdrCapacityMax: [hdrCapacityMax]
    }
  }
}

extension AppleGainMap {
  private static let versionName = "HDRGainMapVersion"
  private static let headroomName = "HDRGainMapHeadroom"
  /// The name of Apple's gain maps among auxiliary pictures.
  package static let auxiliaryType = "urn:com:apple:photo:2020:aux:hdrgainmap"

  /// What an XMP packet says; nil when it has no version, and the map is then not to be used.
  public init?(_ packet: XMPPacket) {
    guard let text = packet.texts(.appleGainMap, Self.versionName).first, let version = Int(text)
    else { return nil }
    self.init(
      version: version,
      statedHeadroom: packet.texts(.appleGainMap, Self.headroomName).first
        .flatMap(XMPNumber.parse))
  }

  /// What the bytes of an XMP packet say.
  public init?(xmp packet: [UInt8]) { self.init(XMPPacket(lenient: packet)) }

  /// An `rdf:Description` for the packet of the gain map.
  public var xmpDescription: String {
    var description = XMPDescription(.appleGainMap)
    description.add(.appleGainMap, Self.versionName, "\(version)")
    if let statedHeadroom {
      description.add(.appleGainMap, Self.headroomName, XMPNumber.text(statedHeadroom))
    }
    return description.text
  }

  /// What Apple's readers look for in the second picture of a JPEG, beside ``xmpDescription``; the
  /// number spells L008, eight bits of one channel.
  package static var pixelDataDescription: String {
    var description = XMPDescription(.applePixelData)
    description.add(.applePixelData, "AuxiliaryImageType", auxiliaryType)
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

  /// The shortest decimals that read back alike, without an exponent.
  static func text(_ value: Double) -> String {
    let short = "\(value)"
    return short.contains("e") ? String(format: "%.30f", value) : short
  }
}

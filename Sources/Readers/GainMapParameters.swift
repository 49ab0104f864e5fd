package import Containers
public import ImageCore

/// The parameters of a file's gain map, in each of the formats in which it declares them; with the
/// values of a property list or a JSON file.
///
/// As JSON: `iso` with `baseHeadroomStops`, `alternateHeadroomStops`, `usesBaseColorSpace` and one
/// or three `channels`; `ultraHDR` with the names of hdrgm; `apple` with `HDRGainMapVersion`,
/// `HDRGainMapHeadroom`, `MakerApple33` and `MakerApple48`. Gains and headrooms are in stops, but
/// for Apple's headroom, a ratio.
public struct GainMapParameters: Sendable, Hashable {
  /// The record of ISO 21496-1, or the same in Apple's XMP.
  public var iso: GainMapMetadata?
  /// XMP of Adobe and Android.
  public var ultraHDR: HDRGMValues?
  /// XMP of Apple.
  public var apple: AppleGainMap?
  /// MakerApple 33 and 48, which hold for Apple's format where it declares no headroom.
  public var maker: AppleGainMap.MakerValues?

  /// Parameters; none by default.
  public init(
    iso: GainMapMetadata? = nil, ultraHDR: HDRGMValues? = nil, apple: AppleGainMap? = nil,
    maker: AppleGainMap.MakerValues? = nil
  ) {
    (self.iso, self.ultraHDR, self.apple, self.maker) = (iso, ultraHDR, apple, maker)
  }

  /// The parameters in the segments of a gain map's own JPEG, as far as they can be read.
  package init(_ picture: JPEGSegments, maker: AppleGainMap.MakerValues? = nil) {
    let xmp = XMPPacket(lenient: picture.xmp ?? [], limits: picture.file.limits)
    let record = picture.gainMapRecord.flatMap { try? GainMapMetadata(isoRecord: $0) }
    self.init(
      iso: record ?? (try? GainMapMetadata(appleToneMap: xmp)) ?? nil,
      ultraHDR: (try? HDRGMValues(xmp)) ?? nil, apple: AppleGainMap(xmp), maker: maker)
  }

  /// The formats present, in order of preference.
  public var formats: [GainMapFormat] {
    (iso == nil ? [] : [.iso]) + (ultraHDR == nil ? [] : [.ultraHDR])
      + (apple == nil ? [] : [.apple])
  }

  /// The headroom in Apple's format, a ratio: the declared one, else the one that the two
  /// MakerApple numbers encode; nil without either.
  public var appleHeadroom: Double? { apple?.headroom(maker: maker) }
}

extension GainMapParameters: Codable {
  private enum Key: String, CodingKey {
    case iso, ultraHDR, apple
    case formats = "forms"
  }

  private struct ISO: Codable {
    struct Channel: Codable {
      var gainMapMin, gainMapMax, gamma, baseOffset, alternateOffset: Double
    }
    var baseHeadroomStops, alternateHeadroomStops: Double
    var usesBaseColorSpace: Bool
    var channels: [Channel]
  }

  /// Keys are the names of the XMP properties.
  private struct UltraHDR: Codable {
    enum CodingKeys: String, CodingKey {
      case gainMapMin = "GainMapMin"
      case gainMapMax = "GainMapMax"
      case gamma = "Gamma"
      case offsetSDR = "OffsetSDR"
      case offsetHDR = "OffsetHDR"
      case hdrCapacityMin = "HDRCapacityMin"
      case hdrCapacityMax = "HDRCapacityMax"
      case baseRenditionIsHDR = "BaseRenditionIsHDR"
    }
    var gainMapMin, gainMapMax, gamma, offsetSDR, offsetHDR: [Double]
    var hdrCapacityMin, hdrCapacityMax: Double
    var baseRenditionIsHDR: Bool
  }

  private struct Apple: Codable {
    enum CodingKeys: String, CodingKey {
      case hdrGainMapVersion = "HDRGainMapVersion"
      case hdrGainMapHeadroom = "HDRGainMapHeadroom"
      case makerApple33 = "MakerApple33"
      case makerApple48 = "MakerApple48"
    }
    var hdrGainMapVersion: Int?
    var hdrGainMapHeadroom, makerApple33, makerApple48: Double?
  }

  /// Reads what ``encode(to:)`` writes. Throws a `DecodingError` or, where values contradict each
  /// other, a `GainMapError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init()
    if let stored = try values.decodeIfPresent(ISO.self, forKey: .iso) {
      iso = try GainMapMetadata(
        channels: stored.channels.map {
          try GainMapMetadata.Channel(
            minimumStops: $0.gainMapMin, maximumStops: $0.gainMapMax, gamma: $0.gamma,
            baseOffset: $0.baseOffset, alternateOffset: $0.alternateOffset)
        },
        baseHeadroomStops: stored.baseHeadroomStops,
        alternateHeadroomStops: stored.alternateHeadroomStops,
        usesBaseColorSpace: stored.usesBaseColorSpace)
    }
    if let stored = try values.decodeIfPresent(UltraHDR.self, forKey: .ultraHDR) {
      let values = HDRGMValues(
        gainMapMin: stored.gainMapMin, gainMapMax: stored.gainMapMax, gamma: stored.gamma,
        offsetSDR: stored.offsetSDR, offsetHDR: stored.offsetHDR,
        hdrCapacityMin: stored.hdrCapacityMin, hdrCapacityMax: stored.hdrCapacityMax,
        baseRenditionIsHDR: stored.baseRenditionIsHDR)
      _ = try GainMapMetadata(values)
      ultraHDR = values
    }
    if let stored = try values.decodeIfPresent(Apple.self, forKey: .apple) {
      if let version = stored.hdrGainMapVersion {
        apple = AppleGainMap(version: version, declaredHeadroom: stored.hdrGainMapHeadroom)
      }
      if let headroom = stored.makerApple33, let gain = stored.makerApple48 {
        maker = AppleGainMap.MakerValues(headroom33: headroom, gain48: gain)
      }
    }
  }

  /// Writes the formats present, and their names.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(formats, forKey: .formats)
    if let iso {
      let channels = iso.channels.map {
        ISO.Channel(
          gainMapMin: $0.minimumStops, gainMapMax: $0.maximumStops, gamma: $0.gamma,
          baseOffset: $0.baseOffset, alternateOffset: $0.alternateOffset)
      }
      try values.encode(
        ISO(
          baseHeadroomStops: iso.baseHeadroomStops,
          alternateHeadroomStops: iso.alternateHeadroomStops,
          usesBaseColorSpace: iso.usesBaseColorSpace, channels: channels), forKey: .iso)
    }
    if let v = ultraHDR {
      try values.encode(
        UltraHDR(
          gainMapMin: v.gainMapMin, gainMapMax: v.gainMapMax, gamma: v.gamma,
          offsetSDR: v.offsetSDR, offsetHDR: v.offsetHDR, hdrCapacityMin: v.hdrCapacityMin,
          hdrCapacityMax: v.hdrCapacityMax, baseRenditionIsHDR: v.baseRenditionIsHDR),
        forKey: .ultraHDR)
    }
    guard apple != nil || maker != nil else { return }
    try values.encode(
      Apple(
        hdrGainMapVersion: apple?.version, hdrGainMapHeadroom: apple?.declaredHeadroom,
        makerApple33: maker?.headroom33, makerApple48: maker?.gain48), forKey: .apple)
  }
}

public import HDRRender

/// All that a file says of its gain map, in each of the forms in which it says it; with the values of a
/// property list or a JSON file.
///
/// As JSON: `iso` with `baseHeadroomStops`, `alternateHeadroomStops`, `usesBaseColorSpace` and one or three
/// `channels`; `ultraHDR` with the names of hdrgm; `apple` with `HDRGainMapVersion`, `HDRGainMapHeadroom`,
/// `MakerApple33` and `MakerApple48`. Gains and headrooms are in stops, but for Apple's headroom, a ratio.
public struct GainMapStatements: Sendable, Hashable {
  /// The record of ISO 21496-1.
  public var iso: GainMapMetadata?
  /// XMP of Adobe and Android.
  public var ultraHDR: HDRGMValues?
  /// XMP of Apple.
  public var apple: AppleGainMap?
  /// MakerApple 33 and 48, which hold for Apple's form where it states no headroom.
  public var maker: AppleGainMap.MakerValues?

  /// Statements; none by default.
  public init(
    iso: GainMapMetadata? = nil, ultraHDR: HDRGMValues? = nil, apple: AppleGainMap? = nil,
    maker: AppleGainMap.MakerValues? = nil
  ) {
    (self.iso, self.ultraHDR, self.apple, self.maker) = (iso, ultraHDR, apple, maker)
  }

  /// The forms that are there, the one that readers use first in front.
  public var forms: [GainMapDescription.Form] {
    (iso == nil ? [] : [.iso]) + (ultraHDR == nil ? [] : [.ultraHDR])
      + (apple == nil ? [] : [.apple])
  }

  /// The headroom of Apple's form, a ratio: the stated one before that of the maker's two numbers; nil
  /// where neither is there.
  public var appleHeadroom: Double? { apple?.headroom(maker: maker) }
}

extension GainMapStatements: Codable {
  private enum Key: String, CodingKey {
    case iso, ultraHDR, apple, forms
  }

  private struct ISO: Codable {
    struct Channel: Codable {
      var gainMapMin, gainMapMax, gamma, baseOffset, alternateOffset: Double
    }
    var baseHeadroomStops, alternateHeadroomStops: Double
    var usesBaseColorSpace: Bool
    var channels: [Channel]
  }

  private struct UltraHDR: Codable {
    var GainMapMin, GainMapMax, Gamma, OffsetSDR, OffsetHDR: [Double]
    var HDRCapacityMin, HDRCapacityMax: Double
    var BaseRenditionIsHDR: Bool
  }

  private struct Apple: Codable {
    var HDRGainMapVersion: Int?
    var HDRGainMapHeadroom, MakerApple33, MakerApple48: Double?
  }

  /// Reads what ``encode(to:)`` writes. Throws a `DecodingError` or, where values contradict each other, a
  /// `GainMapError`.
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
        gainMapMin: stored.GainMapMin, gainMapMax: stored.GainMapMax, gamma: stored.Gamma,
        offsetSDR: stored.OffsetSDR, offsetHDR: stored.OffsetHDR,
        hdrCapacityMin: stored.HDRCapacityMin, hdrCapacityMax: stored.HDRCapacityMax,
        baseRenditionIsHDR: stored.BaseRenditionIsHDR)
      _ = try GainMapMetadata(values)
      ultraHDR = values
    }
    if let stored = try values.decodeIfPresent(Apple.self, forKey: .apple) {
      if let version = stored.HDRGainMapVersion {
        apple = AppleGainMap(version: version, statedHeadroom: stored.HDRGainMapHeadroom)
      }
      if let headroom = stored.MakerApple33, let gain = stored.MakerApple48 {
        maker = AppleGainMap.MakerValues(headroom33: headroom, gain48: gain)
      }
    }
  }

  /// Writes the forms that are there, and their names.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(forms, forKey: .forms)
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
          GainMapMin: v.gainMapMin, GainMapMax: v.gainMapMax, Gamma: v.gamma,
          OffsetSDR: v.offsetSDR, OffsetHDR: v.offsetHDR, HDRCapacityMin: v.hdrCapacityMin,
          HDRCapacityMax: v.hdrCapacityMax, BaseRenditionIsHDR: v.baseRenditionIsHDR),
        forKey: .ultraHDR)
    }
    guard apple != nil || maker != nil else { return }
    try values.encode(
      Apple(
        HDRGainMapVersion: apple?.version, HDRGainMapHeadroom: apple?.statedHeadroom,
        MakerApple33: maker?.headroom33, MakerApple48: maker?.gain48), forKey: .apple)
  }
}

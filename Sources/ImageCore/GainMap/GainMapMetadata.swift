import Foundation

/// The parameters of a gain map, independent of how the file stores them (ISO 21496-1:2025; hdrgm
/// and the records of older drafts hold the same values).
///
/// A picture ("base") and its map make another rendition of it ("alternate"). With v, the map's
/// sample of 0…1, and linear values in multiples of reference white,
///
///     G = min + (max − min) · v^(1/γ)                       stops
///     out = (base + k_base) · 2^(w · G) − k_alternate
///     w = clamp((H − H_base) / (H_alternate − H_base), 0, 1), negative where H_alternate < H_base
///
/// H is the display's headroom in stops. The map always holds log2 of HDR over SDR, hence the sign
/// where the base is the HDR rendition. Equal headrooms: nothing is applied. Units: all gains and
/// headrooms in stops (log2), offsets in multiples of reference white. Domain: gains of −64…64
/// stops, max ≥ min, γ of 2^−10…2^10, offsets of −16…16, headrooms of 0…64; other values are
/// refused. Files have up to some 7 stops, γ of 0.2…5 and offsets of up to 0.1; far larger values
/// would turn the picture black or white.
public struct GainMapMetadata: Sendable, Hashable {
  /// The parameters of one of the three channels.
  public struct Channel: Sendable, Hashable {
    /// Gain of the sample 0, stops.
    public let minimumStops: Double
    /// Gain of the sample 1, stops.
    public let maximumStops: Double
    /// Exponent with which the normalized gain was stored.
    public let gamma: Double
    /// Added to the base before the gain.
    public let baseOffset: Double
    /// Subtracted after the gain.
    public let alternateOffset: Double

    /// The default offset of the formats.
    public static let defaultOffset = 1.0 / 64

    private static let gammas = 0x1p-10...0x1p10
    private static let maxOffset = 16.0

    /// Throws when a value is outside the domain or the maximum lies below the minimum.
    public init(
      minimumStops: Double = 0, maximumStops: Double, gamma: Double = 1,
      baseOffset: Double = defaultOffset, alternateOffset: Double = defaultOffset
    ) throws(GainMapError) {
      let values = [minimumStops, maximumStops, gamma, baseOffset, alternateOffset]
      guard values.allSatisfy(\.isFinite) else {
        throw GainMapError(
          .damaged, "a parameter is not a number; show the picture without its map")
      }
      guard Self.gammas.contains(gamma) else {
        throw GainMapError(
          .damaged,
          "gamma is \(gamma), not within 2^-10…2^10; show the picture without its map")
      }
      guard maximumStops >= minimumStops else {
        throw GainMapError(
          .damaged,
          "the largest gain, \(maximumStops) stops, lies below the smallest, \(minimumStops); "
            + "show the picture without its map")
      }
      for stops in [minimumStops, maximumStops] where abs(stops) > GainMapMetadata.maxStops {
        throw GainMapError(
          .damaged,
          "a gain is \(stops) stops, more than \(Int(GainMapMetadata.maxStops)) up or down; "
            + "show the picture without its map")
      }
      for offset in [baseOffset, alternateOffset] where abs(offset) > Self.maxOffset {
        throw GainMapError(
          .damaged,
          "an offset is \(offset) times white, more than \(Int(Self.maxOffset)) up or down; "
            + "show the picture without its map")
      }
      self.minimumStops = minimumStops
      self.maximumStops = maximumStops
      self.gamma = gamma
      self.baseOffset = baseOffset
      self.alternateOffset = alternateOffset
    }
  }

  /// The largest gain and headroom: above those of any plausible file, and within the range of
  /// floats.
  package static let maxStops = 64.0

  /// One for all channels, or three: red, green, blue.
  public let channels: [Channel]
  /// log2 of the headroom that the base is made for.
  public let baseHeadroomStops: Double
  /// log2 of the headroom that the alternate is made for.
  public let alternateHeadroomStops: Double
  /// Whether the gain acts in the primaries of the base, else in those of the alternate.
  public let usesBaseColorSpace: Bool

  /// Throws when there are not one or three channels, or a headroom is outside the domain.
  public init(
    channels: [Channel], baseHeadroomStops: Double = 0, alternateHeadroomStops: Double,
    usesBaseColorSpace: Bool = true
  ) throws(GainMapError) {
    guard channels.count == 1 || channels.count == 3 else {
      throw GainMapError(.badSetting, "\(channels.count) channels given; give one or three")
    }
    for stops in [baseHeadroomStops, alternateHeadroomStops]
    where !(0...Self.maxStops).contains(stops) {
      throw GainMapError(
        .damaged,
        "a headroom is \(stops) stops, not within 0…\(Int(Self.maxStops)); "
          + "show the picture without its map")
    }
    self.channels = channels
    self.baseHeadroomStops = baseHeadroomStops
    self.alternateHeadroomStops = alternateHeadroomStops
    self.usesBaseColorSpace = usesBaseColorSpace
  }

  /// The parameters of red (0), green (1) or blue (2).
  public func channel(_ index: Int) -> Channel {
    channels.count == 3 ? channels[index] : channels[0]
  }

  /// Whether the base is the rendition with the higher headroom.
  public var isBaseHDR: Bool { alternateHeadroomStops < baseHeadroomStops }

  /// The weight w of the gain, −1…1, for a display that shows `displayHeadroom` times reference
  /// white.
  public func weight(displayHeadroom: Double) -> Double {
    let span = alternateHeadroomStops - baseHeadroomStops
    guard span != 0 else { return 0 }
    let stops = log2(displayHeadroom > 1 ? displayHeadroom : 1)
    let fraction = min(max((stops - baseHeadroomStops) / span, 0), 1)
    return span < 0 ? -fraction : fraction
  }
}

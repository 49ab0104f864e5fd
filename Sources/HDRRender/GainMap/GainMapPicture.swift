import Foundation
public import ImageCore

/// A picture with its gain map: two renditions, and all between them by interpolation.
public struct GainMapPicture: Sendable {
  /// The formula by which the map is applied.
  public enum Formula: Sendable, Hashable {
    /// By ISO 21496-1, and by hdrgm, whose parameters are the same.
    case iso(GainMapMetadata)
    /// By Apple's formula of 2020; the headroom of the fully applied map, as a ratio.
    case apple(headroom: Double)

    /// The headrooms of the two renditions, as ratios to reference white.
    public var headrooms: ClosedRange<Double> {
      switch self {
      case .iso(let metadata):
        let ends = [metadata.baseHeadroomStops, metadata.alternateHeadroomStops].map {
          exp2(min($0, 64))
        }
        return min(ends[0], ends[1])...max(ends[0], ends[1])
      case .apple(let headroom): return 1...max(headroom.isFinite ? headroom : 1, 1)
      }
    }
  }

  /// The picture as stored, as linear values.
  public let base: any PixelSource<DisplayReferred>
  /// The stored map, of any size.
  public let map: GainMapImage
  /// The formula by which the map is applied.
  public let formula: Formula
  /// Primaries of the other rendition, in which the gain acts unless the formula uses the base's.
  public let alternatePrimaries: Primaries

  /// `alternatePrimaries` default to the base's.
  public init(
    base: any PixelSource<DisplayReferred>, map: GainMapImage, formula: Formula,
    alternatePrimaries: Primaries? = nil
  ) {
    self.base = base
    self.map = map
    self.formula = formula
    self.alternatePrimaries = alternatePrimaries ?? base.info.primaries
  }

  /// The headrooms of the two renditions, as ratios to reference white.
  public var headrooms: ClosedRange<Double> { formula.headrooms }

  /// The picture for a display of `displayHeadroom`, a ratio to reference white; values below 1 are
  /// treated as 1. The base itself where the map changes nothing.
  public func rendition(displayHeadroom: Double) -> any PixelSource<DisplayReferred> {
    let rows: any GainMapOperator
    var primaries = base.info.primaries
    switch formula {
    case .iso(let metadata):
      rows = GainMapApplication(metadata, displayHeadroom: displayHeadroom)
      if !metadata.usesBaseColorSpace { primaries = alternatePrimaries }
    case .apple(let headroom):
      rows = AppleGainMapApplication(headroom: headroom, displayHeadroom: displayHeadroom)
    }
    if rows.isIdentity { return base }
    return GainMapRendition(base: base, map: map, rows: rows, primaries: primaries)
  }
}

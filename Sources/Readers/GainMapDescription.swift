import Foundation
public import HDRRender
public import ImageCore

/// The gain map of a file, as its metadata describes it.
public struct GainMapDescription: Sendable, Hashable {
  /// The formats of its metadata, in order of preference: ISO, then Ultra HDR, then Apple.
  public var formats: [GainMapFormat]
  /// Columns and rows of the map as stored.
  public var size: PixelSize
  /// 1, or 3: red, green, blue.
  public var channels: Int
  /// Bits of a sample.
  public var bitDepth: Int
  /// The formula that applies the map.
  public var formula: GainMapPicture.Formula
  /// Primaries in which the gain is applied, if not the base's.
  public var alternatePrimaries: Primaries?

  /// A description of a map.
  public init(
    formats: [GainMapFormat], size: PixelSize, channels: Int, bitDepth: Int,
    formula: GainMapPicture.Formula, alternatePrimaries: Primaries? = nil
  ) {
    (self.formats, self.size, self.channels) = (formats, size, channels)
    (self.bitDepth, self.formula) = (bitDepth, formula)
    self.alternatePrimaries = alternatePrimaries
  }

  /// Headroom of the HDR rendition, a ratio to reference white.
  public var headroom: Double { formula.headrooms.upperBound }
}

import Foundation
public import HDRRender
public import ImageCore

/// The gain map of a file, as its metadata describes it.
public struct GainMapDescription: Sendable, Hashable {
  /// How the parameters are stored.
  public enum Form: String, Sendable, Hashable, Codable, CaseIterable {
    /// Apple's auxiliary picture of 2020.
    case apple
    /// The binary record of ISO 21496-1.
    case iso
    /// XMP of Adobe and Android (Ultra HDR).
    case ultraHDR = "ultra-hdr"
  }

  /// The formats of its metadata, in order of preference: ISO, then Ultra HDR, then Apple.
  public var forms: [Form]
  /// Columns and rows of the map as stored.
  public var size: PixelSize
  /// 1, or 3: red, green, blue.
  public var channels: Int
  /// Bits of a sample.
  public var bitDepth: Int
  /// The formula that applies the map.
  public var formula: GainMapPicture.Formula
  /// Primaries in which the gain acts, when not the base's.
  public var alternatePrimaries: Primaries?

  /// A description of a map.
  public init(
    forms: [Form], size: PixelSize, channels: Int, bitDepth: Int,
    formula: GainMapPicture.Formula, alternatePrimaries: Primaries? = nil
  ) {
    (self.forms, self.size, self.channels) = (forms, size, channels)
    (self.bitDepth, self.formula) = (bitDepth, formula)
    self.alternatePrimaries = alternatePrimaries
  }

  /// Headroom of the HDR rendition, a ratio to reference white.
  public var headroom: Double {
    switch formula {
    case .iso(let metadata):
      return exp2(min(max(metadata.baseHeadroomStops, metadata.alternateHeadroomStops), 64))
    case .apple(let headroom): return max(headroom, 1)
    }
  }
}

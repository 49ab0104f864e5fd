import Foundation
public import HDRRender
public import ImageCore

/// A gain map to be stored in a file, with the metadata of its alternate rendition.
///
/// Apple's programs expect a map of half the picture's columns and rows, rounded, as
/// `GainMapCreation` computes.
public struct StoredGainMap: Sendable, Hashable {
  /// The samples.
  public var image: GainMapImage
  /// Their parameters by ISO 21496-1.
  public var metadata: GainMapMetadata
  /// Primaries of the alternate rendition.
  public var alternatePrimaries: Primaries
  /// HDR metadata of the alternate rendition.
  public var alternateHDRMetadata: HDRMetadata
  /// For a map from another file: its declarations there. Its samples are unchanged, in the formats
  /// that the new file supports too, or in ISO's. nil for a new map, in all formats.
  public var origin: Origin?

  /// How a file declares its map.
  public struct Origin: Sendable, Hashable {
    /// The formats in which it is declared.
    public var forms: Set<GainMapFormat>
    /// Apple's headroom, a ratio, where that is one of them.
    public var appleHeadroom: Double?
    /// The headroom in Apple's maker note, which may differ.
    public var makerHeadroom: Double?

    /// The formats, and Apple's headroom, a ratio, required for Apple's format.
    public init(
      _ forms: Set<GainMapFormat>, appleHeadroom: Double? = nil, makerHeadroom: Double? = nil
    ) {
      self.forms = appleHeadroom == nil ? forms.subtracting([.apple]) : forms
      (self.appleHeadroom, self.makerHeadroom) = (appleHeadroom, makerHeadroom)
    }
  }

  /// A map whose alternate rendition is in `alternatePrimaries`.
  public init(
    _ image: GainMapImage, metadata: GainMapMetadata, alternatePrimaries: Primaries,
    alternateHDRMetadata: HDRMetadata = HDRMetadata()
  ) {
    self.image = image
    self.metadata = metadata
    self.alternatePrimaries = alternatePrimaries
    self.alternateHDRMetadata = alternateHDRMetadata
  }

  /// The map of a file in Apple's form alone, of a headroom above 1, a ratio; nil without one.
  public init?(apple image: GainMapImage, headroom: Double, primaries: Primaries) {
    let stops = log2(headroom)
    guard
      let channel = try? GainMapMetadata.Channel(
        maximumStops: stops, gamma: GainMapEncoding.commonGamma(stops: stops), baseOffset: 0,
        alternateOffset: 0),
      let metadata = try? GainMapMetadata(
        channels: [channel], baseHeadroomStops: 0, alternateHeadroomStops: stops)
    else { return nil }
    self.init(image, metadata: metadata, alternatePrimaries: primaries)
    origin = Origin([.apple], appleHeadroom: headroom)
  }

  /// A map computed from two renditions, the alternate one in `alternatePrimaries`. Its content
  /// light levels are included if it is the HDR one.
  public init(_ created: GainMapCreation.Result, alternatePrimaries: Primaries) {
    var hdrMetadata = HDRMetadata()
    if !created.metadata.isBaseHDR {
      hdrMetadata.contentLight = HDRMetadata.ContentLight(created.highLight)
    }
    self.init(
      created.image, metadata: created.metadata, alternatePrimaries: alternatePrimaries,
      alternateHDRMetadata: hdrMetadata)
  }
}

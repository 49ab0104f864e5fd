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
  public var alternateLight: HDRMetadata

  /// A map whose alternate rendition is in `alternatePrimaries`.
  public init(
    _ image: GainMapImage, metadata: GainMapMetadata, alternatePrimaries: Primaries,
    alternateLight: HDRMetadata = HDRMetadata()
  ) {
    self.image = image
    self.metadata = metadata
    self.alternatePrimaries = alternatePrimaries
    self.alternateLight = alternateLight
  }

  /// A map computed from two renditions, the alternate one in `alternatePrimaries`. Its light
  /// levels are included where it is the HDR one.
  public init(_ created: GainMapCreation.Result, alternatePrimaries: Primaries) {
    var light = HDRMetadata()
    if !created.metadata.isBaseHDR {
      light.contentLight = HDRMetadata.ContentLight(created.highLight)
    }
    self.init(
      created.image, metadata: created.metadata, alternatePrimaries: alternatePrimaries,
      alternateLight: light)
  }
}

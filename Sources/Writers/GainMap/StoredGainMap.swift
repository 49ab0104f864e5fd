public import HDRRender
public import ImageCore

/// A gain map as it goes into a file, with what the file says of the rendition that it makes.
///
/// Apple's programs ask for a map of half the picture's columns and rows, rounded;
/// `GainMapCreation` makes such.
public struct StoredGainMap: Sendable, Hashable {
  /// The samples.
  public var image: GainMapImage
  /// What they mean, by ISO 21496-1.
  public var metadata: GainMapMetadata
  /// The primaries that the other rendition was made in.
  public var alternatePrimaries: Primaries
  /// What is known of the light of the other rendition.
  public var alternateLight: HDRMetadata

  /// A map that leads to a rendition in `alternatePrimaries`.
  public init(
    _ image: GainMapImage, metadata: GainMapMetadata, alternatePrimaries: Primaries,
    alternateLight: HDRMetadata = HDRMetadata()
  ) {
    self.image = image
    self.metadata = metadata
    self.alternatePrimaries = alternatePrimaries
    self.alternateLight = alternateLight
  }

  /// A map made from two renditions, the other one in `alternatePrimaries`. Levels of light are
  /// stated where it is the high one.
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

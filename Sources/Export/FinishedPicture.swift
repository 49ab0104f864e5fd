public import HDRRender
public import ImageCore
public import Writers

/// A finished picture on its way into a file, its renditions in the primaries of the file.
public struct FinishedPicture: Sendable {
  /// The picture; for files with a gain map the high rendition.
  public var picture: any PixelSource<DisplayReferred>
  /// The standard rendition, for files with a gain map.
  public var standard: (any PixelSource<DisplayReferred>)?
  /// The map between the two, when it is known; nil to make it from them.
  public var gainMap: StoredGainMap?
  /// What the file says of light, where it has a place for it; what is nil is measured or left out.
  public var light: HDRMetadata

  /// A picture, and the standard rendition where the file holds two.
  public init(
    picture: any PixelSource<DisplayReferred>,
    standard: (any PixelSource<DisplayReferred>)? = nil, light: HDRMetadata = HDRMetadata()
  ) {
    (self.picture, self.standard, self.light) = (picture, standard, light)
  }

  /// Takes over the gain map of `source` with the base that it belongs to, where it leads up from a
  /// base in the primaries of this picture.
  public mutating func keepGainMap(of source: DisplayPicture) {
    guard case .gainMap(let kept) = source.content, case .iso(let metadata) = kept.formula,
      !metadata.isBaseHDR, kept.base.info.primaries == picture.info.primaries
    else { return }
    standard = kept.base
    gainMap = StoredGainMap(
      kept.map, metadata: metadata, alternatePrimaries: kept.alternatePrimaries)
  }
}

public import HDRRender
public import ImageCore

/// A rendered picture ready to be encoded, its renditions in the primaries of the file.
public struct FinishedPicture: Sendable {
  /// The picture; for files with a gain map the HDR rendition.
  public var picture: any PixelSource<DisplayReferred>
  /// The standard rendition, for files with a gain map.
  public var standard: (any PixelSource<DisplayReferred>)?
  /// The map between the two, if there is one; nil to compute it.
  public var gainMap: StoredGainMap?
  /// Whether its three channels are alike, so that PNG, TIFF of integers and JPEG XL have one, and
  /// JPEG and AVIF in SDR without a gain map.
  public var isGray = false
  /// Whether it is scene-referred, which OpenEXR files declare.
  public var isScene = false
  /// How opaque it is, where the file holds alpha: TIFF, OpenEXR, PNG, and HEIF, AVIF and JPEG XL
  /// without a gain map. Colors are premultiplied in OpenEXR, may be in TIFFs of floats, and are
  /// straight in others.
  public var alpha: AlphaPlane?
  /// HDR metadata to write, where the format holds it; fields that are nil are measured or omitted.
  public var hdrMetadata: HDRMetadata

  /// A picture, and the standard rendition where the file holds two.
  public init(
    picture: any PixelSource<DisplayReferred>,
    standard: (any PixelSource<DisplayReferred>)? = nil, hdrMetadata: HDRMetadata = HDRMetadata()
  ) {
    (self.picture, self.standard, self.hdrMetadata) = (picture, standard, hdrMetadata)
  }

  /// Keeps the gain map of `source` with its base, where the map leads up from a standard base in
  /// the primaries of this picture: in the formats of `origin`, or in all without one.
  public mutating func keepGainMap(
    of source: DisplayPicture, origin: StoredGainMap.Origin? = nil
  ) {
    guard case .gainMap(let stored) = source.content,
      stored.base.info.primaries == picture.info.primaries
    else { return }
    var map: StoredGainMap?
    switch stored.formula {
    case .iso(let metadata) where !metadata.isBaseHDR:
      // One channel with parameters for three is stored as three, since each has its own gains.
      let image = metadata.channels.count == 3 ? stored.map.inThreeChannels : stored.map
      map = StoredGainMap(
        image, metadata: metadata, alternatePrimaries: stored.alternatePrimaries)
      map?.origin = origin
    case .iso: break
    case .apple(let headroom):
      map = StoredGainMap(
        apple: stored.map, headroom: headroom, primaries: stored.alternatePrimaries)
      map?.origin?.makerHeadroom = origin?.makerHeadroom
    }
    guard let map else { return }
    (standard, gainMap) = (stored.base, map)
  }
}

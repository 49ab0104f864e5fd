public import HDRRender
import ImageCore

extension StillImage {
  /// How the primary picture is coded, for the choice of a format to write.
  public var format: PictureFormat {
    let transfer: DynamicRangeMix.Transfer =
      color.isPQ ? .pq : color.isHLG ? .hlg : .standard
    let isDescribed = hdrMetadata.masteringDisplay != nil || hdrMetadata.contentLight != nil
    return PictureFormat(
      DynamicRangeMix(transfer, metadata: isDescribed ? .fixed : .none),
      primaries: color.primaries, bitDepth: bitDepth, size: size, hasGainMap: gainMap != nil)
  }
}

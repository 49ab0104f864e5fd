import Foundation
public import HDRRender
public import ImageCore

extension ColorDescription {
  /// Whether light is coded in PQ.
  public var isPQ: Bool { transfer == .pq }
  /// Whether light is coded in hybrid log-gamma.
  public var isHLG: Bool { transfer == .hlg }
  /// Whether codes beyond 0…1 stand for light beyond black and white: linear light and sRGB, where the file
  /// stores floats.
  public var isExtendable: Bool { transfer == .linear || transfer == .srgb }
}

extension StillImage {
  /// How the primary picture is coded, for the choice of a format to write.
  public var format: PictureFormat {
    let transfer: DynamicRangeMix.Transfer =
      color.isPQ ? .pq : color.isHLG ? .hlg : .standard
    let isDescribed = light.masteringDisplay != nil || light.contentLight != nil
    return PictureFormat(
      DynamicRangeMix(transfer, metadata: isDescribed ? .fixed : .none),
      primaries: color.primaries, bitDepth: bitDepth, size: size, hasGainMap: gainMap != nil)
  }

  /// A small picture with the range that is wanted, the longer side of `maxPixelSize` pixels or fewer: made of
  /// the whole picture in linear light, never of a thumbnail in the file, whose range is not told. With
  /// `.high` a gain map is kept, small, so that the thumbnail suits any display.
  public func thumbnail(maxPixelSize: Int, _ range: DynamicRange = .high) throws -> DisplayPicture {
    switch range {
    case .high: try picture().thumbnail(maxPixelSize: maxPixelSize)
    case .standard:
      try DisplayPicture(light(.standard), contentHeadroom: 1)
        .thumbnail(maxPixelSize: maxPixelSize)
    case .asStored:
      try DisplayPicture(
        base(), contentHeadroom: baseHeadroom, isAbsolute: isHighDynamicRange
      ).thumbnail(maxPixelSize: maxPixelSize)
    }
  }

  /// The gain map for the upright picture (applyOrientationProperty); see ``gainMapImage()`` for the map as
  /// stored.
  public func uprightGainMapImage() throws(ReadError) -> GainMapImage {
    try gainMapImage().upright(orientation)
  }
}

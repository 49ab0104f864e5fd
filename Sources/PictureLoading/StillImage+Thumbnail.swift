public import HDRRender
import ImageCore
import ImageFilters
public import Readers

extension StillImage {
  /// A small picture with the range that is wanted, the longer side of `maxPixelSize` pixels or
  /// fewer: made of the whole picture in linear light, never of a thumbnail in the file, whose
  /// range is not told. With `.high` a gain map is kept, small, so that the thumbnail suits any
  /// display.
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
}

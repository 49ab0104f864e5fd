public import HDRRender
import ImageCore
import ImageFilters
public import Readers

extension StillImage {
  /// A thumbnail of the requested rendition, the longer side of `maxPixelSize` pixels or fewer:
  /// reduced from the full picture in linear values, never from an embedded thumbnail, whose range
  /// is unknown. `.high` includes a reduced gain map, so that the thumbnail suits any display.
  public func thumbnail(maxPixelSize: Int, _ rendition: Rendition = .high) throws -> DisplayPicture
  {
    switch rendition {
    case .high: try picture().thumbnail(maxPixelSize: maxPixelSize)
    case .standard:
      try DisplayPicture(linear(.standard), contentHeadroom: 1)
        .thumbnail(maxPixelSize: maxPixelSize)
    case .asStored:
      try basePicture().thumbnail(maxPixelSize: maxPixelSize)
    }
  }
}

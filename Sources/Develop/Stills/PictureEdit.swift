public import ImageCore
public import ImageFilters

/// An edit of a finished picture as a value that can be stored and sent to another process.
public enum PictureEdit: Sendable, Hashable, Codable {
  /// `CropFilter`.
  case crop(CropArea)
  /// `AffineFilter`: rotated clockwise, within ±45°.
  case straighten(degrees: Double)
  /// `OrientFilter`: turned clockwise by quarters.
  case turn(quarters: Int)
  /// `ResizeFilter`.
  case resize(PixelSize)
  /// `ExposureFilter`, −32…32.
  case exposure(stops: Double)

  /// The filter that makes it; throws for values outside their range.
  public func filter() throws -> any ImageFilter {
    switch self {
    case .crop(let area): CropFilter(area)
    case .straighten(let degrees): try AffineFilter(straightenedBy: degrees)
    case .turn(let quarters): OrientFilter(quarterTurns: quarters)
    case .resize(let size): try ResizeFilter(to: size)
    case .exposure(let stops): try ExposureFilter(stops: stops)
    }
  }
}

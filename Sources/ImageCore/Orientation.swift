/// The orientation of a stored picture: the eight values of the Exif Orientation tag. The raw value
/// is the tag's value.
public enum Orientation: Int, Sendable, Hashable, Codable, CaseIterable {
  /// Stored upright.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Rotated by 180°.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Transposed: mirrored about the diagonal from the top left.
  case leftMirrored = 5
  /// Needs a quarter turn clockwise to be upright.
  case right = 6
  /// Mirrored about the diagonal from the top right.
  case rightMirrored = 7
  /// Needs a quarter turn counter-clockwise to be upright.
  case left = 8

  /// Whether rows become columns.
  public var swapsAxes: Bool { rawValue >= 5 }

  /// The orientation that undoes it.
  package var inverse: Orientation {
    switch self {
    case .right: .left
    case .left: .right
    default: self
    }
  }

  /// The size of the upright picture made from a stored one of `size`.
  public func upright(_ size: PixelSize) -> PixelSize { swapsAxes ? size.transposed : size }

  /// The stored pixel that the upright picture shows at `point`; `stored` is the stored size.
  public func storedPoint(of point: PixelPoint, stored: PixelSize) -> PixelPoint {
    let (x, y) = (point.x, point.y)
    let (w, h) = (stored.width - 1, stored.height - 1)
    switch self {
    case .up: return PixelPoint(x: x, y: y)
    case .upMirrored: return PixelPoint(x: w - x, y: y)
    case .down: return PixelPoint(x: w - x, y: h - y)
    case .downMirrored: return PixelPoint(x: x, y: h - y)
    case .leftMirrored: return PixelPoint(x: y, y: x)
    case .right: return PixelPoint(x: y, y: h - x)
    case .rightMirrored: return PixelPoint(x: w - y, y: h - x)
    case .left: return PixelPoint(x: w - y, y: x)
    }
  }

  /// The stored rectangle that the upright picture shows in `rect`.
  public func storedRect(of rect: PixelRect, stored: PixelSize) -> PixelRect {
    guard !rect.isEmpty else { return PixelRect(x: 0, y: 0, width: 0, height: 0) }
    let a = storedPoint(of: PixelPoint(x: rect.x, y: rect.y), stored: stored)
    let b = storedPoint(of: PixelPoint(x: rect.endX - 1, y: rect.endY - 1), stored: stored)
    return PixelRect(
      x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x) + 1, height: abs(a.y - b.y) + 1)
  }
}

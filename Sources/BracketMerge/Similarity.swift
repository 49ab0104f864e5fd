import Foundation

/// A similarity of the plane in photosites from the middle of the picture: (x, y) goes to
/// (x + right + a x − b y, y + down + b x + a y).
struct Similarity: Sendable, Hashable {
  var right = 0.0
  var down = 0.0
  /// scale · cos(rotation) − 1
  var a = 0.0
  /// scale · sin(rotation)
  var b = 0.0

  static let identity = Similarity()

  func callAsFunction(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (x + right + a * x - b * y, y + down + b * x + a * y)
  }

  /// First this, then `next`.
  func then(_ next: Similarity) -> Similarity {
    let (x, y) = next(right, down)
    let (c, d) = (1 + a, 1 + next.a)
    return Similarity(
      right: x, down: y, a: c * d - b * next.b - 1, b: c * next.b + b * d)
  }

  /// The farthest that a point moves which lies within `halfWidth` and `halfHeight` of the middle.
  func farthest(_ halfWidth: Double, _ halfHeight: Double) -> Double {
    [(-1.0, -1.0), (1, -1), (-1, 1), (1, 1)].map { sign in
      let (x, y) = (sign.0 * halfWidth, sign.1 * halfHeight)
      let moved = self(x, y)
      return hypot(moved.x - x, moved.y - y)
    }.max() ?? 0
  }

  var scale: Double { hypot(1 + a, b) }
  /// Degrees, clockwise as seen.
  var rotation: Double { atan2(b, 1 + a) * 180 / .pi }

  var placement: FramePlacement {
    FramePlacement(right: right, down: down, rotation: rotation, scale: scale)
  }
}

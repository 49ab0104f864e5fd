import Foundation
import ImageCore
import ImageFilters

/// The largest box of an aspect ratio that a picture fills, under a projective map.
///
/// Source: the map of a box is a convex quadrilateral, which lies inside the picture if its corners
/// do; so the largest box about a center follows by bisection, and its center by a pattern search
/// (Hooke and Jeeves, "Direct search", 1961) from that of the picture, as its size is a concave
/// function of the center. Units: pixels of the upright picture; precise to 0.1.
struct LargestBox {
  private(set) var center: SIMD2<Double>
  private(set) var half: SIMD2<Double>

  /// Of a picture of `size`. The box is level on the result, which is rotated by `angle` degrees
  /// clockwise; `seen` maps positions of the result to positions of the picture.
  init(of size: PixelSize, aspect: Double, angle: Double, seen: ProjectiveMap) {
    let sides = SIMD2(Double(size.width), Double(size.height))
    /// Half the height of the largest box about a center.
    func rows(_ center: SIMD2<Double>) -> Double {
      Self.largest(below: sides.x + sides.y) { rows in
        Self.isFilled(center, SIMD2(aspect, 1) * rows, of: sides, angle, seen)
      }
    }
    var best = (center: sides / 2, rows: rows(sides / 2))
    var step = sides.min() / 4
    while step > 0.05 {
      let moved = [SIMD2(step, 0), [-step, 0], [0, step], [0, -step]].map { best.center + $0 }
        .map { (center: $0, rows: rows($0)) }
      guard let next = moved.max(by: { $0.rows < $1.rows }), next.rows > best.rows + 0.01 else {
        step /= 2
        continue
      }
      best = next
    }
    center = best.center
    half = SIMD2(aspect, 1) * max(best.rows, 0.5)
  }

  /// The largest box about `center` that a picture of `size` fills, with the aspect ratio of `half`
  /// (half the sides) and not larger; `half` itself if the picture does not cover the center.
  init(
    at center: SIMD2<Double>, within half: SIMD2<Double>, of size: PixelSize, angle: Double,
    seen: ProjectiveMap
  ) {
    let sides = SIMD2(Double(size.width), Double(size.height))
    func isFilled(_ half: SIMD2<Double>) -> Bool {
      // Edges on the border itself are inside.
      Self.isFilled(center, half - 1e-6, of: sides, angle, seen)
    }
    self.center = center
    self.half = half
    guard !isFilled(half), isFilled(SIMD2(repeating: 1)) else { return }
    let rows = Self.largest(below: half.y) { isFilled(SIMD2(half.x / half.y, 1) * $0) }
    self.half = SIMD2(half.x / half.y, 1) * max(rows, 0.5)
  }

  /// Whether the picture fills the box.
  private static func isFilled(
    _ center: SIMD2<Double>, _ half: SIMD2<Double>, of sides: SIMD2<Double>, _ angle: Double,
    _ seen: ProjectiveMap
  ) -> Bool {
    let (c, s) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
    return [SIMD2(-1.0, -1), [1, -1], [-1, 1], [1, 1]].allSatisfy { corner in
      let at = corner * half
      let x = center.x + c * at.x + s * at.y
      guard let position = seen(x, center.y - s * at.x + c * at.y) else { return false }
      return position.x >= 0 && position.y >= 0 && position.x <= sides.x && position.y <= sides.y
    }
  }

  /// The largest number below `limit` for which `isFilled` is true.
  private static func largest(below limit: Double, _ isFilled: (Double) -> Bool) -> Double {
    var (low, high) = (0.0, limit)
    while high - low > 0.01 {
      let middle = (low + high) / 2
      if isFilled(middle) { low = middle } else { high = middle }
    }
    return low
  }
}

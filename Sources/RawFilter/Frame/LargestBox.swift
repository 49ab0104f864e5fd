import Foundation
import ImageCore
import ImageFilters

/// The largest box of an aspect ratio that a picture fills, where it is seen by a projective map.
///
/// Source: the map of a box is a convex quadrilateral, which lies inside the picture if its corners
/// do; so the largest box about a center follows by bisection, and its center by a pattern search
/// (Hooke and Jeeves, "Direct search", 1961) from that of the picture, as its size is a concave
/// function of the center. Units: pixels of the upright picture; precise to 0.1.
struct LargestBox {
  private(set) var center: SIMD2<Double>
  private(set) var half: SIMD2<Double>

  /// Of a picture of `size`, level on the result, which is turned by `angle` degrees clockwise and
  /// whose positions `seen` leads to those of the picture.
  init(of size: PixelSize, aspect: Double, angle: Double, seen: ProjectiveMap) {
    let sides = SIMD2(Double(size.width), Double(size.height))
    /// Half of the rows of the largest box about a center.
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

  /// The largest box about `center` of the shape of one of half the sides `half` that is not larger
  /// and that a picture of `size` fills; that one itself where the picture does not reach the
  /// center.
  init(
    at center: SIMD2<Double>, within half: SIMD2<Double>, of size: PixelSize, angle: Double,
    seen: ProjectiveMap
  ) {
    let sides = SIMD2(Double(size.width), Double(size.height))
    func isFilled(_ half: SIMD2<Double>) -> Bool {
      // Edges at the border itself are in it.
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

  /// The largest number below `limit` of which `isFilled` holds.
  private static func largest(below limit: Double, _ isFilled: (Double) -> Bool) -> Double {
    var (low, high) = (0.0, limit)
    while high - low > 0.01 {
      let middle = (low + high) / 2
      if isFilled(middle) { low = middle } else { high = middle }
    }
    return low
  }
}

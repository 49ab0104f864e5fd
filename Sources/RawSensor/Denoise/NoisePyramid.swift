import CVector
import ImageCore
import RawDecode

/// Halving by the mean of 2 × 2 pixels, and bilinear doubling (weights 9/16, 3/16, 3/16, 1/16),
/// both on a grid fixed to the whole picture.
enum NoisePyramid {
  /// Fills all of `half`, which must have its shape, from `full`.
  static func halve(_ full: NoiseLayer, into half: NoiseLayer, planes: Range<Int>) {
    let rect = half.rect
    for plane in planes {
      for y in rect.y..<rect.endY {
        let top = full.at(plane, 2 * rect.x, 2 * y)
        let bottom = full.at(plane, 2 * rect.x, 2 * y + 1)
        let out = half.at(plane, rect.x, y)
        for x in vectors(rect.width) {
          let low = top.lanes(2 &* x) + bottom.lanes(2 &* x)
          let high = top.lanes(2 &* x &+ 8) + bottom.lanes(2 &* x &+ 8)
          out.setLanes(x, (cv_even8(low, high) + cv_odd8(low, high)) * 0.25)
        }
      }
    }
  }

  /// Fills `out`, which becomes `rect`, with the enlarged `half`. `line` holds at least half a row
  /// and 32 samples more.
  static func enlarge(
    _ half: NoiseLayer, into out: NoiseLayer, _ rect: PixelRect, planes: Range<Int>,
    line: MutableRowView
  ) {
    out.reshape(rect)
    for plane in planes {
      for y in rect.y..<rect.endY {
        let to = out.at(plane, rect.x & ~1, y)
        enlargeRow(half, plane, rect, y, line) { x, low, high in
          to.setLanes(x, low)
          to.setLanes(x &+ 8, high)
        }
      }
    }
  }

  /// Fills `out`, which becomes `rect`, with `full` + the enlarged `change`.
  static func add(
    _ change: NoiseLayer, to full: NoiseLayer, into out: NoiseLayer, _ rect: PixelRect,
    planes: Range<Int>, line: MutableRowView
  ) {
    out.reshape(rect)
    for plane in planes {
      for y in rect.y..<rect.endY {
        let from = full.at(plane, rect.x & ~1, y)
        let to = out.at(plane, rect.x & ~1, y)
        enlargeRow(change, plane, rect, y, line) { x, low, high in
          to.setLanes(x, from.lanes(x) + low)
          to.setLanes(x &+ 8, from.lanes(x &+ 8) + high)
        }
      }
    }
  }

  /// Gives row `y` of the enlarged `half`, sixteen samples at a time, from the even column at or
  /// before the first of `rect`.
  @inline(__always)
  private static func enlargeRow(
    _ half: NoiseLayer, _ plane: Int, _ rect: PixelRect, _ y: Int,
    _ line: MutableRowView,
    _ put: (Int, SIMD8<Float>, SIMD8<Float>) -> Void
  ) {
    let first = (rect.x >> 1) - 1
    let count = ((rect.endX - (rect.x & ~1) + 15) >> 4) << 3
    let near = half.at(plane, first, y >> 1)
    let far = half.at(plane, first, (y & 1 == 0) ? (y >> 1) - 1 : (y >> 1) + 1)
    for i in vectors(count &+ 2) {
      line.setLanes(i, near.lanes(i) * 0.75 + far.lanes(i) * 0.25)
    }
    for i in vectors(count) {
      let middle = line.lanes(i &+ 1) * 0.75
      let even = middle + line.lanes(i) * 0.25
      let odd = middle + line.lanes(i &+ 2) * 0.25
      put(2 &* i, cv_zipLow8(even, odd), cv_zipHigh8(even, odd))
    }
  }

  /// `out` = `changed` − `original` over `out`, which must have its shape.
  static func subtract(
    _ original: NoiseLayer, from changed: NoiseLayer, into out: NoiseLayer, planes: Range<Int>
  ) {
    let rect = out.rect
    for plane in planes {
      for y in rect.y..<rect.endY {
        let (a, b) = (changed.at(plane, rect.x, y), original.at(plane, rect.x, y))
        let to = out.at(plane, rect.x, y)
        for x in vectors(rect.width) {
          to.setLanes(x, a.lanes(x) - b.lanes(x))
        }
      }
    }
  }
}

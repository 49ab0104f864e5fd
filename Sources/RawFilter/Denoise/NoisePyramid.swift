import CVector
import ImageCore

/// Halving by the mean of 2 × 2 pixels, and doubling by straight lines between pixel centres
/// (shares 9/16, 3/16, 3/16, 1/16), both on a raster fixed to the whole picture.
enum NoisePyramid {
  /// Fills all of `half`, which must be placed, from `full`.
  static func halve(_ full: NoiseLayer, into half: NoiseLayer, planes: Range<Int>) {
    let rect = half.rect
    for plane in planes {
      for y in rect.y..<rect.endY {
        let top = full.at(plane, 2 * rect.x, 2 * y)
        let bottom = full.at(plane, 2 * rect.x, 2 * y + 1)
        let out = half.at(plane, rect.x, y)
        var x = 0
        while x < rect.width {
          let low = top.lanes(2 &* x) + bottom.lanes(2 &* x)
          let high = top.lanes(2 &* x &+ 8) + bottom.lanes(2 &* x &+ 8)
          out.setLanes(x, (cv_even8(low, high) + cv_odd8(low, high)) * 0.25)
          x &+= 8
        }
      }
    }
  }

  /// `out` = `full` + the enlarged `change` in all of `out`, which must be placed.
  /// `line` holds at least half of the row of `out` and 32 samples more.
  static func add(
    _ change: NoiseLayer, to full: NoiseLayer, into out: NoiseLayer, planes: Range<Int>,
    line: UnsafeMutablePointer<Float>
  ) {
    let rect = out.rect
    let left = rect.x & ~1
    let halfLeft = (left >> 1) - 1
    let count = ((rect.endX - left + 15) >> 4) << 3
    for plane in planes {
      for y in rect.y..<rect.endY {
        let near = change.at(plane, halfLeft, y >> 1)
        let far = change.at(plane, halfLeft, (y & 1 == 0) ? (y >> 1) - 1 : (y >> 1) + 1)
        var i = 0
        while i < count &+ 2 {
          line.setLanes(i, near.lanes(i) * 0.75 + far.lanes(i) * 0.25)
          i &+= 8
        }
        let from = full.at(plane, left, y)
        let to = out.at(plane, left, y)
        i = 0
        while i < count {
          let middle = line.lanes(i &+ 1) * 0.75
          let even = middle + line.lanes(i) * 0.25
          let odd = middle + line.lanes(i &+ 2) * 0.25
          let x = 2 &* i
          to.setLanes(x, from.lanes(x) + cv_zipLow8(even, odd))
          to.setLanes(x &+ 8, from.lanes(x &+ 8) + cv_zipHigh8(even, odd))
          i &+= 8
        }
      }
    }
  }

  /// `out` = `changed` − `original` over `out`, which must be placed.
  static func subtract(
    _ original: NoiseLayer, from changed: NoiseLayer, into out: NoiseLayer, planes: Range<Int>
  ) {
    let rect = out.rect
    for plane in planes {
      for y in rect.y..<rect.endY {
        let (a, b) = (changed.at(plane, rect.x, y), original.at(plane, rect.x, y))
        let to = out.at(plane, rect.x, y)
        var x = 0
        while x < rect.width {
          to.setLanes(x, a.lanes(x) - b.lanes(x))
          x &+= 8
        }
      }
    }
  }
}

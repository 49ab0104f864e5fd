import CVector
import ImageCore

/// Planes of halving size, each the one before blurred by (1 4 6 4 1) / 16 and sampled at even
/// positions (Burt & Adelson 1983); beyond the edges the last sample goes on.
final class GaussianPyramid {
  let levels: [TilePlane]
  private let line = TilePlane()

  /// A pyramid over a plane of `size`, down to a shorter side of one or two samples, at most
  /// `limit` levels.
  init(_ size: PixelSize, limit: Int = 12) {
    var (levels, size) = ([TilePlane](), size)
    while true {
      let plane = TilePlane()
      plane.place(PixelRect(size))
      levels.append(plane)
      guard min(size.width, size.height) > 2, levels.count < limit else { break }
      size = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    }
    self.levels = levels
    line.place(PixelRect(x: 0, y: 0, width: levels[0].rect.width, height: 1))
  }

  /// Fills all levels from the first.
  func build() {
    for level in 1..<max(levels.count, 1) { reduce(levels[level - 1], into: levels[level]) }
  }

  private func reduce(_ fine: TilePlane, into coarse: TilePlane) {
    let (width, height) = (fine.rect.width, fine.rect.height)
    let sums = line.row(0)
    for y in 0..<coarse.rect.height {
      func row(_ k: Int) -> UnsafeMutablePointer<Float> {
        fine.row(min(max(2 * y + k, 0), height - 1))
      }
      let (a, b, c, d, e) = (row(-2), row(-1), row(0), row(1), row(2))
      var i = 0
      while i < width {
        let sum = (a.lanes(i) + e.lanes(i)) + (b.lanes(i) + d.lanes(i)) * 4 + c.lanes(i) * 6
        sums.setLanes(i, sum * (1 / 16))
        i &+= 8
      }
      for k in 1...2 { sums[-k] = sums[0] }
      for k in 0..<3 { sums[width + k] = sums[width - 1] }
      let out = coarse.row(y)
      i = 0
      while i < coarse.rect.width {
        let x = 2 &* i
        let far = cv_even8(sums.lanes(x &- 2), sums.lanes(x &+ 6))
        let (here, odd) = (
          cv_even8(sums.lanes(x), sums.lanes(x &+ 8)), cv_odd8(sums.lanes(x), sums.lanes(x &+ 8))
        )
        let before = cv_odd8(sums.lanes(x &- 2), sums.lanes(x &+ 6))
        let after = cv_even8(sums.lanes(x &+ 2), sums.lanes(x &+ 10))
        out.setLanes(i, ((far + after) + (before + odd) * 4 + here * 6) * (1 / 16))
        i &+= 8
      }
    }
  }

  /// Row `y`, of `width` samples, of the plane that `coarse` is the reduction of, interpolated.
  /// In `lines`, which has two rows at least as wide.
  static func expand(
    _ coarse: TilePlane, _ y: Int, width: Int, _ lines: TilePlane
  ) -> UnsafeMutablePointer<Float> {
    let (sums, out) = (lines.row(0), lines.row(1))
    let last = coarse.rect.height - 1
    let center = min(y >> 1, last)
    let (here, below) = (coarse.row(center), coarse.row(min(center + 1, last)))
    let above = coarse.row(max(center - 1, 0))
    let count = coarse.rect.width
    var i = 0
    while i < count {
      let sum =
        y & 1 == 0
        ? (above.lanes(i) + below.lanes(i) + here.lanes(i) * 6) * (1 / 8)
        : (here.lanes(i) + below.lanes(i)) * (1 / 2)
      sums.setLanes(i, sum)
      i &+= 8
    }
    sums[-1] = sums[0]
    sums[count] = sums[count - 1]
    i = 0
    while 2 &* i < width {
      let (left, middle, right) = (sums.lanes(i &- 1), sums.lanes(i), sums.lanes(i &+ 1))
      let even = (left + right + middle * 6) * (1 / 8)
      let odd = (middle + right) * (1 / 2)
      out.setLanes(2 &* i, cv_zipLow8(even, odd))
      out.setLanes(2 &* i &+ 8, cv_zipHigh8(even, odd))
      i &+= 8
    }
    return out
  }
}

import ImageCore

/// A plane reduced to a quarter of the size and back: means of 4 × 4 samples on the picture's own
/// grid, and bilinear interpolation between their centers. Independent of rectangles.
struct QuarterPlane {
  /// The samples of the reduced plane between which those of the rectangle are interpolated.
  let rect: PixelRect
  private let whole: PixelRect

  /// For the samples of `whole`, which lies in the picture.
  init(_ whole: PixelRect) {
    self.whole = whole
    let (left, top) = (whole.x >> 2, whole.y >> 2)
    rect = PixelRect(
      x: left - 1, y: top - 1, width: ((whole.endX - 1) >> 2) - left + 3,
      height: ((whole.endY - 1) >> 2) - top + 3)
  }

  /// Samples around a rectangle that a filter reaching `coarse` quarter samples needs, at least
  /// `fine`.
  static func halo(_ fine: Int, _ coarse: Int) -> Int { max(fine, 4 * (coarse + 2)) }

  /// The means of ``rect`` and `reach` around it.
  func reduce(_ plane: TilePlane, reach: Int, into out: TilePlane) throws(PixelError) {
    let target = rect.expanded(by: reach)
    try out.reshape(target)
    for y in target.y..<target.endY {
      let to = out.row(y)
      let from = plane.row(4 * y).from(4 * target.x - plane.rect.x)
      let step = plane.stride
      for x in 0..<target.width {
        var sum = SIMD4<Float>.zero
        for k in 0..<4 {
          sum += from.lanes4(4 &* x &+ k &* step)
        }
        to[x] = ((sum[0] + sum[1]) + (sum[2] + sum[3])) * (1 / 16)
      }
    }
  }

  /// Row `y` of the rectangle, from `plane`, whose rows start with column `rect.x`; in `line`.
  func expand(_ plane: TilePlane, _ y: Int, _ line: TilePlane) throws(PixelError) -> MutableRowView
  {
    let width = rect.width
    try line.reshape(PixelRect(x: 0, y: 0, width: 4 * width, height: 2))
    let (sum, out) = (line.row(0), line.row(1))
    let center = y >> 2
    let phase = Float(y & 3) * 0.25 - 0.375
    let (here, other) = (plane.row(center), plane.row(phase < 0 ? center - 1 : center + 1))
    let weight = abs(phase)
    for i in vectors(width) {
      sum.setLanes(i, here.lanes(i) + (other.lanes(i) - here.lanes(i)) * weight)
    }
    let left = SIMD4<Float>(0.375, 0.125, 0, 0)
    let right = SIMD4<Float>(0, 0, 0.125, 0.375)
    for x in 1..<width - 1 {
      let value = sum[x]
      let four = value + left * (sum[x &- 1] - value) + right * (sum[x &+ 1] - value)
      out.setLanes4(4 &* x, four)
    }
    return out.from(whole.x - 4 * rect.x)
  }
}

import ImageCore

/// Sums over the windows of ``GreenEquilibration``. A plane of sites has in each row one color of the
/// pair, the other in the rows beside it, and nothing of the columns between.
extension GreenEquilibration {
  /// Sums over every other row, from `farthest` above row `y` to as far below: of the color of that
  /// row when `farthest` is even, the outer ones then by half, else of the other.
  static func addRows(
    _ sites: TilePlane, _ y: Int, farthest: Int, into out: MutableRowView
  ) {
    let top = sites.row(y - farthest)
    let (step, end) = (2 * sites.stride, 2 * farthest * sites.stride)
    let outer: Float = farthest & 1 == 0 ? 0.5 : 1
    for i in vectors(sites.rect.width) {
      var sum = (top.lanes(i) + top.lanes(i &+ end)) * outer
      var at = step
      while at < end {
        sum += top.lanes(i &+ at)
        at &+= step
      }
      out.setLanes(i, sum)
    }
  }

  /// Seventeen columns around those of the color.
  @inline(__always)
  static func addSame(_ row: MutableRowView, _ i: Int) -> SIMD8<Float> {
    var sum = (row.lanes(i &- 4) + row.lanes(i &+ 4)) * 0.5
    for k in -3...3 { sum += row.lanes(i &+ k) }
    return sum
  }

  /// Seventeen columns around those between columns `i` and `i` + 1 of the color.
  @inline(__always)
  static func addBetween(_ row: MutableRowView, _ i: Int) -> SIMD8<Float> {
    var sum = row.lanes(i &- 3) + row.lanes(i &+ 4)
    for k in -2...3 { sum += row.lanes(i &+ k) }
    return sum
  }

  /// Five columns around those of the color.
  @inline(__always)
  static func nearSame(_ row: MutableRowView, _ i: Int) -> SIMD8<Float> {
    (row.lanes(i &- 1) + row.lanes(i &+ 1)) * 0.5 + row.lanes(i)
  }

  /// Five columns around those between columns `i` and `i` + 1 of the color.
  @inline(__always)
  static func nearBetween(_ row: MutableRowView, _ i: Int) -> SIMD8<Float> {
    row.lanes(i) + row.lanes(i &+ 1)
  }
}

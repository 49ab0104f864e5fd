import CVector
import ImageCore

/// Green equilibration for patterns of four colors: equalizes the two colors on a diagonal of a 2 ×
/// 2 pattern.
///
/// Idea: the responses of two filters, such as green and emerald, differ by a factor that varies
/// more slowly over the picture than its detail. The second color times the ratio of local means
/// gives a Bayer mosaic. Formula: (1) ρ = Σ w·(p + o) / Σ w·(q + o) over 17 × 17 photosites, p
/// those of the first color, q those of the second; w is 1, in the outer columns and rows ½ (both:
/// ¼), so that the weights of both colors have the same sum and center at every position, and
/// slopes cancel. (2) Over 5 × 5 with such weights, i = Σ w·(p + o) − ρ·Σ w·(q + o) is the local
/// error of ρ, unless it is due to detail: v, the sum of differences to the four nearest of the
/// same color. ρ is blended with the ratio over 5 × 5 with the weight i² / (i² + v²/4). So ρ
/// follows color edges between flat areas. (3) q' = ρ·(q + o) − o. Units: balanced linear values;
/// `o` is the offset of the demosaic's scale, with which all are above zero. Chosen: by PSNR of
/// twelve pictures after the demosaic, for RGBE and CYGM: step 1 alone 40.2 and 36.0 dB over 5 × 5,
/// 42.2 and 39.0 over 9 × 9, 43.2 and 40.2 over 17 × 17; larger windows lose where colored patches
/// are small; with step 2 43.3 and 40.4. The factor of v by the error of ρ. Known failures: within
/// four photosites of an edge between colors of different ratios, and eight where there is detail,
/// the two colors stay different, which leaves some of the maze pattern that ρ is to prevent;
/// likewise beside highlights that are clipped instead of reconstructed.
struct GreenEquilibration: Sendable {
  /// Photosites that are read on each side.
  static let reach = 8
  /// The ratio is limited to between this and one over it.
  private static let minRatio: Float = 1 / 64

  /// Row and column of the first color in the pattern; the second is diagonally opposite.
  let row: Int
  let column: Int
  let offset: Float

  /// Writes ρ of each photosite of `area`, which starts at an even column, to `ratio`. The others
  /// are scratch memory.
  func measure(
    _ mosaic: TilePlane, _ area: PixelRect, into ratio: TilePlane, sites: TilePlane,
    activity: TilePlane, sums: TilePlane
  ) {
    ratio.reshape(area)
    split(mosaic, area, into: sites)
    let count = sites.rect.width
    activity.reshape(PixelRect(x: 0, y: area.y - 2, width: count, height: area.height + 4))
    for y in activity.rect.y..<activity.rect.endY { vary(sites, y, into: activity.row(y)) }
    sums.reshape(PixelRect(x: 0, y: 0, width: count, height: 6))
    let (own, other) = (sums.row(0), sums.row(1))
    let (nearOwn, nearOther) = (sums.row(2), sums.row(3))
    let (detailOwn, detailOther) = (sums.row(4), sums.row(5))
    for y in area.y..<area.endY {
      Self.sumRows(sites, y, farthest: Self.reach, into: own)
      Self.sumRows(sites, y, farthest: Self.reach - 1, into: other)
      Self.sumRows(sites, y, farthest: 2, into: nearOwn)
      Self.sumRows(sites, y, farthest: 1, into: nearOther)
      Self.sumRows(activity, y, farthest: 2, into: detailOwn)
      Self.sumRows(activity, y, farthest: 1, into: detailOther)
      let (out, odd, isFirst) = (ratio.row(y), shift(y), y & 1 == row)
      for x in vectorPairs(area.width) {
        let i = x / 2 + Self.reach / 2
        // The other color's neighbor at the left of the row's own, and the reverse.
        let (left, right) = (i - 1 + odd, i - odd)
        let at = refined(
          wide: (Self.sum17(own, i), Self.sum17Between(other, left)),
          near: (Self.sum5(nearOwn, i), Self.sum5Between(nearOther, left)),
          detail: Self.sum5(detailOwn, i) + Self.sum5Between(detailOther, left), isFirst)
        let beside = refined(
          wide: (Self.sum17Between(own, right), Self.sum17(other, i)),
          near: (Self.sum5Between(nearOwn, right), Self.sum5(nearOther, i)),
          detail: Self.sum5Between(detailOwn, right) + Self.sum5(detailOther, i), isFirst)
        out.setLanes(x, cv_zipLow8(odd == 0 ? at : beside, odd == 0 ? beside : at))
        out.setLanes(x &+ 8, cv_zipHigh8(odd == 0 ? at : beside, odd == 0 ? beside : at))
      }
    }
  }

  /// Multiplies the second color of `area` of `mosaic` by the ratio.
  func equalize(_ mosaic: TilePlane, _ area: PixelRect, by ratio: TilePlane) {
    for y in area.y..<area.endY where y & 1 != row {
      let values = mosaic.row(y).from(area.x - mosaic.rect.x)
      let factors = ratio.row(y).from(area.x - ratio.rect.x)
      var x = 1 - column
      while x < area.width {
        values[x] = (values[x] + offset) * factors[x] - offset
        x &+= 2
      }
    }
  }

  /// The second color where the first is `value`.
  @inline(__always)
  func second(_ value: SIMD8<Float>, _ ratio: SIMD8<Float>) -> SIMD8<Float> {
    (value + offset) / ratio - offset
  }

  /// 1 when the color of the pair in row `y` is in odd columns.
  private func shift(_ y: Int) -> Int { y & 1 == row ? column : 1 - column }

  /// The photosites of the pair, of which each row has one color in every other column.
  private func split(_ mosaic: TilePlane, _ area: PixelRect, into sites: TilePlane) {
    let wide = area.expanded(by: Self.reach)
    let count = (wide.width + 1) / 2
    sites.reshape(PixelRect(x: 0, y: wide.y, width: count, height: wide.height))
    for y in wide.y..<wide.endY {
      let source = mosaic.row(y).from(wide.x - mosaic.rect.x)
      let (out, isOdd) = (sites.row(y), shift(y) == 1)
      for i in vectors(count) {
        let (low, high) = (source.lanes(2 &* i), source.lanes(2 &* i &+ 8))
        out.setLanes(i, isOdd ? cv_odd8(low, high) : cv_even8(low, high))
      }
    }
  }

  /// Differences of each photosite of row `y` to the four nearest of its color.
  private func vary(_ sites: TilePlane, _ y: Int, into out: MutableRowView) {
    let (here, above, below) = (sites.row(y), sites.row(y - 2), sites.row(y + 2))
    for i in vectors(sites.rect.width) {
      let p = here.lanes(i)
      let across = cv_abs8(here.lanes(i &- 1) - p) + cv_abs8(here.lanes(i &+ 1) - p)
      out.setLanes(i, across + cv_abs8(above.lanes(i) - p) + cv_abs8(below.lanes(i) - p))
    }
  }

  /// ρ of both steps from sums of the color of the row and of the other.
  @inline(__always)
  private func refined(
    wide: (SIMD8<Float>, SIMD8<Float>), near: (SIMD8<Float>, SIMD8<Float>),
    detail: SIMD8<Float>, _ isFirst: Bool
  ) -> SIMD8<Float> {
    let (lift, nearLift) = (Float(Self.reach * Self.reach) * offset, 4 * offset)
    let (p, q) = isFirst ? wide : (wide.1, wide.0)
    let (nearP, nearQ) = isFirst ? near : (near.1, near.0)
    let ratio = (p + lift) / (q + lift)
    let below = nearQ + nearLift
    let wrong = (nearP + nearLift) - ratio * below
    let square = wrong * wrong
    let step = wrong * square / ((square + detail * detail * 0.25 + 1e-8) * below)
    return cv_clamp8(
      ratio + step, SIMD8(repeating: Self.minRatio), SIMD8(repeating: 1 / Self.minRatio))
  }
}

// MARK: - Sums over windows

/// A plane of sites has in each row one color of the pair, the other in the rows beside it, and
/// nothing of the columns between.
extension GreenEquilibration {
  /// Sums over every other row, from `farthest` above row `y` to as far below: of the color of that
  /// row when `farthest` is even, the outer ones then by half, else of the other.
  private static func sumRows(
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
  private static func sum17(_ row: MutableRowView, _ i: Int) -> SIMD8<Float> {
    var sum = (row.lanes(i &- 4) + row.lanes(i &+ 4)) * 0.5
    for k in -3...3 { sum += row.lanes(i &+ k) }
    return sum
  }

  /// Seventeen columns around those between columns `i` and `i` + 1 of the color.
  @inline(__always)
  private static func sum17Between(_ row: MutableRowView, _ i: Int) -> SIMD8<Float> {
    var sum = row.lanes(i &- 3) + row.lanes(i &+ 4)
    for k in -2...3 { sum += row.lanes(i &+ k) }
    return sum
  }

  /// Five columns around those of the color.
  @inline(__always)
  private static func sum5(_ row: MutableRowView, _ i: Int) -> SIMD8<Float> {
    (row.lanes(i &- 1) + row.lanes(i &+ 1)) * 0.5 + row.lanes(i)
  }

  /// Five columns around those between columns `i` and `i` + 1 of the color.
  @inline(__always)
  private static func sum5Between(_ row: MutableRowView, _ i: Int) -> SIMD8<Float> {
    row.lanes(i) + row.lanes(i &+ 1)
  }
}

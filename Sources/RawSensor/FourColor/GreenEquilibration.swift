import CVector
import ImageCore

/// Makes two colors of a mosaic one: those on a diagonal of a 2 × 2 pattern of four.
///
/// Idea: two filters, such as green and emerald, differ by a factor that changes more slowly over
/// the picture than its detail. The second color times the ratio of local means makes a Bayer
/// mosaic. Formula: (1) ρ = Σ w·(p + o) / Σ w·(q + o) over 17 × 17 photosites, p those of the first
/// color, q those of the second; w is 1, in the outer columns and rows ½ (both: ¼), so that the
/// weights of both colors have the same sum and center wherever the window stands, and slopes
/// cancel. (2) Over 5 × 5 with such weights, i = Σ w·(p + o) − ρ·Σ w·(q + o) says how wrong ρ is
/// here, unless detail does: v, the sum of differences to the four nearest of the same color. ρ
/// goes over to the ratio of the 5 × 5 by the share i² / (i² + v²/4). So ρ follows edges of color
/// between even areas. (3) q' = ρ·(q + o) − o. Units: balanced light; `o` is the offset of the
/// demosaic's scale, with which all are above zero. Chosen: by PSNR of twelve pictures after the
/// demosaic, for RGBE and CYGM: step 1 alone 40.2 and 36.0 dB over 5 × 5, 42.2 and 39.0 over 9 × 9,
/// 43.2 and 40.2 over 17 × 17; more than that loses where colored patches are small; with step 2
/// 43.3 and 40.4. The factor of v by the error of ρ. Known failures: within four photosites of an
/// edge between colors of different ratios, and eight where there is detail, the two stay unlike,
/// which leaves some of the maze that ρ is to prevent; so too beside highlights that are clipped
/// instead of rebuilt.
struct GreenEquilibration: Sendable {
  /// Photosites that are read on each side.
  static let reach = 8
  /// The ratio stays between this and one over it.
  private static let leastRatio: Float = 1 / 64

  /// Row and column of the first color in the pattern; the second stands across.
  let row: Int
  let column: Int
  let offset: Float

  /// Writes ρ of each photosite of `area`, which starts at an even column, to `ratio`. The others
  /// are scratch memory.
  func measure(
    _ mosaic: TilePlane, _ area: PixelRect, into ratio: TilePlane, sites: TilePlane,
    activity: TilePlane, sums: TilePlane
  ) {
    ratio.place(area)
    split(mosaic, area, into: sites)
    let count = sites.rect.width
    activity.place(PixelRect(x: 0, y: area.y - 2, width: count, height: area.height + 4))
    for y in activity.rect.y..<activity.rect.endY { vary(sites, y, into: activity.row(y)) }
    sums.place(PixelRect(x: 0, y: 0, width: count, height: 6))
    let (own, other) = (sums.row(0), sums.row(1))
    let (nearOwn, nearOther) = (sums.row(2), sums.row(3))
    let (detailOwn, detailOther) = (sums.row(4), sums.row(5))
    for y in area.y..<area.endY {
      Self.addRows(sites, y, farthest: Self.reach, into: own)
      Self.addRows(sites, y, farthest: Self.reach - 1, into: other)
      Self.addRows(sites, y, farthest: 2, into: nearOwn)
      Self.addRows(sites, y, farthest: 1, into: nearOther)
      Self.addRows(activity, y, farthest: 2, into: detailOwn)
      Self.addRows(activity, y, farthest: 1, into: detailOther)
      let (out, odd, isFirst) = (ratio.row(y), shift(y), y & 1 == row)
      for x in vectorPairs(area.width) {
        let i = x / 2 + Self.reach / 2
        // The other color's neighbor at the left of the row's own, and the reverse.
        let (left, right) = (i - 1 + odd, i - odd)
        let at = refined(
          wide: (Self.addSame(own, i), Self.addBetween(other, left)),
          near: (Self.nearSame(nearOwn, i), Self.nearBetween(nearOther, left)),
          detail: Self.nearSame(detailOwn, i) + Self.nearBetween(detailOther, left), isFirst)
        let beside = refined(
          wide: (Self.addBetween(own, right), Self.addSame(other, i)),
          near: (Self.nearBetween(nearOwn, right), Self.nearSame(nearOther, i)),
          detail: Self.nearBetween(detailOwn, right) + Self.nearSame(detailOther, i), isFirst)
        out.setLanes(x, cv_zipLow8(odd == 0 ? at : beside, odd == 0 ? beside : at))
        out.setLanes(x &+ 8, cv_zipHigh8(odd == 0 ? at : beside, odd == 0 ? beside : at))
      }
    }
  }

  /// Makes the second color of `area` of `mosaic` like the first.
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

  /// 1 when the color of the pair in row `y` stands in odd columns.
  private func shift(_ y: Int) -> Int { y & 1 == row ? column : 1 - column }

  /// The photosites of the pair, of which each row has one color in every other column.
  private func split(_ mosaic: TilePlane, _ area: PixelRect, into sites: TilePlane) {
    let wide = area.expanded(by: Self.reach)
    let count = (wide.width + 1) / 2
    sites.place(PixelRect(x: 0, y: wide.y, width: count, height: wide.height))
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
      ratio + step, SIMD8(repeating: Self.leastRatio), SIMD8(repeating: 1 / Self.leastRatio))
  }
}

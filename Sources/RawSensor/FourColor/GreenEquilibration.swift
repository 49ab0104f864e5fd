import CKernels
import ImageCore

/// Green equilibration for patterns of four colors: equalizes the two colors on a diagonal of a 2 ×
/// 2 pattern.
///
/// Idea: the responses of two filters, such as green and emerald, differ by a factor that varies
/// more slowly over the picture than its detail. The second color times the ratio of local means
/// gives a Bayer mosaic. Formula: (1) ρ = Σ w·(p + o) / Σ w·(q + o) over 17 × 17 photosites, p of
/// the first color, q of the second; w is 1, in the outer columns and rows ½ (both: ¼), so that the
/// weights of both colors have the same sum and center at every position, and slopes cancel. (2)
/// Over 5 × 5 with such weights, i = Σ w·(p + o) − ρ·Σ w·(q + o) is the local error of ρ, unless it
/// is due to detail: v, the sum of differences to the four nearest of the same color. ρ is blended
/// with the ratio over 5 × 5 with the weight i² / (i² + v²/4). So ρ follows color edges between
/// flat areas. (3) q' = ρ·(q + o) − o. Units: balanced linear values; `o` is the offset of the
/// demosaic's scale, which makes all values positive. Chosen: by PSNR of twelve pictures after the
/// demosaic, for RGBE and CYGM: step 1 alone 40.2 and 36.0 dB over 5 × 5, 42.2 and 39.0 over 9 × 9,
/// 43.2 and 40.2 over 17 × 17; larger windows lose where colored patches are small; with step 2
/// 43.3 and 40.4. The factor of v by the error of ρ. Known failures: within four photosites of an
/// edge between colors of different ratios, and eight where there is detail, the two colors stay
/// different, which leaves some of the maze pattern that ρ is to prevent; likewise beside
/// highlights that are clipped instead of reconstructed.
struct GreenEquilibration: Sendable {
  /// Photosites that are read on each side.
  static let reach = 8
  /// The ratio is limited to this value and its inverse.
  private static let minRatio: Float = 1 / 64

  /// Row and column of the first color in the pattern; the second is diagonally opposite.
  let row: Int
  let column: Int
  let offset: Float

  /// Working memory of one worker.
  final class Workspace {
    /// ρ of each photosite.
    let ratio = TilePlane()
    fileprivate let sites = TilePlane()
    fileprivate let activity = TilePlane()
    fileprivate let sums = TilePlane()
  }

  /// Multiplies the second color of `area` of `mosaic`, which starts at an even column, by the
  /// ratio, which is left in `work`.
  func equalize(_ mosaic: TilePlane, _ area: PixelRect, _ work: Workspace) throws(PixelError) {
    try measure(mosaic, area, work)
    for y in area.y..<area.endY where y & 1 != row {
      let values = mosaic.row(y).from(area.x - mosaic.rect.x)
      let factors = work.ratio.row(y)
      var x = 1 - column
      while x < area.width {
        values[x] = (values[x] + offset) * factors[x] - offset
        x &+= 2
      }
    }
  }

  private func measure(
    _ mosaic: TilePlane, _ area: PixelRect, _ work: Workspace
  ) throws(PixelError) {
    let (ratio, sites, activity, sums) = (work.ratio, work.sites, work.activity, work.sums)
    try ratio.reshape(area)
    try split(mosaic, area, into: sites)
    let count = sites.rect.width
    try activity.reshape(PixelRect(x: 0, y: area.y - 2, width: count, height: area.height + 4))
    for y in activity.rect.y..<activity.rect.endY { vary(sites, y, into: activity.row(y)) }
    try sums.reshape(PixelRect(x: 0, y: 0, width: count, height: 6))
    for y in area.y..<area.endY {
      Self.sumRows(sites, y, farthest: Self.reach, into: sums.row(0))
      Self.sumRows(sites, y, farthest: Self.reach - 1, into: sums.row(1))
      Self.sumRows(sites, y, farthest: 2, into: sums.row(2))
      Self.sumRows(sites, y, farthest: 1, into: sums.row(3))
      Self.sumRows(activity, y, farthest: 2, into: sums.row(4))
      Self.sumRows(activity, y, farthest: 1, into: sums.row(5))
      let first = (0..<6).map { plane in
        UnsafePointer(
          sums.row(plane).from(Self.reach / 2)
            .kernel(
              (area.width + 1) / 2, before: ck_siteRatios_before, behind: ck_siteRatios_behind))
      }
      var kernel = ck_siteSums(
        own: first[0], other: first[1], nearOwn: first[2], nearOther: first[3],
        detailOwn: first[4], detailOther: first[5],
        lift: Float(Self.reach * Self.reach) * offset, nearLift: 4 * offset,
        minRatio: Self.minRatio, isFirst: y & 1 == row)
      let out = ratio.row(y).kernel(area.width, behind: ck_siteRatios_behind)
      ck_siteRatios(&kernel, Int64(shift(y)), out, Int64(area.width))
    }
  }

  /// 1 when the color of the pair in row `y` is in odd columns.
  private func shift(_ y: Int) -> Int { y & 1 == row ? column : 1 - column }

  /// Extracts the photosites of the pair: each row has one of its colors in every other column.
  private func split(_ mosaic: TilePlane, _ area: PixelRect, into sites: TilePlane)
    throws(PixelError)
  {
    let wide = area.expanded(by: Self.reach)
    let count = (wide.width + 1) / 2
    try sites.reshape(PixelRect(x: 0, y: wide.y, width: count, height: wide.height))
    for y in wide.y..<wide.endY {
      let from = mosaic.row(y).from(wide.x - mosaic.rect.x)
        .kernel(2 * count, behind: ck_takeColumns_behind)
      ck_takeColumns(from, Int64(shift(y)), sites.row(y).kernel(count), Int64(count))
    }
  }

  /// Differences of each photosite of row `y` to the four nearest of its color.
  private func vary(_ sites: TilePlane, _ y: Int, into out: MutableRowView) {
    let count = sites.rect.width
    let from = sites.row(y)
      .kernel(count, before: ck_siteVariation_before, behind: ck_siteVariation_behind)
    ck_siteVariation(from, Int64(sites.stride), out.kernel(count), Int64(count))
  }

  /// Sums over every other row, from `farthest` above row `y` to as far below: of the color of that
  /// row if `farthest` is even, with half the weight for the outer rows, else of the other color. A
  /// plane of sites has one color of the pair in each row, the other in the rows beside it, and
  /// omits the columns between.
  private static func sumRows(
    _ sites: TilePlane, _ y: Int, farthest: Int, into out: MutableRowView
  ) {
    ck_sumSiteRows(
      sites.row(y).start, Int64(sites.stride), Int64(farthest), out.start,
      Int64(sites.rect.width))
  }
}

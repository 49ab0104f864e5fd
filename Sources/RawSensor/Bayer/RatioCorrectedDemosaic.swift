import CKernels
import ImageCore
import RawData

/// Full color from a Bayer mosaic.
///
/// Source: Luis Sanz Rodríguez, "Ratio Corrected Demosaicing" (2017), whose steps and names are
/// 1. VH_Dir, how much of the variation is vertical, from squared high-pass filters along columns
///   and rows (`vertical`, `horizontal`, `direction` of ``RatioCorrectedRows``);
/// 2. lpf, the local mean around red and blue photosites (`lowPass`);
/// 3. green there: a green neighbor times the ratio of lpf here and two photosites away, each side
///   weighted by the inverse of the gradient along it (`ck_greenAtChroma`);
/// 4. PQ_Dir, as step 1 along the diagonals (`falling`, `rising`, `diagonal`), red at blue and blue
///   at red along them, then red and blue at green, as differences to green weighted likewise
///   (`ck_oppositeAtChroma`, `ck_chromaAtGreen`).
/// Interpolation is along the line of less variation, without a threshold. Domain: non-negative
/// values, ideally square roots of balanced values. Reach: 10 photosites each way, 12 with
/// `isBest`.
///
/// Layout: each row is split into its even and its odd columns. One half is green, the other has
/// the row's chroma (red or blue); every neighbor of every photosite is then a fixed offset, and no
/// lane of a vector is wasted. With s = 1 when the chroma is in odd columns, the neighbors of
/// chroma i at its left and right are green i − 1 + s and i + s; two columns away it is i ± 1. In
/// the rows above and below s changes and the same i is the same column. Fractions that are
/// weighted against each other share one division. Every step runs down the picture some rows
/// behind the one before it, so that ``RatioCorrectedRows`` stay in the cache. Known failures:
/// zipper at saturated colored edges, maze patterns in noise.
struct RatioCorrectedDemosaic: Demosaic {
  static let columnReach = 12
  var columnReach: Int { Self.columnReach }
  /// ``RatioCorrectedRows`` hold no more than three rows beyond.
  let reach: Int
  let alignment = 2
  let keepsRows = true

  /// Whether the chroma of even rows is in odd columns.
  private let evenRowsStartGreen: Bool
  /// Channel of the chroma of even and of odd rows.
  let chroma: [Int]
  let scale: DemosaicScale
  /// Nil if noise is not treated separately.
  private let blend: DualBlend?

  /// Whether green is averaged with a second estimate (DirectionalDifference.c).
  private let isBest: Bool

  static func method(_ cfa: CFA, _ asked: DemosaicMethod) -> DemosaicMethod? {
    guard cfa.kind == .bayer else { return nil }
    return switch asked {
    case .automatic, .best: .best
    case .fast: .fast
    case .dual: .dual
    }
  }

  init?(_ settings: DemosaicSettings) {
    guard let method = Self.method(settings.cfa, settings.method) else { return nil }
    self.init(
      settings.cfa, scale: settings.scale, isBest: method != .fast,
      noise: method == .dual ? settings.noise : nil)
  }

  /// `noise`: noise model of the picture; where it shows only noise the result is bilinear.
  init(_ cfa: CFA, scale: DemosaicScale, isBest: Bool = false, noise: NoiseModel? = nil) {
    self.isBest = isBest
    reach = isBest ? 12 : 10
    blend = noise.map { DualBlend($0, scale: scale) }
    evenRowsStartGreen = cfa.channel(x: 0, y: 0) == 1
    chroma = (0..<2).map { y in
      cfa.channel(x: 0, y: y) == 1 ? cfa.channel(x: 1, y: y) : cfa.channel(x: 0, y: y)
    }
    self.scale = scale
  }

  /// 1 when the chroma of row `y` is in odd columns.
  private func shift(_ y: Int) -> Int64 { evenRowsStartGreen == (y & 1 == 0) ? 1 : 0 }

  private var kinds: RatioCorrectedRows.Kinds {
    var kinds: RatioCorrectedRows.Kinds = isBest ? .best : []
    if blend != nil { kinds.insert(.dual) }
    return kinds
  }

  func workspace(
    for rect: PixelRect, last: RatioCorrectedRows?
  ) throws(PixelError) -> RatioCorrectedRows {
    if let last, last.fits(rect.width, kinds) { return last }
    return try RatioCorrectedRows(width: rect.width, kinds)
  }

  func demosaic(
    _ mosaic: TilePlane, _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint,
    _ rows: RatioCorrectedRows, continues: Bool
  ) {
    let read = input(rect, continues: continues)
    let first = rect.y - reach - (continues ? 2 * reach : 0)
    // Rows that each step lags behind the newest one.
    let (greenLag, oppositeLag) = (reach - 5, reach - 3)
    let count = (rect.width + 1) / 2 + Self.columnReach
    let length = Int64(count)
    var kernel = rows.kernel
    for newest in read.y..<read.endY {
      /// Calls a loop for the row `lag` rows before the newest.
      func run(
        _ loop: (UnsafePointer<ck_bayerRows>?, Int64, Int64, Int64) -> Void, lag: Int
      ) {
        loop(&kernel, Int64(newest - lag), shift(newest - lag), length)
      }
      ck_splitBayerRow(
        &kernel, Int64(newest), shift(newest), scale.kernel,
        mosaic.row(newest).from(read.x - mosaic.rect.x)
          .kernel(2 * count, behind: ck_splitBayerRow_behind), length)
      let available = newest - first
      if available >= 2 { run(ck_lowPass, lag: 1) }
      if available >= 4, let blend {
        blend.activity(&kernel, newest - 2, chroma: chroma[newest & 1], length)
      }
      if available >= 6 { run(ck_highPass, lag: 3) }
      if available >= 8 { run(ck_directions, lag: 4) }
      if isBest {
        if available >= 4 { run(ck_differences, lag: 2) }
        if available >= 6 { run(ck_variations, lag: 3) }
        if available >= 10 { run(ck_differenceWeights, lag: 5) }
      }
      if available >= 2 * greenLag {
        run(ck_greenAtChroma, lag: greenLag)
        if isBest { run(ck_averageGreen, lag: greenLag) }
      }
      if available >= 2 * oppositeLag { run(ck_oppositeAtChroma, lag: oppositeLag) }
      if available >= 2 * reach {
        let y = newest - reach
        run(ck_chromaAtGreen, lag: reach)
        if let blend { blend.mix(&kernel, y, shift(y), length) }
        store(y, rect, buffer, origin, rows)
      }
    }
  }

  /// Returns row `y` to the linear scale and interleaves its halves.
  private func store(
    _ y: Int, _ rect: PixelRect, _ buffer: PlanarBuffer, _ origin: PixelPoint,
    _ rows: RatioCorrectedRows
  ) {
    let own = chroma[y & 1]
    let planes = rows.kernel
    let green = blend == nil ? planes.greenAtChroma : planes.blendedGreen
    let opposite = blend == nil ? planes.oppositeAtChroma : planes.blendedOpposite
    /// `channel`, whose samples at chroma and at green photosites are in two planes.
    func join(
      _ channel: Int, _ atChroma: UnsafeMutablePointer<Float>!,
      _ atGreen: UnsafeMutablePointer<Float>!
    ) {
      let (even, odd) = shift(y) == 1 ? (atGreen, atChroma) : (atChroma, atGreen)
      ck_joinBayerRow(
        scale.kernel, rows.row(even, y) + Self.columnReach / 2,
        rows.row(odd, y) + Self.columnReach / 2,
        buffer.row(channel, y - origin.y).from(rect.x - origin.x)
          .kernel(rect.width, behind: ck_joinBayerRow_behind), Int64(rect.width))
    }
    join(1, green, planes.mosaic.green)
    join(own, planes.mosaic.chroma, planes.ownAtGreen)
    join(2 - own, opposite, planes.oppositeAtGreen)
  }
}

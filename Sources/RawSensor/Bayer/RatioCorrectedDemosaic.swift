import CVector
import ImageCore
import RawDecode

/// Full color from a Bayer mosaic.
///
/// Source: Luis Sanz Rodríguez, "Ratio Corrected Demosaicing" (2017), whose steps and names are
/// 1. VH_Dir, how much of the variation is vertical, from squared high-pass filters along columns
///   and rows (``vertical``, ``horizontal``, ``direction`` of ``RatioCorrectedRows``);
/// 2. lpf, the local mean around red and blue photosites (``lowPass``);
/// 3. green there: a green neighbor times the ratio of lpf here and two photosites away, each side
///   weighted by the inverse of the gradient along it (``greenAtChroma(_:_:_:)``);
/// 4. PQ_Dir, as step 1 along the diagonals (``falling``, ``rising``, ``diagonal``), red at blue
///   and blue at red along them, then red and blue at green, as differences to green weighted
///   likewise (``oppositeAtChroma(_:_:_:)``, ``chromaAtGreen(_:_:_:)``).
/// Interpolation is along the line of less variation, without a threshold. Domain: values of zero
/// and above, best square roots of balanced values. Reach: 10 photosites each way, 12 at its best.
///
/// Layout: each row is split into its even and its odd columns. One half is green, the other has
/// the row's chroma (red or blue); every neighbor of every photosite is then a fixed offset, and no
/// lane of a vector is wasted. With s = 1 when the chroma is in odd columns, the neighbors of
/// chroma i at its left and right are green i − 1 + s and i + s; two columns away it is i ± 1. In
/// the rows above and below s changes and the same i is the same column. Fractions that are
/// weighted against each other share one division. Every step runs down the picture some rows
/// behind the one before it, so that ``RatioCorrectedRows`` stay in the cache. Known failures:
/// zipper at saturated colored edges, maze patterns in noise.
struct RatioCorrectedDemosaic: Sendable {
  /// Columns and rows that may be read around the rectangle written.
  static let columnReach = 12
  /// Rows that are read; a ``RowRing`` holds no more than three beyond.
  private let reach: Int

  /// Whether the chroma of even rows is in odd columns.
  private let evenRowsStartGreen: Bool
  /// Channel of the chroma of even and of odd rows.
  let chroma: [Int]
  let scale: DemosaicScale
  /// Nil when noise is interpolated like everything else.
  private let blend: DualBlend?

  /// Whether green is averaged with a second estimate (``differences(_:_:_:)``).
  private let isBest: Bool

  /// `noise`: that of the picture, where it shows nothing else the result is bilinear.
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
  @inline(__always)
  func shift(_ y: Int) -> Int { evenRowsStartGreen == (y & 1 == 0) ? 1 : 0 }

  /// Writes the pixels of `rect`, whose first column is even, to `buffer`, where `origin` is the
  /// sensor position of its first pixel. `mosaic` must reach beyond `rect` on each side.
  func demosaic(
    _ mosaic: TilePlane, _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint,
    rows: borrowing RatioCorrectedRows
  ) {
    let first = rect.y - reach
    // Rows that each step lags behind the newest one.
    let (greenLag, oppositeLag) = (reach - 5, reach - 3)
    let count = (rect.width + 1) / 2 + Self.columnReach
    for newest in first..<(rect.endY + reach) {
      load(mosaic.row(newest).from(rect.x - Self.columnReach - mosaic.rect.x), newest, count, rows)
      let available = newest - first
      if available >= 2 { lowPass(newest - 1, count, rows) }
      if available >= 4, let blend { activity(newest - 2, count, blend, rows) }
      if available >= 6 { highPass(newest - 3, count, rows) }
      if available >= 8 { directions(newest - 4, count, rows) }
      if isBest {
        if available >= 4 { differences(newest - 2, count, rows) }
        if available >= 6 { variations(newest - 3, count, rows) }
        if available >= 10 { weights(newest - 5, count, rows) }
      }
      if available >= 2 * greenLag {
        greenAtChroma(newest - greenLag, count, rows)
        if isBest { averageGreen(newest - greenLag, count, rows) }
      }
      if available >= 2 * oppositeLag { oppositeAtChroma(newest - oppositeLag, count, rows) }
      if available >= 2 * reach {
        let y = newest - reach
        chromaAtGreen(y, count, rows)
        if let blend { blendRow(y, count, blend, rows) }
        store(y, rect, buffer, origin, rows)
      }
    }
  }

  private func load(
    _ source: MutableRowView, _ y: Int, _ count: Int, _ rows: borrowing RatioCorrectedRows
  ) {
    let (green, chroma) = (rows.mosaic.green[y], rows.mosaic.chroma[y])
    let (even, odd) = shift(y) == 1 ? (green, chroma) : (chroma, green)
    for i in vectors(count) {
      let low = scale.forward(source.lanes(2 &* i))
      let high = scale.forward(source.lanes(2 &* i &+ 8))
      even.setLanes(i, cv_even8(low, high))
      odd.setLanes(i, cv_odd8(low, high))
    }
  }

  /// Returns row `y` to the linear scale and interleaves its halves.
  private func store(
    _ y: Int, _ rect: PixelRect, _ buffer: PlanarBuffer, _ origin: PixelPoint,
    _ rows: borrowing RatioCorrectedRows
  ) {
    let own = chroma[y & 1]
    let isBlended = blend != nil
    let green = isBlended ? rows.blend.green[y] : rows.greenAtChroma[y]
    let opposite = isBlended ? rows.blend.opposite[y] : rows.oppositeAtChroma[y]
    interleave(green, rows.mosaic.green[y], y, rect, into: buffer.row(1, y - origin.y), origin)
    interleave(
      rows.mosaic.chroma[y], rows.ownAtGreen[y], y, rect, into: buffer.row(own, y - origin.y),
      origin)
    interleave(
      opposite, rows.oppositeAtGreen[y], y, rect, into: buffer.row(2 - own, y - origin.y), origin)
  }

  @inline(__always)
  private func interleave(
    _ atChroma: MutableRowView, _ atGreen: MutableRowView, _ y: Int, _ rect: PixelRect,
    into row: MutableRowView, _ origin: PixelPoint
  ) {
    let start = Self.columnReach / 2
    let chromaIsOdd = shift(y) == 1
    let even = (chromaIsOdd ? atGreen : atChroma).from(start)
    let odd = (chromaIsOdd ? atChroma : atGreen).from(start)
    let out = row.from(rect.x - origin.x)
    for x in vectorPairs(rect.width) {
      let (e, o) = (scale.inverse(even.lanes(x / 2)), scale.inverse(odd.lanes(x / 2)))
      out.setLanes(x, cv_zipLow8(e, o))
      out.setLanes(x &+ 8, cv_zipHigh8(e, o))
    }
  }
}

// MARK: - Steps 1 and 2: directions and low-pass

extension RatioCorrectedDemosaic {
  /// lpf: four times the local mean around each chroma photosite.
  private func lowPass(_ y: Int, _ count: Int, _ rows: borrowing RatioCorrectedRows) {
    let s = shift(y)
    let (c, cN, cS) = (rows.mosaic.chroma[y], rows.mosaic.chroma[y - 1], rows.mosaic.chroma[y + 1])
    let (g, gN, gS) = (rows.mosaic.green[y], rows.mosaic.green[y - 1], rows.mosaic.green[y + 1])
    let out = rows.lowPass[y]
    for i in vectors(count) {
      let edges = g.lanes(i &- 1 &+ s) + g.lanes(i &+ s) + gN.lanes(i) + gS.lanes(i)
      let above = cN.lanes(i &- 1 &+ s) + cN.lanes(i &+ s)
      let below = cS.lanes(i &- 1 &+ s) + cS.lanes(i &+ s)
      out.setLanes(i, c.lanes(i) + edges * 0.5 + (above + below) * 0.25)
    }
  }

  /// The filter 1, −3, −1, 6, −1, −3, 1, squared: invariant to levels and slopes, and to a constant
  /// difference between the two colors of the line.
  @inline(__always)
  private func squaredHighPass(
    _ a3: SIMD8<Float>, _ a2: SIMD8<Float>, _ a1: SIMD8<Float>, _ center: SIMD8<Float>,
    _ b1: SIMD8<Float>, _ b2: SIMD8<Float>, _ b3: SIMD8<Float>
  ) -> SIMD8<Float> {
    let outer = (a3 + b3) - (a1 + b1)
    let h = outer - (a2 + b2) * 3 + center * 6
    return h * h
  }

  /// Squared high-pass along columns for both halves of row `y`, and along both diagonals for its
  /// chroma; reads three rows on.
  private func highPass(_ y: Int, _ count: Int, _ rows: borrowing RatioCorrectedRows) {
    let s = shift(y)
    columnHighPass(rows.mosaic.chroma, rows.mosaic.green, y, count, into: rows.vertical.chroma[y])
    columnHighPass(rows.mosaic.green, rows.mosaic.chroma, y, count, into: rows.vertical.green[y])
    let (c0, a1, b1) = (rows.mosaic.chroma[y], rows.mosaic.chroma[y - 1], rows.mosaic.chroma[y + 1])
    let (a2, b2) = (rows.mosaic.chroma[y - 2], rows.mosaic.chroma[y + 2])
    let (a3, b3) = (rows.mosaic.chroma[y - 3], rows.mosaic.chroma[y + 3])
    let (falling, rising) = (rows.falling[y], rows.rising[y])
    for i in vectors(count) {
      let (l1, r1, l3, r3) = (i &- 1 &+ s, i &+ s, i &- 2 &+ s, i &+ 1 &+ s)
      falling.setLanes(
        i,
        squaredHighPass(
          a3.lanes(l3), a2.lanes(i &- 1), a1.lanes(l1), c0.lanes(i), b1.lanes(r1),
          b2.lanes(i &+ 1), b3.lanes(r3)))
      rising.setLanes(
        i,
        squaredHighPass(
          a3.lanes(r3), a2.lanes(i &+ 1), a1.lanes(r1), c0.lanes(i), b1.lanes(l1),
          b2.lanes(i &- 1), b3.lanes(l3)))
    }
  }

  private func columnHighPass(
    _ own: borrowing RowRing, _ other: borrowing RowRing, _ y: Int, _ count: Int,
    into out: MutableRowView
  ) {
    let (p0, a1, b1) = (own[y], other[y - 1], other[y + 1])
    let (a2, b2) = (own[y - 2], own[y + 2])
    let (a3, b3) = (other[y - 3], other[y + 3])
    for i in vectors(count) {
      out.setLanes(
        i,
        squaredHighPass(
          a3.lanes(i), a2.lanes(i), a1.lanes(i), p0.lanes(i), b1.lanes(i), b2.lanes(i),
          b3.lanes(i)))
    }
  }

  /// Squared high-pass along a row at the photosites `own`, whose neighbors are `other`.
  private func rowHighPass(
    _ own: MutableRowView, _ other: MutableRowView, _ s: Int, _ count: Int,
    into out: MutableRowView
  ) {
    for i in vectors(count) {
      out.setLanes(
        i,
        squaredHighPass(
          other.lanes(i &- 2 &+ s), own.lanes(i &- 1), other.lanes(i &- 1 &+ s), own.lanes(i),
          other.lanes(i &+ s), own.lanes(i &+ 1), other.lanes(i &+ 1 &+ s)))
    }
  }

  /// VH_Dir of both halves of row `y`, and PQ_Dir of its chroma; reads one row on.
  private func directions(_ y: Int, _ count: Int, _ rows: borrowing RatioCorrectedRows) {
    let s = shift(y)
    let (g, c) = (rows.mosaic.green[y], rows.mosaic.chroma[y])
    let (hg, hc) = (rows.horizontal.green[y], rows.horizontal.chroma[y])
    rowHighPass(c, g, s, count, into: hc)
    rowHighPass(g, c, 1 - s, count, into: hg)
    let (vg, vgN, vgS) = (
      rows.vertical.green[y], rows.vertical.green[y - 1], rows.vertical.green[y + 1]
    )
    let (vc, vcN, vcS) = (
      rows.vertical.chroma[y], rows.vertical.chroma[y - 1], rows.vertical.chroma[y + 1]
    )
    let (f, fN, fS) = (rows.falling[y], rows.falling[y - 1], rows.falling[y + 1])
    let (r, rN, rS) = (rows.rising[y], rows.rising[y - 1], rows.rising[y + 1])
    let (atChroma, atGreen) = (rows.direction.chroma[y], rows.direction.green[y])
    let diagonal = rows.diagonal[y]
    for i in vectors(count) {
      let (left, right) = (i &- 1 &+ s, i &+ s)
      atChroma.setLanes(
        i,
        fraction(
          vgN.lanes(i) + vc.lanes(i) + vgS.lanes(i),
          hg.lanes(left) + hc.lanes(i) + hg.lanes(right)))
      atGreen.setLanes(
        i,
        fraction(
          vcN.lanes(i) + vg.lanes(i) + vcS.lanes(i),
          hc.lanes(i &- s) + hg.lanes(i) + hc.lanes(i &+ 1 &- s)))
      diagonal.setLanes(
        i,
        fraction(
          fN.lanes(left) + f.lanes(i) + fS.lanes(right),
          rN.lanes(right) + r.lanes(i) + rS.lanes(left)))
    }
  }

  /// The fraction of the variation that is along the first of two lines; one half where there is
  /// none.
  @inline(__always)
  private func fraction(_ first: SIMD8<Float>, _ second: SIMD8<Float>) -> SIMD8<Float> {
    let epsilon = SIMD8<Float>(repeating: 1e-10)
    let a = cv_max8(first, epsilon)
    return a / (a + cv_max8(second, epsilon))
  }

  /// Of a fraction and the mean of those around it the more decided one, farther from one half.
  @inline(__always)
  private func decided(_ here: SIMD8<Float>, _ around: SIMD8<Float>) -> SIMD8<Float> {
    select(cv_abs8(here - 0.5) .>= cv_abs8(around - 0.5), here, around)
  }
}

// MARK: - Steps 3 and 4: the missing colors

extension RatioCorrectedDemosaic {
  /// Keeps inverse gradients finite where nothing varies.
  private static let epsilon: Float = 1e-5

  /// Step 3, green: a green neighbor times the low-pass here over the low-pass two away.
  private func greenAtChroma(_ y: Int, _ count: Int, _ rows: borrowing RatioCorrectedRows) {
    let s = shift(y)
    let (g, c, low) = (rows.mosaic.green[y], rows.mosaic.chroma[y], rows.lowPass[y])
    let (n1, n2, n3) = (
      rows.mosaic.green[y - 1], rows.mosaic.chroma[y - 2], rows.mosaic.green[y - 3]
    )
    let (s1, s2, s3) = (
      rows.mosaic.green[y + 1], rows.mosaic.chroma[y + 2], rows.mosaic.green[y + 3]
    )
    let (n4, s4) = (rows.mosaic.chroma[y - 4], rows.mosaic.chroma[y + 4])
    let (lowN, lowS) = (rows.lowPass[y - 2], rows.lowPass[y + 2])
    let direction = rows.direction.chroma[y]
    let (above, below) = (rows.direction.chroma[y - 1], rows.direction.chroma[y + 1])
    let out = rows.greenAtChroma[y]
    for i in vectors(count) {
      let (left, right) = (i &- 1 &+ s, i &+ s)
      let (center, lowHere) = (c.lanes(i), low.lanes(i))
      let north = RatioSide(
        green1: n1.lanes(i), own2: n2.lanes(i), green3: n3.lanes(i), own4: n4.lanes(i),
        low2: lowN.lanes(i))
      let south = RatioSide(
        green1: s1.lanes(i), own2: s2.lanes(i), green3: s3.lanes(i), own4: s4.lanes(i),
        low2: lowS.lanes(i))
      let west = RatioSide(
        green1: g.lanes(left), own2: c.lanes(i &- 1), green3: g.lanes(left &- 1),
        own4: c.lanes(i &- 2), low2: low.lanes(i &- 1))
      let east = RatioSide(
        green1: g.lanes(right), own2: c.lanes(i &+ 1), green3: g.lanes(right &+ 1),
        own4: c.lanes(i &+ 2), low2: low.lanes(i &+ 1))
      let vertical = ratioEstimate(north, south, own: center, low: lowHere)
      let horizontal = ratioEstimate(west, east, own: center, low: lowHere)
      let corners = above.lanes(left) + above.lanes(right) + below.lanes(left) + below.lanes(right)
      let along = decided(direction.lanes(i), corners * 0.25)
      out.setLanes(i, mix(vertical, horizontal, along))
    }
  }

  /// Step 4, the chroma that a chroma photosite lacks, along the diagonals.
  private func oppositeAtChroma(_ y: Int, _ count: Int, _ rows: borrowing RatioCorrectedRows) {
    let s = shift(y)
    let (a1, b1) = (rows.mosaic.chroma[y - 1], rows.mosaic.chroma[y + 1])
    let (a3, b3) = (rows.mosaic.chroma[y - 3], rows.mosaic.chroma[y + 3])
    let green = rows.greenAtChroma[y]
    let (g1, h1) = (rows.greenAtChroma[y - 1], rows.greenAtChroma[y + 1])
    let (g2, h2) = (rows.greenAtChroma[y - 2], rows.greenAtChroma[y + 2])
    let diagonal = rows.diagonal[y]
    let (above, below) = (rows.diagonal[y - 1], rows.diagonal[y + 1])
    let out = rows.oppositeAtChroma[y]
    for i in vectors(count) {
      let (left, right) = (i &- 1 &+ s, i &+ s)
      let g = green.lanes(i)
      let northWest = DifferenceSide(
        color1: a1.lanes(left), color3: a3.lanes(left &- 1), green1: g1.lanes(left),
        green2: g2.lanes(i &- 1))
      let southEast = DifferenceSide(
        color1: b1.lanes(right), color3: b3.lanes(right &+ 1), green1: h1.lanes(right),
        green2: h2.lanes(i &+ 1))
      let northEast = DifferenceSide(
        color1: a1.lanes(right), color3: a3.lanes(right &+ 1), green1: g1.lanes(right),
        green2: g2.lanes(i &+ 1))
      let southWest = DifferenceSide(
        color1: b1.lanes(left), color3: b3.lanes(left &- 1), green1: h1.lanes(left),
        green2: h2.lanes(i &- 1))
      let falling = differenceEstimate(northWest, southEast, green: g)
      let rising = differenceEstimate(northEast, southWest, green: g)
      let corners = above.lanes(left) + above.lanes(right) + below.lanes(left) + below.lanes(right)
      let along = decided(diagonal.lanes(i), corners * 0.25)
      out.setLanes(i, cv_max8(g + mix(falling, rising, along), .zero))
    }
  }

  /// Step 4, both chromas of green photosites, along rows and columns.
  private func chromaAtGreen(_ y: Int, _ count: Int, _ rows: borrowing RatioCorrectedRows) {
    let s = 1 - shift(y)
    let green = rows.mosaic.green[y]
    let (greenN, greenS) = (rows.mosaic.green[y - 2], rows.mosaic.green[y + 2])
    let (row, rowOpposite) = (rows.mosaic.chroma[y], rows.oppositeAtChroma[y])
    let (n1, s1) = (rows.mosaic.chroma[y - 1], rows.mosaic.chroma[y + 1])
    let (n3, s3) = (rows.mosaic.chroma[y - 3], rows.mosaic.chroma[y + 3])
    let (on1, os1) = (rows.oppositeAtChroma[y - 1], rows.oppositeAtChroma[y + 1])
    let (on3, os3) = (rows.oppositeAtChroma[y - 3], rows.oppositeAtChroma[y + 3])
    let (gRow, gN, gS) = (
      rows.greenAtChroma[y], rows.greenAtChroma[y - 1], rows.greenAtChroma[y + 1]
    )
    let direction = rows.direction.green[y]
    let (above, below) = (rows.direction.green[y - 1], rows.direction.green[y + 1])
    let (own, opposite) = (rows.ownAtGreen[y], rows.oppositeAtGreen[y])
    for i in vectors(count) {
      let (left, right) = (i &- 1 &+ s, i &+ s)
      let corners = above.lanes(left) + above.lanes(right) + below.lanes(left) + below.lanes(right)
      let along = decided(direction.lanes(i), corners * 0.25)
      let g = green.lanes(i)
      let (g2N, g2S, g1N, g1S) = (greenN.lanes(i), greenS.lanes(i), gN.lanes(i), gS.lanes(i))
      let (g2W, g2E) = (green.lanes(i &- 1), green.lanes(i &+ 1))
      let (g1W, g1E) = (gRow.lanes(left), gRow.lanes(right))
      /// A chroma from its rows one and three above and below, and from its own row.
      @inline(__always) func color(
        _ n1: MutableRowView, _ n3: MutableRowView, _ s1: MutableRowView, _ s3: MutableRowView,
        _ row: MutableRowView
      ) -> SIMD8<Float> {
        let vertical = differenceEstimate(
          DifferenceSide(color1: n1.lanes(i), color3: n3.lanes(i), green1: g1N, green2: g2N),
          DifferenceSide(color1: s1.lanes(i), color3: s3.lanes(i), green1: g1S, green2: g2S),
          green: g)
        let horizontal = differenceEstimate(
          DifferenceSide(
            color1: row.lanes(left), color3: row.lanes(left &- 1), green1: g1W, green2: g2W),
          DifferenceSide(
            color1: row.lanes(right), color3: row.lanes(right &+ 1), green1: g1E, green2: g2E),
          green: g)
        return cv_max8(g + mix(vertical, horizontal, along), .zero)
      }
      // In the row above, the column's chroma is the opposite one: this row's own was interpolated.
      own.setLanes(i, color(on1, on3, os1, os3, row))
      opposite.setLanes(i, color(n1, n3, s1, s3, rowOpposite))
    }
  }

  /// One side of a chroma photosite along a line: the photosites one to four away, and the low-pass
  /// two away.
  private struct RatioSide {
    let green1, own2, green3, own4, low2: SIMD8<Float>
  }

  /// A weighted mean as numerator and denominator, so that those of two lines share one division.
  private typealias Fraction = (SIMD8<Float>, SIMD8<Float>)

  /// The estimates by ratio from both sides of a line, each weighted by the inverse gradient of the
  /// other: on each side green1 · 2L / (L + low2), L the low-pass here, over one common
  /// denominator.
  @inline(__always)
  private func ratioEstimate(
    _ a: RatioSide, _ b: RatioSide, own: SIMD8<Float>, low: SIMD8<Float>
  ) -> Fraction {
    let across = cv_abs8(a.green1 - b.green1) + Self.epsilon
    @inline(__always) func gradient(_ side: RatioSide) -> SIMD8<Float> {
      across + cv_abs8(own - side.own2) + cv_abs8(side.green1 - side.green3)
        + cv_abs8(side.own2 - side.own4)
    }
    let (gradientA, gradientB) = (gradient(a), gradient(b))
    let offsetLow = low + Self.epsilon
    let (sumA, sumB) = (offsetLow + a.low2, offsetLow + b.low2)
    let doubled = low + offsetLow
    let weighted = gradientB * a.green1 * sumB + gradientA * b.green1 * sumA
    return (weighted * doubled, (gradientA + gradientB) * (sumA * sumB))
  }

  /// One side of a photosite along a line that holds the wanted color at odd distances: that color
  /// one and three away, green one and two away.
  private struct DifferenceSide {
    let color1, color3, green1, green2: SIMD8<Float>
  }

  /// The differences of a color to green from both sides of a line, each weighted by the inverse
  /// gradient of color and green on the other.
  @inline(__always)
  private func differenceEstimate(
    _ a: DifferenceSide, _ b: DifferenceSide, green: SIMD8<Float>
  ) -> Fraction {
    let across = cv_abs8(a.color1 - b.color1) + Self.epsilon
    @inline(__always) func gradient(_ side: DifferenceSide) -> SIMD8<Float> {
      across + cv_abs8(side.color1 - side.color3) + cv_abs8(green - side.green2)
    }
    let (gradientA, gradientB) = (gradient(a), gradient(b))
    let weighted = gradientB * (a.color1 - a.green1) + gradientA * (b.color1 - b.green1)
    return (weighted, gradientA + gradientB)
  }

  /// (1 − `weight`) · `first` + `weight` · `second`.
  @inline(__always)
  private func mix(
    _ first: Fraction, _ second: Fraction, _ weight: SIMD8<Float>
  ) -> SIMD8<Float> {
    let a = first.0 * second.1
    let b = second.0 * first.1
    return (a + weight * (b - a)) / (first.1 * second.1)
  }
}

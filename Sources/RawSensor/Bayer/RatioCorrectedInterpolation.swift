import CVector
import ImageCore

/// The second half of ``RatioCorrectedDemosaic``: the missing colors along the directions found.
extension RatioCorrectedDemosaic {
  /// Keeps inverse gradients finite where nothing varies.
  private static let leastGradient: Float = 1e-5

  /// Step 2 for green: a green neighbor times the low-pass here over the low-pass two away.
  func greenAtChroma(_ y: Int, _ count: Int, _ rows: borrowing RatioCorrectedRows) {
    let s = shift(y)
    let (g, c, low) = (rows.mosaic.green.row(y), rows.mosaic.chroma.row(y), rows.lowPass.row(y))
    let (n1, n2, n3) = (
      rows.mosaic.green.row(y - 1), rows.mosaic.chroma.row(y - 2), rows.mosaic.green.row(y - 3)
    )
    let (s1, s2, s3) = (
      rows.mosaic.green.row(y + 1), rows.mosaic.chroma.row(y + 2), rows.mosaic.green.row(y + 3)
    )
    let (n4, s4) = (rows.mosaic.chroma.row(y - 4), rows.mosaic.chroma.row(y + 4))
    let (lowN, lowS) = (rows.lowPass.row(y - 2), rows.lowPass.row(y + 2))
    let direction = rows.direction.chroma.row(y)
    let (above, below) = (rows.direction.chroma.row(y - 1), rows.direction.chroma.row(y + 1))
    let out = rows.greenAtChroma.row(y)
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
      out.setLanes(i, blend(vertical, horizontal, along))
    }
  }

  /// Step 3 for the chroma that a chroma photosite lacks, along the diagonals.
  func oppositeAtChroma(_ y: Int, _ count: Int, _ rows: borrowing RatioCorrectedRows) {
    let s = shift(y)
    let (a1, b1) = (rows.mosaic.chroma.row(y - 1), rows.mosaic.chroma.row(y + 1))
    let (a3, b3) = (rows.mosaic.chroma.row(y - 3), rows.mosaic.chroma.row(y + 3))
    let green = rows.greenAtChroma.row(y)
    let (g1, h1) = (rows.greenAtChroma.row(y - 1), rows.greenAtChroma.row(y + 1))
    let (g2, h2) = (rows.greenAtChroma.row(y - 2), rows.greenAtChroma.row(y + 2))
    let diagonal = rows.diagonal.row(y)
    let (above, below) = (rows.diagonal.row(y - 1), rows.diagonal.row(y + 1))
    let out = rows.oppositeAtChroma.row(y)
    let zero = SIMD8<Float>(repeating: 0)
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
      out.setLanes(i, cv_max8(g + blend(falling, rising, along), zero))
    }
  }

  /// Step 3 for both chromas of green photosites, along rows and columns.
  func chromaAtGreen(_ y: Int, _ count: Int, _ rows: borrowing RatioCorrectedRows) {
    let s = 1 - shift(y)
    let green = rows.mosaic.green.row(y)
    let (greenN, greenS) = (rows.mosaic.green.row(y - 2), rows.mosaic.green.row(y + 2))
    let (row, rowOpposite) = (rows.mosaic.chroma.row(y), rows.oppositeAtChroma.row(y))
    let (n1, s1) = (rows.mosaic.chroma.row(y - 1), rows.mosaic.chroma.row(y + 1))
    let (n3, s3) = (rows.mosaic.chroma.row(y - 3), rows.mosaic.chroma.row(y + 3))
    let (on1, os1) = (rows.oppositeAtChroma.row(y - 1), rows.oppositeAtChroma.row(y + 1))
    let (on3, os3) = (rows.oppositeAtChroma.row(y - 3), rows.oppositeAtChroma.row(y + 3))
    let (gRow, gN, gS) = (
      rows.greenAtChroma.row(y), rows.greenAtChroma.row(y - 1), rows.greenAtChroma.row(y + 1)
    )
    let direction = rows.direction.green.row(y)
    let (above, below) = (rows.direction.green.row(y - 1), rows.direction.green.row(y + 1))
    let (own, opposite) = (rows.ownAtGreen.row(y), rows.oppositeAtGreen.row(y))
    let zero = SIMD8<Float>(repeating: 0)
    for i in vectors(count) {
      let (left, right) = (i &- 1 &+ s, i &+ s)
      let corners = above.lanes(left) + above.lanes(right) + below.lanes(left) + below.lanes(right)
      let along = decided(direction.lanes(i), corners * 0.25)
      let g = green.lanes(i)
      let (g2N, g2S, g1N, g1S) = (greenN.lanes(i), greenS.lanes(i), gN.lanes(i), gS.lanes(i))
      let (g2W, g2E) = (green.lanes(i &- 1), green.lanes(i &+ 1))
      let (g1W, g1E) = (gRow.lanes(left), gRow.lanes(right))
      // In the row above, the column's chroma is the opposite one: this row's own was found there.
      let ownVertical = differenceEstimate(
        DifferenceSide(color1: on1.lanes(i), color3: on3.lanes(i), green1: g1N, green2: g2N),
        DifferenceSide(color1: os1.lanes(i), color3: os3.lanes(i), green1: g1S, green2: g2S),
        green: g)
      let ownHorizontal = differenceEstimate(
        DifferenceSide(
          color1: row.lanes(left), color3: row.lanes(left &- 1), green1: g1W, green2: g2W),
        DifferenceSide(
          color1: row.lanes(right), color3: row.lanes(right &+ 1), green1: g1E, green2: g2E),
        green: g)
      own.setLanes(i, cv_max8(g + blend(ownVertical, ownHorizontal, along), zero))
      let vertical = differenceEstimate(
        DifferenceSide(color1: n1.lanes(i), color3: n3.lanes(i), green1: g1N, green2: g2N),
        DifferenceSide(color1: s1.lanes(i), color3: s3.lanes(i), green1: g1S, green2: g2S),
        green: g)
      let horizontal = differenceEstimate(
        DifferenceSide(
          color1: rowOpposite.lanes(left), color3: rowOpposite.lanes(left &- 1), green1: g1W,
          green2: g2W),
        DifferenceSide(
          color1: rowOpposite.lanes(right), color3: rowOpposite.lanes(right &+ 1), green1: g1E,
          green2: g2E),
        green: g)
      opposite.setLanes(i, cv_max8(g + blend(vertical, horizontal, along), zero))
    }
  }

  /// One side of a chroma photosite along a line: what stands one to four photosites away, and the
  /// low-pass two away.
  private struct RatioSide {
    let green1, own2, green3, own4, low2: SIMD8<Float>
  }

  /// A weighted mean as a fraction, so that those of two lines share one division.
  private typealias Fraction = (SIMD8<Float>, SIMD8<Float>)

  /// The estimates by ratio from both sides of a line, each weighted by the inverse gradient of the
  /// other: on each side green1 · 2L / (L + low2), L the low-pass here, over one common
  /// denominator.
  @inline(__always)
  private func ratioEstimate(
    _ a: RatioSide, _ b: RatioSide, own: SIMD8<Float>, low: SIMD8<Float>
  ) -> Fraction {
    let across = cv_abs8(a.green1 - b.green1) + Self.leastGradient
    @inline(__always) func gradient(_ side: RatioSide) -> SIMD8<Float> {
      across + cv_abs8(own - side.own2) + cv_abs8(side.green1 - side.green3)
        + cv_abs8(side.own2 - side.own4)
    }
    let (gradientA, gradientB) = (gradient(a), gradient(b))
    let lifted = low + Self.leastGradient
    let (sumA, sumB) = (lifted + a.low2, lifted + b.low2)
    let doubled = low + lifted
    let weighted = gradientB * a.green1 * sumB + gradientA * b.green1 * sumA
    return (weighted * doubled, (gradientA + gradientB) * (sumA * sumB))
  }

  /// One side of a photosite along a line on which the wanted color stands at odd distances: that
  /// color one and three away, green one and two away.
  private struct DifferenceSide {
    let color1, color3, green1, green2: SIMD8<Float>
  }

  /// The differences of a color to green from both sides of a line, each weighted by the inverse
  /// gradient of color and green on the other.
  @inline(__always)
  private func differenceEstimate(
    _ a: DifferenceSide, _ b: DifferenceSide, green: SIMD8<Float>
  ) -> Fraction {
    let across = cv_abs8(a.color1 - b.color1) + Self.leastGradient
    @inline(__always) func gradient(_ side: DifferenceSide) -> SIMD8<Float> {
      across + cv_abs8(side.color1 - side.color3) + cv_abs8(green - side.green2)
    }
    let (gradientA, gradientB) = (gradient(a), gradient(b))
    let weighted = gradientB * (a.color1 - a.green1) + gradientA * (b.color1 - b.green1)
    return (weighted, gradientA + gradientB)
  }

  /// Whichever of the two shares says more, being farther from one half.
  @inline(__always)
  private func decided(_ here: SIMD8<Float>, _ around: SIMD8<Float>) -> SIMD8<Float> {
    select(cv_abs8(here - 0.5) .>= cv_abs8(around - 0.5), here, around)
  }

  /// The fraction `first` where `share` is 0, `second` where it is 1.
  @inline(__always)
  private func blend(
    _ first: Fraction, _ second: Fraction, _ share: SIMD8<Float>
  ) -> SIMD8<Float> {
    let a = first.0 * second.1
    let b = second.0 * first.1
    return (a + share * (b - a)) / (first.1 * second.1)
  }

  /// Puts the halves of row `y` together and returns to light.
  func store(
    _ y: Int, _ rect: PixelRect, _ buffer: PlanarBuffer, _ origin: PixelPoint,
    isMixed: Bool, _ rows: borrowing RatioCorrectedRows
  ) {
    let start = Self.columnReach / 2
    let chromaIsOdd = shift(y) == 1
    let own = chroma[y & 1]
    let green = isMixed ? rows.mixedGreen.row(y) : rows.greenAtChroma.row(y)
    let opposite = isMixed ? rows.mixedOpposite.row(y) : rows.oppositeAtChroma.row(y)
    zip(
      green.from(start), rows.mosaic.green.row(y).from(start), chromaIsOdd,
      into: buffer.row(1, y - origin.y).from(rect.x - origin.x), rect.width)
    zip(
      rows.mosaic.chroma.row(y).from(start), rows.ownAtGreen.row(y).from(start), chromaIsOdd,
      into: buffer.row(own, y - origin.y).from(rect.x - origin.x), rect.width)
    zip(
      opposite.from(start), rows.oppositeAtGreen.row(y).from(start), chromaIsOdd,
      into: buffer.row(2 - own, y - origin.y).from(rect.x - origin.x), rect.width)
  }

  @inline(__always)
  private func zip(
    _ atChroma: MutableRowView, _ atGreen: MutableRowView,
    _ chromaIsOdd: Bool, into out: MutableRowView, _ width: Int
  ) {
    let even = chromaIsOdd ? atGreen : atChroma
    let odd = chromaIsOdd ? atChroma : atGreen
    for x in vectorPairs(width) {
      let (e, o) = (scale.inverse(even.lanes(x / 2)), scale.inverse(odd.lanes(x / 2)))
      out.setLanes(x, cv_zipLow8(e, o))
      out.setLanes(x &+ 8, cv_zipHigh8(e, o))
    }
  }
}

import CVector
import ImageCore

/// The second half of ``RatioCorrectedDemosaic``: the missing colours along the directions found.
extension RatioCorrectedDemosaic {
  /// Keeps inverse gradients finite where nothing varies.
  private static let leastGradient: Float = 1e-5

  /// Step 2 for green: a green neighbour times the low-pass here over the low-pass two away.
  func greenAtChroma(_ y: Int, _ count: Int, _ rows: borrowing RatioCorrectedRows) {
    let s = shift(y)
    let (g, c, low) = (rows.green.row(y), rows.chroma.row(y), rows.lowPass.row(y))
    let (n1, n2, n3) = (rows.green.row(y - 1), rows.chroma.row(y - 2), rows.green.row(y - 3))
    let (s1, s2, s3) = (rows.green.row(y + 1), rows.chroma.row(y + 2), rows.green.row(y + 3))
    let (n4, s4) = (rows.chroma.row(y - 4), rows.chroma.row(y + 4))
    let (lowN, lowS) = (rows.lowPass.row(y - 2), rows.lowPass.row(y + 2))
    let direction = rows.directionChroma.row(y)
    let (above, below) = (rows.directionChroma.row(y - 1), rows.directionChroma.row(y + 1))
    let out = rows.greenAtChroma.row(y)
    var i = 0
    while i < count {
      let (left, right) = (i &- 1 &+ s, i &+ s)
      let (centre, lowHere) = (c.lanes(i), low.lanes(i))
      let vertical = ratioEstimate(
        n1.lanes(i), s1.lanes(i), centre, n2.lanes(i), s2.lanes(i), n3.lanes(i), s3.lanes(i),
        n4.lanes(i), s4.lanes(i), lowHere, lowN.lanes(i), lowS.lanes(i))
      let horizontal = ratioEstimate(
        g.lanes(left), g.lanes(right), centre, c.lanes(i &- 1), c.lanes(i &+ 1),
        g.lanes(left &- 1), g.lanes(right &+ 1), c.lanes(i &- 2), c.lanes(i &+ 2), lowHere,
        low.lanes(i &- 1), low.lanes(i &+ 1))
      let corners = above.lanes(left) + above.lanes(right) + below.lanes(left) + below.lanes(right)
      let along = decided(direction.lanes(i), corners * 0.25)
      out.setLanes(i, blend(vertical, horizontal, along))
      i &+= 8
    }
  }

  /// Step 3 for the chroma that a chroma photosite lacks, along the diagonals.
  func oppositeAtChroma(_ y: Int, _ count: Int, _ rows: borrowing RatioCorrectedRows) {
    let s = shift(y)
    let (a1, b1) = (rows.chroma.row(y - 1), rows.chroma.row(y + 1))
    let (a3, b3) = (rows.chroma.row(y - 3), rows.chroma.row(y + 3))
    let green = rows.greenAtChroma.row(y)
    let (g1, h1) = (rows.greenAtChroma.row(y - 1), rows.greenAtChroma.row(y + 1))
    let (g2, h2) = (rows.greenAtChroma.row(y - 2), rows.greenAtChroma.row(y + 2))
    let diagonal = rows.diagonal.row(y)
    let (above, below) = (rows.diagonal.row(y - 1), rows.diagonal.row(y + 1))
    let out = rows.oppositeAtChroma.row(y)
    let zero = SIMD8<Float>(repeating: 0)
    var i = 0
    while i < count {
      let (left, right) = (i &- 1 &+ s, i &+ s)
      let g = green.lanes(i)
      let falling = differenceEstimate(
        a1.lanes(left), b1.lanes(right), a3.lanes(left &- 1), b3.lanes(right &+ 1),
        g1.lanes(left), h1.lanes(right), g, g2.lanes(i &- 1), h2.lanes(i &+ 1))
      let rising = differenceEstimate(
        a1.lanes(right), b1.lanes(left), a3.lanes(right &+ 1), b3.lanes(left &- 1),
        g1.lanes(right), h1.lanes(left), g, g2.lanes(i &+ 1), h2.lanes(i &- 1))
      let corners = above.lanes(left) + above.lanes(right) + below.lanes(left) + below.lanes(right)
      let along = decided(diagonal.lanes(i), corners * 0.25)
      out.setLanes(i, cv_max8(g + blend(falling, rising, along), zero))
      i &+= 8
    }
  }

  /// Step 3 for both chromas of green photosites, along rows and columns.
  func chromaAtGreen(_ y: Int, _ count: Int, _ rows: borrowing RatioCorrectedRows) {
    let s = 1 - shift(y)
    let green = rows.green.row(y)
    let (greenN, greenS) = (rows.green.row(y - 2), rows.green.row(y + 2))
    let (row, rowOpposite) = (rows.chroma.row(y), rows.oppositeAtChroma.row(y))
    let (n1, s1) = (rows.chroma.row(y - 1), rows.chroma.row(y + 1))
    let (n3, s3) = (rows.chroma.row(y - 3), rows.chroma.row(y + 3))
    let (on1, os1) = (rows.oppositeAtChroma.row(y - 1), rows.oppositeAtChroma.row(y + 1))
    let (on3, os3) = (rows.oppositeAtChroma.row(y - 3), rows.oppositeAtChroma.row(y + 3))
    let (gRow, gN, gS) = (
      rows.greenAtChroma.row(y), rows.greenAtChroma.row(y - 1), rows.greenAtChroma.row(y + 1)
    )
    let direction = rows.directionGreen.row(y)
    let (above, below) = (rows.directionGreen.row(y - 1), rows.directionGreen.row(y + 1))
    let (own, opposite) = (rows.ownAtGreen.row(y), rows.oppositeAtGreen.row(y))
    let zero = SIMD8<Float>(repeating: 0)
    var i = 0
    while i < count {
      let (left, right) = (i &- 1 &+ s, i &+ s)
      let corners = above.lanes(left) + above.lanes(right) + below.lanes(left) + below.lanes(right)
      let along = decided(direction.lanes(i), corners * 0.25)
      let g = green.lanes(i)
      let (g2N, g2S, g1N, g1S) = (greenN.lanes(i), greenS.lanes(i), gN.lanes(i), gS.lanes(i))
      let (g2W, g2E) = (green.lanes(i &- 1), green.lanes(i &+ 1))
      let (g1W, g1E) = (gRow.lanes(left), gRow.lanes(right))
      // In the row above, the column's chroma is the opposite one: this row's own was found there.
      let ownVertical = differenceEstimate(
        on1.lanes(i), os1.lanes(i), on3.lanes(i), os3.lanes(i), g1N, g1S, g, g2N, g2S)
      let ownHorizontal = differenceEstimate(
        row.lanes(left), row.lanes(right), row.lanes(left &- 1), row.lanes(right &+ 1), g1W, g1E,
        g, g2W, g2E)
      own.setLanes(i, cv_max8(g + blend(ownVertical, ownHorizontal, along), zero))
      let vertical = differenceEstimate(
        n1.lanes(i), s1.lanes(i), n3.lanes(i), s3.lanes(i), g1N, g1S, g, g2N, g2S)
      let horizontal = differenceEstimate(
        rowOpposite.lanes(left), rowOpposite.lanes(right), rowOpposite.lanes(left &- 1),
        rowOpposite.lanes(right &+ 1), g1W, g1E, g, g2W, g2E)
      opposite.setLanes(i, cv_max8(g + blend(vertical, horizontal, along), zero))
      i &+= 8
    }
  }

  /// Two estimates by ratio along one line, a and b its two ends, weighted by the inverse gradient.
  /// With e = p · 2L / (L + L₂) on each side, over one common denominator.
  @inline(__always)
  private func ratioEstimate(
    _ a1: SIMD8<Float>, _ b1: SIMD8<Float>, _ centre: SIMD8<Float>, _ a2: SIMD8<Float>,
    _ b2: SIMD8<Float>, _ a3: SIMD8<Float>, _ b3: SIMD8<Float>, _ a4: SIMD8<Float>,
    _ b4: SIMD8<Float>, _ low: SIMD8<Float>, _ lowA: SIMD8<Float>, _ lowB: SIMD8<Float>
  ) -> (SIMD8<Float>, SIMD8<Float>) {
    let across = cv_abs8(a1 - b1) + Self.leastGradient
    let gradientA = across + cv_abs8(centre - a2) + cv_abs8(a1 - a3) + cv_abs8(a2 - a4)
    let gradientB = across + cv_abs8(centre - b2) + cv_abs8(b1 - b3) + cv_abs8(b2 - b4)
    let lifted = low + Self.leastGradient
    let (sumA, sumB) = (lifted + lowA, lifted + lowB)
    let doubled = low + lifted
    let weighted = gradientB * a1 * sumB + gradientA * b1 * sumA
    return (weighted * doubled, (gradientA + gradientB) * (sumA * sumB))
  }

  /// Two estimates of a colour's difference to green along one line, weighted by the inverse
  /// gradient of the colour and of green.
  @inline(__always)
  private func differenceEstimate(
    _ a1: SIMD8<Float>, _ b1: SIMD8<Float>, _ a3: SIMD8<Float>, _ b3: SIMD8<Float>,
    _ greenA1: SIMD8<Float>, _ greenB1: SIMD8<Float>, _ green: SIMD8<Float>,
    _ greenA2: SIMD8<Float>, _ greenB2: SIMD8<Float>
  ) -> (SIMD8<Float>, SIMD8<Float>) {
    let across = cv_abs8(a1 - b1) + Self.leastGradient
    let gradientA = across + cv_abs8(a1 - a3) + cv_abs8(green - greenA2)
    let gradientB = across + cv_abs8(b1 - b3) + cv_abs8(green - greenB2)
    let weighted = gradientB * (a1 - greenA1) + gradientA * (b1 - greenB1)
    return (weighted, gradientA + gradientB)
  }

  /// Whichever of the two shares says more, being farther from one half.
  @inline(__always)
  private func decided(_ here: SIMD8<Float>, _ around: SIMD8<Float>) -> SIMD8<Float> {
    cv_select8(cv_abs8(here - 0.5) - cv_abs8(around - 0.5), here, around)
  }

  /// The fraction `first` where `share` is 0, `second` where it is 1.
  @inline(__always)
  private func blend(
    _ first: (SIMD8<Float>, SIMD8<Float>), _ second: (SIMD8<Float>, SIMD8<Float>),
    _ share: SIMD8<Float>
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
      green + start, rows.green.row(y) + start, chromaIsOdd,
      into: buffer.row(1, y - origin.y) + (rect.x - origin.x), rect.width)
    zip(
      rows.chroma.row(y) + start, rows.ownAtGreen.row(y) + start, chromaIsOdd,
      into: buffer.row(own, y - origin.y) + (rect.x - origin.x), rect.width)
    zip(
      opposite + start, rows.oppositeAtGreen.row(y) + start, chromaIsOdd,
      into: buffer.row(2 - own, y - origin.y) + (rect.x - origin.x), rect.width)
  }

  @inline(__always)
  private func zip(
    _ atChroma: UnsafeMutablePointer<Float>, _ atGreen: UnsafeMutablePointer<Float>,
    _ chromaIsOdd: Bool, into out: UnsafeMutablePointer<Float>, _ width: Int
  ) {
    let even = chromaIsOdd ? atGreen : atChroma
    let odd = chromaIsOdd ? atChroma : atGreen
    var x = 0
    while x < width {
      let (e, o) = (scale.inverse(even.lanes(x / 2)), scale.inverse(odd.lanes(x / 2)))
      out.setLanes(x, cv_zipLow8(e, o))
      out.setLanes(x &+ 8, cv_zipHigh8(e, o))
      x &+= 16
    }
  }
}

import CVector
import ImageCore
import RawDecode

/// Full color from a Bayer mosaic.
///
/// Source: Luis Sanz Rodríguez, "Ratio Corrected Demosaicing" (2017): (1) compare how much the
/// picture varies along the lines through a photosite and interpolate along the calmer one, without
/// a threshold; (2) interpolate green as a neighbor's value times the ratio of low-pass values,
/// and red and blue as differences to green, each side weighted by the inverse of its gradient.
/// Domain: values of zero and above, best square roots of balanced light.
/// Reach: 10 photosites each way, 12 at its best.
///
/// Layout: each row is split into its even and its odd columns. One half is green, the other has
/// the row's chroma (red or blue); every neighbor of every photosite is then a fixed offset, and no
/// lane of a vector is wasted. With s = 1 when the chroma stands in odd columns, the neighbors of
/// chroma i at its left and right are green i − 1 + s and i + s; two columns away it is i ± 1.
/// In the rows above and below s changes and the same i is the same column.
/// Fractions that are weighted against each other share one division.
/// Known failures: zipper at saturated colored edges, mazes in noise.
struct RatioCorrectedDemosaic: Sendable {
  /// Columns and rows that may be read around the rectangle written.
  static let columnReach = 12
  /// Rows that are read; a ``RowRing`` holds no more than three beyond.
  private let reach: Int

  /// Whether the chroma of even rows stands in odd columns.
  private let evenRowsStartGreen: Bool
  /// Channel of the chroma of even and of odd rows.
  let chroma: [Int]
  let scale: VarianceStabilization
  /// Nil when noise is interpolated like everything else.
  private let blend: DualBlend?

  /// Whether green is averaged with a second estimate, ``differences(_:_:_:_:)`` and on.
  private let isBest: Bool

  /// `noise` makes plain means of what shows no more than it.
  init(
    _ cfa: CFA, scale: VarianceStabilization, isBest: Bool = false, noise: NoiseModel? = nil
  ) {
    self.isBest = isBest
    reach = isBest ? 12 : 10
    blend = noise.map { DualBlend($0, scale: scale) }
    evenRowsStartGreen = cfa.channel(x: 0, y: 0) == 1
    chroma = (0..<2).map { y in
      cfa.channel(x: 0, y: y) == 1 ? cfa.channel(x: 1, y: y) : cfa.channel(x: 0, y: y)
    }
    self.scale = scale
  }

  /// 1 when the chroma of row `y` stands in odd columns.
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
        if available >= 4 { differences(newest - 2, count, rows, rows.differences) }
        if available >= 6 { variations(newest - 3, count, rows.differences) }
        if available >= 10 { weights(newest - 5, count, rows.differences) }
      }
      if available >= 2 * greenLag {
        greenAtChroma(newest - greenLag, count, rows)
        if isBest { averageGreen(newest - greenLag, count, rows, rows.differences) }
      }
      if available >= 2 * oppositeLag { oppositeAtChroma(newest - oppositeLag, count, rows) }
      if available >= 2 * reach {
        let y = newest - reach
        chromaAtGreen(y, count, rows)
        if let blend { blendRow(y, count, blend, rows) }
        store(y, rect, buffer, origin, isMixed: blend != nil, rows)
      }
    }
  }

  private func load(
    _ source: MutableRowView, _ y: Int, _ count: Int,
    _ rows: borrowing RatioCorrectedRows
  ) {
    let chromaIsOdd = shift(y) == 1
    let even = chromaIsOdd ? rows.mosaic.green.row(y) : rows.mosaic.chroma.row(y)
    let odd = chromaIsOdd ? rows.mosaic.chroma.row(y) : rows.mosaic.green.row(y)
    for i in vectors(count) {
      let low = scale.forward(source.lanes(2 &* i))
      let high = scale.forward(source.lanes(2 &* i &+ 8))
      even.setLanes(i, cv_even8(low, high))
      odd.setLanes(i, cv_odd8(low, high))
    }
  }

  /// Four times the local mean around each chroma photosite.
  private func lowPass(_ y: Int, _ count: Int, _ rows: borrowing RatioCorrectedRows) {
    let s = shift(y)
    let (c, cAbove, cBelow) = (
      rows.mosaic.chroma.row(y), rows.mosaic.chroma.row(y - 1), rows.mosaic.chroma.row(y + 1)
    )
    let (g, gAbove, gBelow) = (
      rows.mosaic.green.row(y), rows.mosaic.green.row(y - 1), rows.mosaic.green.row(y + 1)
    )
    let out = rows.lowPass.row(y)
    for i in vectors(count) {
      let edges = g.lanes(i &- 1 &+ s) + g.lanes(i &+ s) + gAbove.lanes(i) + gBelow.lanes(i)
      let above = cAbove.lanes(i &- 1 &+ s) + cAbove.lanes(i &+ s)
      let below = cBelow.lanes(i &- 1 &+ s) + cBelow.lanes(i &+ s)
      out.setLanes(i, c.lanes(i) + edges * 0.5 + (above + below) * 0.25)
    }
  }

  /// Squares of the high-pass along columns for both halves of row `y`, and along both diagonals
  /// for its chroma.
  private func highPass(_ y: Int, _ count: Int, _ rows: borrowing RatioCorrectedRows) {
    let s = shift(y)
    columnHighPass(
      rows.mosaic.chroma, rows.mosaic.green, y, count, into: rows.vertical.chroma.row(y))
    columnHighPass(
      rows.mosaic.green, rows.mosaic.chroma, y, count, into: rows.vertical.green.row(y))
    let (c0, a1, b1) = (
      rows.mosaic.chroma.row(y), rows.mosaic.chroma.row(y - 1), rows.mosaic.chroma.row(y + 1)
    )
    let (a2, b2) = (rows.mosaic.chroma.row(y - 2), rows.mosaic.chroma.row(y + 2))
    let (a3, b3) = (rows.mosaic.chroma.row(y - 3), rows.mosaic.chroma.row(y + 3))
    let (falling, rising) = (rows.falling.row(y), rows.rising.row(y))
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
    let (p0, a1, b1) = (own.row(y), other.row(y - 1), other.row(y + 1))
    let (a2, b2) = (own.row(y - 2), own.row(y + 2))
    let (a3, b3) = (other.row(y - 3), other.row(y + 3))
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
    _ own: MutableRowView, _ other: MutableRowView, _ s: Int,
    _ count: Int, into out: MutableRowView
  ) {
    for i in vectors(count) {
      out.setLanes(
        i,
        squaredHighPass(
          other.lanes(i &- 2 &+ s), own.lanes(i &- 1), other.lanes(i &- 1 &+ s), own.lanes(i),
          other.lanes(i &+ s), own.lanes(i &+ 1), other.lanes(i &+ 1 &+ s)))
    }
  }

  /// The filter 1, −3, −1, 6, −1, −3, 1, squared: blind to levels and slopes, and to a constant
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

  /// Directions of both halves of row `y`, and the diagonal one of its chroma.
  private func directions(_ y: Int, _ count: Int, _ rows: borrowing RatioCorrectedRows) {
    let s = shift(y)
    let (g, c) = (rows.mosaic.green.row(y), rows.mosaic.chroma.row(y))
    let (hg, hc) = (rows.horizontal.green.row(y), rows.horizontal.chroma.row(y))
    rowHighPass(c, g, s, count, into: hc)
    rowHighPass(g, c, 1 - s, count, into: hg)
    let (vgAbove, vg, vgBelow) = (
      rows.vertical.green.row(y - 1), rows.vertical.green.row(y), rows.vertical.green.row(y + 1)
    )
    let (vcAbove, vc, vcBelow) = (
      rows.vertical.chroma.row(y - 1), rows.vertical.chroma.row(y), rows.vertical.chroma.row(y + 1)
    )
    let (fAbove, f, fBelow) = (
      rows.falling.row(y - 1), rows.falling.row(y), rows.falling.row(y + 1)
    )
    let (rAbove, r, rBelow) = (
      rows.rising.row(y - 1), rows.rising.row(y), rows.rising.row(y + 1)
    )
    let atChroma = rows.direction.chroma.row(y)
    let atGreen = rows.direction.green.row(y)
    let diagonal = rows.diagonal.row(y)
    for i in vectors(count) {
      let (left, right) = (i &- 1 &+ s, i &+ s)
      atChroma.setLanes(
        i,
        share(
          vgAbove.lanes(i) + vc.lanes(i) + vgBelow.lanes(i),
          hg.lanes(left) + hc.lanes(i) + hg.lanes(right)))
      atGreen.setLanes(
        i,
        share(
          vcAbove.lanes(i) + vg.lanes(i) + vcBelow.lanes(i),
          hc.lanes(i &- s) + hg.lanes(i) + hc.lanes(i &+ 1 &- s)))
      diagonal.setLanes(
        i,
        share(
          fAbove.lanes(left) + f.lanes(i) + fBelow.lanes(right),
          rAbove.lanes(right) + r.lanes(i) + rBelow.lanes(left)))
    }
  }

  /// How much of the variation is along the first of two lines; one half where there is none.
  @inline(__always)
  private func share(_ first: SIMD8<Float>, _ second: SIMD8<Float>) -> SIMD8<Float> {
    let least = SIMD8<Float>(repeating: 1e-10)
    let a = cv_max8(first, least)
    return a / (a + cv_max8(second, least))
  }
}

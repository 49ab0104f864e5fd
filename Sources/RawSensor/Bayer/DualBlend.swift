import CVector
import ImageCore

/// Dual demosaic: bilinear where a Bayer picture shows nothing but noise, of which
/// ``RatioCorrectedDemosaic`` makes maze patterns, and more noise.
///
/// Idea: two demosaics blended by local contrast, as raw developers do for high ISO speeds. Here
/// contrast is compared with the known noise. With c a photosite, h and v the sums of its two
/// neighbors of the same color along the row and the column, σ² the variance of a photosite there,
///     e = ((h − 2c)²/6 + (v − 2c)²/6 + (h − v)²/4) / 3σ²
/// has the mean 1 in noise of any brightness and is invariant to levels, slopes and white balance.
/// The weight of the edge-directed result is the smoothstep from `low` to `high` of its mean A over
/// 7 rows and 10 columns; the rest is bilinear. σ² on the square root scale y = √(x + o): (shot · x
/// + read) / 4y². Domain: that of `scale`. Reach: 5 photosites each way, less than the demosaic's
/// own. Chosen: `low` and `high`, by PSNR of eight pictures with noise of shot a = 2e-4, 2e-3,
/// 8e-3: +0.26, +0.71, +0.98 dB over the ratio corrected demosaic by itself. Known failures:
/// texture fainter than noise becomes soft. Noise reduction would have kept some of it and assumes
/// one kind of noise per picture: with it, the blend changes the result by +0.11, −0.13, −0.08 dB.
struct DualBlend: Sendable {
  static let low: Float = 2
  static let high: Float = 6

  /// Variance of each channel per unit of the linear value, and at black.
  private let shot: SIMD3<Float>
  private let read: SIMD3<Float>
  private let scale: DemosaicScale

  init(_ noise: NoiseModel, scale: DemosaicScale) {
    (shot, read) = (noise.shot, noise.read)
    self.scale = scale
  }

  /// One over three times the variance, around photosites of `channel` that are `y` on the mean.
  @inline(__always)
  private func precision(_ y: SIMD8<Float>, _ channel: Int) -> SIMD8<Float> {
    let linear = cv_max8(scale.inverse(y), .zero)
    let variance = linear * shot[channel] + read[channel]
    return scale.isLinear ? 1 / (variance * 3) : y * y / (variance * 0.75)
  }

  /// e, from the photosite and its four neighbors of the same color.
  @inline(__always)
  func activity(
    _ c: SIMD8<Float>, _ west: SIMD8<Float>, _ east: SIMD8<Float>, _ north: SIMD8<Float>,
    _ south: SIMD8<Float>, channel: Int
  ) -> SIMD8<Float> {
    let (h, v, twice) = (west + east, north + south, c + c)
    let (a, b, d) = (h - twice, v - twice, h - v)
    let curvature: SIMD8<Float> = (a * a + b * b) * (1 / 6)
    let squares: SIMD8<Float> = curvature + d * d * 0.25
    let mean: SIMD8<Float> = (h + v + twice + twice) * 0.125
    return squares * precision(mean, channel)
  }

  /// Weight of the edge-directed result where the mean of e is `activity`.
  @inline(__always)
  func weight(_ activity: SIMD8<Float>) -> SIMD8<Float> {
    let zero = SIMD8<Float>(repeating: 0)
    let t = cv_clamp8(
      (activity - Self.low) * (1 / (Self.high - Self.low)), zero, SIMD8(repeating: 1))
    return t * t * (3 - t - t)
  }
}

/// The blend as a step of ``RatioCorrectedDemosaic``.
extension RatioCorrectedDemosaic {
  /// The sum of e of each pair of photosites of row `y`.
  func activity(_ y: Int, _ count: Int, _ blend: DualBlend, _ rows: borrowing RatioCorrectedRows) {
    let (g, gN, gS) = (
      rows.mosaic.green[y], rows.mosaic.green[y - 2], rows.mosaic.green[y + 2]
    )
    let (c, cN, cS) = (
      rows.mosaic.chroma[y], rows.mosaic.chroma[y - 2], rows.mosaic.chroma[y + 2]
    )
    let out = rows.blend.activity[y]
    let own = chroma[y & 1]
    for i in vectors(count) {
      let (left, right) = (i &- 1, i &+ 1)
      let green = blend.activity(
        g.lanes(i), g.lanes(left), g.lanes(right), gN.lanes(i), gS.lanes(i), channel: 1)
      let other = blend.activity(
        c.lanes(i), c.lanes(left), c.lanes(right), cN.lanes(i), cS.lanes(i), channel: own)
      out.setLanes(i, green + other)
    }
  }

  /// Blends row `y` of the edge-directed result with means of neighbors.
  func blendRow(_ y: Int, _ count: Int, _ blend: DualBlend, _ rows: borrowing RatioCorrectedRows) {
    let column = rows.blend.activitySums[y]
    let around = (-3...3).map { rows.blend.activity[y + $0] }
    for i in vectors(count) {
      let (far, middle, near) = (
        around[0].lanes(i) + around[6].lanes(i), around[1].lanes(i) + around[5].lanes(i),
        around[2].lanes(i) + around[4].lanes(i)
      )
      column.setLanes(i, far + middle * 2 + near * 3 + around[3].lanes(i) * 4)
    }
    let s = shift(y)
    let (g, gN, gS) = (
      rows.mosaic.green[y], rows.mosaic.green[y - 1], rows.mosaic.green[y + 1]
    )
    let (c, cN, cS) = (
      rows.mosaic.chroma[y], rows.mosaic.chroma[y - 1], rows.mosaic.chroma[y + 1]
    )
    let (green, opposite) = (rows.greenAtChroma[y], rows.oppositeAtChroma[y])
    let (own, other) = (rows.ownAtGreen[y], rows.oppositeAtGreen[y])
    let (mixedGreen, mixedOpposite) = (rows.blend.green[y], rows.blend.opposite[y])
    for i in vectors(count) {
      let near = column.lanes(i &- 1) + column.lanes(i &+ 1)
      let far = column.lanes(i &- 2) + column.lanes(i &+ 2)
      let t = blend.weight((far + near * 2 + column.lanes(i) * 3) * (1 / 288))
      let (left, right) = (i &- 1 &+ s, i &+ s)
      let meanGreen = (g.lanes(left) + g.lanes(right) + gN.lanes(i) + gS.lanes(i)) * 0.25
      let corners = cN.lanes(left) + cN.lanes(right) + cS.lanes(left) + cS.lanes(right)
      mixedGreen.setLanes(i, mix(meanGreen, green.lanes(i), t))
      mixedOpposite.setLanes(i, mix(corners * 0.25, opposite.lanes(i), t))
      let (west, east) = (i &- s, i &+ 1 &- s)
      own.setLanes(i, mix((c.lanes(west) + c.lanes(east)) * 0.5, own.lanes(i), t))
      other.setLanes(i, mix((cN.lanes(i) + cS.lanes(i)) * 0.5, other.lanes(i), t))
    }
  }

  @inline(__always)
  private func mix(
    _ smooth: SIMD8<Float>, _ directed: SIMD8<Float>, _ weight: SIMD8<Float>
  ) -> SIMD8<Float> { smooth + weight * (directed - smooth) }
}

/// Working memory of one worker for ``DualBlend``.
struct DualBlendRows: ~Copyable {
  /// e of pairs of photosites, and its weighted sum over seven rows, of which only the newest is
  /// used.
  let activity: RowRing
  let activitySums: RowRing
  /// Blended green, and the other chroma, at chroma photosites; only the newest row is used.
  let green: RowRing
  let opposite: RowRing

  /// Rows of `half` pairs of photosites.
  init(half: Int) {
    activity = RowRing(width: half)
    activitySums = RowRing(width: half)
    green = RowRing(width: half)
    opposite = RowRing(width: half)
  }
}

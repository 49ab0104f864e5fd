import CKernels
import CVector
import ImageCore

/// The change that enhances the local contrast of a picture, at low resolution (``ChangeLines``).
///
/// Made from a ``LuminanceProxy`` of at most 1024 samples along the longer side, so that it
/// enhances structures relative to the picture's size: up to some 5 % of that side. Its detail d
/// above a ``LocalMedian`` is enhanced where it is small, but not where it is a separate object,
///
///     change = gain · d · (1 − (d/span)²)² · max(0, 1 − t² N / V)     0 from `span` on
///
/// N the variance of the samples' noise in stops, V the mean of d² over 5 × 5 samples. Lines are
/// fitted over windows of 5 × 5 and 3 × 3 samples with ε = 0.06 EV, so unresolved texture is
/// enhanced with what the samples show of it, where that exceeds the noise of the camera's pixels.
/// Their slopes are limited to −1…1, so the order of luminances within a window is preserved. Stops
/// in and out. Independent of the amount, so it can be cached while that changes. Known failures:
/// as of the median at corners; a speck in a flat sky is enhanced, too.
package struct ContrastGains: Sendable {
  static let gain: Float = 1.2
  /// Stops from which detail is unchanged.
  static let span: Float = 1.4
  /// Number of standard deviations of noise up to which detail is unchanged: t.
  static let threshold: Float = 1.5
  static let windows = ChangeLines.Windows(
    radius: 2, meanRadius: 1, epsilon: 0.0036, slopeLimit: 1)
  /// Largest change at amount 1, in stops, either way.
  static let limit: Float = 0.75
  /// Stops below the peak over which the change fades.
  static let fade: Float = 0.25

  let lines: ChangeLines

  /// `noise`: of the pixels that the proxy was made from; `pixelNoise`: of the camera's pixels.
  init(
    _ proxy: LuminanceProxy, noise: LuminanceNoise = .none, pixelNoise: LuminanceNoise = .none,
    workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) {
    guard proxy.size.area > 0 else {
      lines = try ChangeLines(proxy)
      return
    }
    let (stops, changes, powers, rows) = (try proxy.stops(), TilePlane(), TilePlane(), TilePlane())
    try LocalMedian.detail(of: stops, into: changes, workers: workers)
    try powers.reshape(stops.rect)
    for y in 0..<proxy.size.height {
      let (detail, power) = (changes.row(y), powers.row(y))
      for x in vectors(proxy.size.width) {
        power.setLanes(x, detail.lanes(x) * detail.lanes(x))
      }
    }
    try powers.boxMean(radius: 2, rows)
    // Demosaiced noise is not white: averaging leaves twice as much of its variance.
    let left = proxy.cell > 1 ? 2 / Float(proxy.cell * proxy.cell) : 1
    let factor = Self.threshold * Self.threshold * left
    for y in 0..<proxy.size.height {
      let (change, power, level) = (changes.row(y), powers.row(y), stops.row(y))
      for x in vectors(proxy.size.width) {
        let luminance = cv_exp2_8(level.lanes(x))
        let spread = Self.variance(of: noise, at: luminance) * factor
        let signal = cv_max8(1 - spread / (power.lanes(x) + 1e-9), .zero)
        let detail = change.lanes(x)
        let part = detail / Self.span
        let near = cv_max8(1 - part * part, .zero)
        change.setLanes(x, detail * near * near * signal * Self.gain)
        power.setLanes(x, Self.variance(of: pixelNoise, at: luminance))
      }
    }
    lines = try ChangeLines(proxy, changes, over: stops, Self.windows, noise: powers)
  }

  /// In stops².
  @inline(__always)
  private static func variance(
    of noise: LuminanceNoise, at luminance: SIMD8<Float>
  ) -> SIMD8<Float> {
    (luminance * noise.slope + noise.offset) / (luminance * luminance) * (1.442695041 * 1.442695041)
  }

  /// The bounds of the change, for the kernels.
  var kernel: ck_localTone {
    ck_localTone(
      lowest: -Self.limit, highest: Self.limit, peak: lines.proxy.peak, fade: Self.fade,
      floor: LogLuminance.floor)
  }
}

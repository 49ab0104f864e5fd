import CKernels
import ImageCore

/// Reconstructs saturated channels of already demosaiced pixels (linear DNG, ProRAW) from the
/// others.
///
/// The idea of "inpaint opposed" (H. Pärt, 2022), pixel by pixel: where one channel saturates first
/// the pixel is tinted by its loss (magenta for green), so it is raised at least to the mean of the
/// channels that are not saturated. With u the weight of a channel, falling from 1 to 0 between
/// `start` and 1 of its saturation, and ε = 0.001:
///
///     ref = ((u₁√a + u₂√b + ε√ceiling) / (u₁ + u₂ + ε))²      the other channels a, b
///     c'  = c + (1 − u)·max(min(ref, ceiling) − c, 0)
///
/// so pixels all of whose channels are saturated become the neutral `ceiling`. Means are taken of
/// square roots, which are perceptually more uniform. All values are multiplied by `white` before
/// and divided by it afterwards, so neutral is relative to the white in use. Pixels below `start`
/// are unchanged; the result is continuous. Units: balanced linear values. Known failure: a
/// saturated light source of strong color loses some of it.
struct LinearHighlights: Sendable {
  /// Fraction of its saturation from which a channel is treated.
  private static let start: Float = 0.97
  /// ε.
  private static let trace: Float = 0.001

  let clip: SIMD4<Float>
  /// Value under the white in use of a neutral all of whose channels are saturated.
  let ceiling: Float
  /// ``SensorSettings/white``.
  var white = SIMD4<Float>.one

  /// Changes `rows` in place.
  func apply(_ rows: RGBRows) {
    let gains = SIMD3(white.x, white.y, white.z)
    var settings = ck_linearHighlights(
      clip: ck_threeValues(SIMD3(clip.x, clip.y, clip.z) * gains),
      gains: ck_threeValues(gains), ceiling: ceiling, start: Self.start,
      trace: Self.trace)
    ck_rebuildLinear(&settings, rows.kernel, Int64(rows.count))
  }
}

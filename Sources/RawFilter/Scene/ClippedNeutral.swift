import CVector
import ImageCore

/// Keeps fully saturated pixels neutral when the white balance is not that under which highlights
/// are reconstructed.
///
/// Under that, "everything clipped" is three equal values at the ceiling. Under another white that
/// gray would be tinted, although nothing is known of its color. From 0.9 of the ceiling upwards
/// (smallest channel, with the gains of the white of the reconstruction) the pixel is moved to the
/// neutral of the chosen white, v, of the level that v has for a green of 1:
/// rgb' = rgb + w · (g · v − rgb), w = smoothstep(0.9, 1, min(gains · rgb) / ceiling).
/// It is left out where both are the same white, so those pixels return bit for bit.
struct ClippedNeutral: Sendable {
  private let ceiling: Float
  private let gains: SIMD3<Float>
  private let neutral: SIMD3<Float>

  /// Highlights reconstructed under the white of `gains`, shown under that of `gainsInUse`. Both
  /// are relative to the as-shot white, and so is the value at which all channels are clipped.
  init(
    ceiling: Float, gains: SIMD3<Float>, ceilingInUse: Float, gainsInUse: SIMD3<Float>
  ) {
    (self.ceiling, self.gains) = (ceiling, gains)
    neutral = ceilingInUse * gains.y / ceiling / gainsInUse
  }

  func apply(_ rows: RGBRows) {
    let start = ceiling * 0.9
    for i in vectors(rows.count) {
      var pixel = rows.lanes(i)
      let low = pointwiseMin(
        pointwiseMin(pixel.red * gains.x, pixel.green * gains.y), pixel.blue * gains.z)
      guard cv_anyPositive8(low - start) else { continue }
      let t = ((low - start) / (ceiling - start)).clamped(lowerBound: .zero, upperBound: .one)
      let w = t * t * (3 - 2 * t)
      let level = pixel.green
      pixel.red += w * (level * neutral.x - pixel.red)
      pixel.green += w * (level * neutral.y - level)
      pixel.blue += w * (level * neutral.z - pixel.blue)
      rows.setLanes(i, pixel)
    }
  }
}

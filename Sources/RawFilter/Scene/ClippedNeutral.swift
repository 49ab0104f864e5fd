import CVector
import ImageCore

/// Keeps fully saturated pixels neutral if highlights are reconstructed under another white than
/// the one in use.
///
/// Under the white of the reconstruction, fully clipped pixels are three equal values at the
/// ceiling. Under another white they would be tinted, although their color is unknown. From 0.9 of
/// the ceiling upwards (smallest channel, with the gains of the white of the reconstruction) the
/// pixel is blended towards the neutral of the white in use, v, at the level of v for a green of 1:
/// rgb' = rgb + w · (g · v − rgb), w = smoothstep(0.9, 1, min(gains · rgb) / ceiling). Left out if
/// both whites are equal, so pixels are bit-exact.
struct ClippedNeutral: Sendable {
  private let ceiling: Float
  private let gains: SIMD3<Float>
  private let neutral: SIMD3<Float>

  /// Highlights reconstructed under the white of `gains`, shown under the white of `gainsInUse`.
  /// Both are relative to the as-shot white, and so is the value at which all channels are clipped.
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

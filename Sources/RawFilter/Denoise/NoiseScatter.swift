import CVector
import ImageCore

/// How far the mean light of a noisy flat area lies above the light of its mean on the scale of
/// ``NoiseStabilization``, for one channel: what the way back has to add where noise is smoothed
/// away.
///
/// On a square root scale this is a quarter of the shot noise times the variance, except near
/// black, where the scale becomes straight, the demosaic treats noise otherwise and scatter is not
/// Gaussian. So it is measured on what the sensor stages make of flat areas with this noise.
/// Formula: excess(E) = (mean light − √b·E) · 4/a − max(E, 0)², straight between the knots,
/// constant above, falling to 0 at −4.
struct NoiseScatter: Sendable {
  /// Means on the scale at which flat areas are simulated.
  static let knots: [Float] = [0, 0.5, 1, 2, 3.5, 6, 10]
  static let side = 128
  private static let border = 8

  /// Means of a simulated flat area.
  struct Sample {
    /// Of light, and of its values on the scale.
    var light = SIMD3<Double>()
    var scaled = SIMD3<Double>()

    init(_ picture: Image<CameraRGB>, _ scale: NoiseStabilization) {
      let border = NoiseScatter.border
      var count = 0.0
      for y in border..<picture.size.height - border {
        for x in border..<picture.size.width - border {
          let rgb = picture[x, y]
          let y = scale.forward(SIMD8(rgb.x, rgb.y, rgb.z, 0, 0, 0, 0, 0))
          light += SIMD3<Double>(rgb)
          scaled += SIMD3(Double(y[0]), Double(y[1]), Double(y[2]))
          count += 1
        }
      }
      light /= count
      scaled /= count
    }
  }

  /// Mean at which each piece begins, one over its length, and what it adds.
  private var pieces: [SIMD3<Float>] = []
  /// From here on nothing changes.
  private let end: Float
  private let last: Float

  /// `samples`: one for each of ``knots``; `unit`: variance that their variance stands for.
  init(_ samples: [Sample], channel: Int, _ scale: NoiseStabilization, unit: Float) {
    var (start, height): (Float, Float) = (-4, 0)
    for sample in samples {
      let mean = Float(sample.scaled[channel])
      let above = max(sample.scaled[channel], 0)
      let rest = sample.light[channel] - Double(scale.rootRead) * sample.scaled[channel]
      let excess = scale.shot > 0 ? Float(rest * 4 / Double(scale.shot) - above * above) * unit : 0
      guard mean > start else { continue }
      pieces.append(SIMD3(start, 1 / (mean - start), excess - height))
      (start, height) = (mean, excess)
    }
    (end, last) = (start, height)
  }

  /// The excess at the mean `y`.
  @inline(__always)
  func excess(_ y: SIMD8<Float>) -> SIMD8<Float> {
    guard cv_anyPositive8(end - y) else { return SIMD8(repeating: last) }
    let (zero, one) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 1))
    var sum = zero
    for piece in pieces { sum += cv_clamp8((y - piece.x) * piece.y, zero, one) * piece.z }
    return sum
  }
}

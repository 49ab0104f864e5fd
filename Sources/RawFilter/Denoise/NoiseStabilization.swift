import CVector

/// A scale in which noise has the same size at every brightness, and the way back that keeps means.
///
/// Source: Anscombe (1948), generalised; here with a straight line below black, so that no value is
/// cut off: f(x) = ∫ dx / √(a·max(x, 0) + b).
/// Formula: f(x) = 2x / (√(a·max(x, 0) + b) + √b); f⁻¹(y) = √b·y + (a/4)·max(y, 0)².
/// A smoothed y stands for the mean E of values that scattered with variance v around it. The mean
/// of their light is √b·E + (a/4)·h, h = mean of max(y, 0)² = (E² + v)·Φ(E/√v) + √v·E·φ(E/√v) for
/// Gaussian scatter; the algebraic way back, h = max(E, 0)², would darken.
/// `a`, `b`: the means of the channels' shot and read noise, b raised by 3/8 a² as Anscombe has it.
/// One scale serves all channels, so that what is grey stays without colour in it; each channel then
/// has a variance of its own, near 1.
/// Units: balanced light in, standard deviations of noise out.
/// Error: Φ by a logistic curve, 2e-4 at most.
struct NoiseStabilization: Sendable {
  let shot: Float
  let read: Float
  private let rootRead: Float

  init(_ model: NoiseModel) {
    shot = model.shot.sum() / 3
    read = model.read.sum() / 3 + 0.375 * shot * shot
    rootRead = cv_sqrt(read)
  }

  /// Variance of channel values on this scale, of photosites in the shadows, where noise is seen.
  func variances(_ model: NoiseModel) -> SIMD3<Float> {
    let light: Float = 0.05
    return model.variance(at: light) / (shot * light + read)
  }

  /// x, zero for what is no number, and nothing larger than any light.
  @inline(__always)
  static func whole(_ x: SIMD8<Float>) -> SIMD8<Float> {
    cv_clamp8(cv_number8(x), SIMD8(repeating: -65536), SIMD8(repeating: 65536))
  }

  @inline(__always)
  func forward(_ x: SIMD8<Float>) -> SIMD8<Float> {
    (x + x) / (cv_sqrt8(cv_max8(x, SIMD8(repeating: 0)) * shot + read) + rootRead)
  }

  /// Light whose mean is that of values which scattered with variance `v` around `y`.
  @inline(__always)
  func inverse(_ y: SIMD8<Float>, variance v: Float) -> SIMD8<Float> {
    let zero = SIMD8<Float>(repeating: 0)
    let reach = 4 * cv_sqrt(v)
    let above = cv_max8(y, zero)
    var square = above * above + v
    if cv_anyPositive8(SIMD8(repeating: reach) - y) {
      let z = y / max(cv_sqrt(v), 1e-6)
      let inside = cv_clamp8(z, SIMD8(repeating: -6), SIMD8(repeating: 6))
      // Φ(z) = 1 / (1 + e^−(1.5976 z + 0.07056 z³)); Bowling et al. (2009).
      let exponent = inside * (inside * inside * 0.07056 + 1.5976) * -1.4426950
      let share = 1 / (cv_exp2_8(exponent) + 1)
      let density = cv_exp2_8(inside * inside * -0.7213475) * 0.3989423
      let near = (y * y + v) * share + y * cv_sqrt(v) * density
      square = cv_select8(y - reach, square, cv_max8(near, zero))
      square = cv_select8(y + reach, square, zero)
    }
    return y * rootRead + square * (shot * 0.25)
  }
}

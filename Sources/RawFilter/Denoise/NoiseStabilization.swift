import CVector

/// A scale in which noise has the same size at every brightness, and the way back that keeps means.
///
/// Source: Anscombe (1948), generalized; here with a straight line below black, so that no value is
/// cut off: f(x) = ∫ dx / √(a·max(x, 0) + b).
/// Formula: f(x) = 2x / (√(a·max(x, 0) + b) + √b); f⁻¹(y) = √b·y + (a/4)·max(y, 0)².
/// A smoothed y stands for the mean of values that scattered around it, and the mean of their light
/// is larger than the light of their mean by (a/4) times the excess that ``NoiseScatter`` knows.
/// `a`, `b`: the means of the channels' shot and read noise, b at least Anscombe's 3/8 a².
/// One scale serves all channels, so that what is gray stays without color in it; each channel then
/// has a variance of its own, near 1.
/// Units: balanced light in, standard deviations of noise out.
struct NoiseStabilization: Sendable {
  let shot: Float
  let read: Float
  let rootRead: Float

  init(_ model: NoiseModel) {
    shot = model.shot.sum() / 3
    read = max(model.read.sum() / 3, 0.375 * shot * shot)
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

  /// Light whose noise, smoothed away, had `excess` (``NoiseScatter``); the plain way back with 0.
  @inline(__always)
  func inverse(_ y: SIMD8<Float>, excess: SIMD8<Float>) -> SIMD8<Float> {
    let above = cv_max8(y, SIMD8(repeating: 0))
    return y * rootRead + (above * above + excess) * (shot * 0.25)
  }

  /// The light at `y` of the scale, without noise.
  func light(_ y: Float) -> Float {
    inverse(SIMD8(repeating: y), excess: SIMD8(repeating: 0))[0]
  }
}

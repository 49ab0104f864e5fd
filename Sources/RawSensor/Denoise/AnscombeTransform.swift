import CKernels
import CVector

/// The generalized Anscombe transform: a scale on which noise has the same variance at every
/// brightness, and the inverse that preserves means.
///
/// Source: Anscombe (1948), generalized; here with a straight line below black, so that no value is
/// clipped: f(x) = ∫ dx / √(a·max(x, 0) + b). Formula: f(x) = 2x / (√(a·max(x, 0) + b) + √b);
/// f⁻¹(y) = √b·y + (a/4)·max(y, 0)². A denoised y is a mean of noisy values; the mean of their
/// linear values exceeds the linear value of their mean by a/4 times the bias of ``InverseBias``.
/// `a`, `b`: the means of the channels' shot and read noise, b at least Anscombe's 3/8 a². All
/// channels use one scale, so that gray stays neutral; the variance of each channel is then near 1.
/// Units: balanced linear values in, standard deviations of noise out.
struct AnscombeTransform: Sendable {
  let shot: Float
  let read: Float
  let rootRead: Float

  init(_ model: NoiseModel) {
    shot = model.shot.sum() / 3
    read = max(model.read.sum() / 3, 0.375 * shot * shot)
    rootRead = cv_sqrt(read)
  }

  /// Variance of each channel on this scale for photosites in the shadows, where noise is visible.
  func variances(_ model: NoiseModel) -> SIMD3<Float> {
    let linear: Float = 0.05
    return model.variance(at: linear) / (shot * linear + read)
  }

  /// The transform in kernel form.
  var kernel: ck_anscombe { ck_anscombe(shot: shot, read: read, rootRead: rootRead) }

  func forward(_ x: SIMD8<Float>) -> SIMD8<Float> { ck_stabilized(kernel, x) }

  /// The linear value for a `bias` of the removed noise (``InverseBias``); the plain inverse with
  /// 0.
  func inverse(_ y: SIMD8<Float>, bias: SIMD8<Float>) -> SIMD8<Float> {
    ck_linearized(kernel, y, bias)
  }

  /// The linear value at `y` of the scale, without noise.
  func linear(_ y: Float) -> Float {
    inverse(SIMD8(repeating: y), bias: SIMD8(repeating: 0))[0]
  }
}

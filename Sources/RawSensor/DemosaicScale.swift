import CKernels
import CVector

/// The scale on which a demosaic interpolates: square roots, or linear. Unlike
/// ``AnscombeTransform`` it needs no noise model.
///
/// Source: Anscombe (1948), generalized to read noise by Foi et al. (2008): where the variance of x
/// grows linearly with x, √(x + o) has the same variance everywhere. Interpolating there weights
/// noise uniformly and reduces the steps at highlights, which gains 1 to 2 dB (PSNR of the encoded
/// picture). Formula: f(x) = √(x + o), f⁻¹(y) = y² − o. `o` is constant over the picture, twice the
/// magnitude of the lowest sample: so no sample is clipped, and o is near the ratio of read noise
/// to gain of the source (a lower o darkens the mean of noise in the shadows). The linear scale
/// keeps the offset, so that the input of the demosaic is never negative. Known failure: at an edge
/// the mean of roots is slightly below the root of the mean.
struct DemosaicScale: Sendable {
  /// Added before the root, in balanced linear values.
  let offset: Float
  let isLinear: Bool

  /// For a mosaic whose lowest sample is `minimum`.
  init(minimum: Float, domain: SensorSettings.DemosaicDomain) {
    offset = max(1e-3, -2 * minimum)
    isLinear = domain == .linear
  }

  /// The scale in kernel form.
  var kernel: ck_demosaicScale {
    ck_demosaicScale(offset: offset, isLinear: isLinear)
  }

  @inline(__always)
  func forward(_ x: Float) -> Float {
    let lifted = max(x + offset, 0)
    return isLinear ? lifted : cv_sqrt(lifted)
  }

  @inline(__always)
  func inverse(_ y: Float) -> Float { isLinear ? y - offset : y * y - offset }
}

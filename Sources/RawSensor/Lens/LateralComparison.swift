import CKernels
import ImageCore

/// One color of a ``LateralWindow`` compared with green, for ``LateralColorFit``: its displacement,
/// and the information that the window has about it.
///
/// Formula: with r the color resampled by its assumed displacement and g green, both minus their
/// means, the contrast α = Σgr / Σg², and ∇ the mean of the gradients of αg and r, E = r − αg and
/// the window's own shift δ = −(Σ∇∇ᵀ)⁻¹ Σ∇E. The sums are made by the kernel of the same name.
/// Units: roots of balanced values, superpixels.
struct LateralComparison: Sendable {
  let position: SIMD2<Double>
  let correlation: Float
  /// Σ ∇x², Σ ∇x∇y, Σ ∇y².
  let information: SIMD3<Double>
  /// −Σ ∇E.
  let target: SIMD2<Double>
  /// Residual variance after the window's own shift.
  let variance: Double
  /// The window's own shift.
  let own: SIMD2<Double>

  /// How far `model` is from the window's own shift, in squared standard deviations.
  func distance(_ model: SIMD2<Double>) -> Double {
    let d = own - model
    return
      (information.x * d.x * d.x + 2 * information.y * d.x * d.y + information.z * d.y * d.y)
      / variance
  }

  /// `color` of `window`, read `displaced` superpixels away.
  init(
    _ window: LateralWindow, color: Int, displaced: SIMD2<Double>, at position: SIMD2<Double>
  ) {
    self.position = position
    // Limited to the margin of the windows.
    let limit = SIMD2<Double>(repeating: Double(LateralWindow.margin - 4))
    var taps = ck_lateralTaps(pointwiseMin(pointwiseMax(displaced, -limit), limit))
    let (stride, side) = (window.stride, window.side)
    let first = LateralWindow.margin * (stride + 1)
    var sums = ck_lateralSums()
    window.planes[1].withUnsafeBufferPointer { green in
      window.planes[color].withUnsafeBufferPointer { other in
        guard let g = green.baseAddress, let r = other.baseAddress else { return }
        ck_compareLateral(&taps, g + first, r + first, Int64(stride), Int64(side), &sums)
      }
    }
    let count = Double(side * side)
    let mean = SIMD2(Double(sums.x), Double(sums.y)) / count
    correlation = sums.gr / max(sums.gg * sums.rr, 1e-20).squareRoot()
    information =
      SIMD3(Double(sums.xx), Double(sums.xy), Double(sums.yy))
      - SIMD3(mean.x * mean.x, mean.x * mean.y, mean.y * mean.y) * count
    target = -SIMD2(Double(sums.xe), Double(sums.ye))
    let ridge = 1e-3 * (information.x + information.z) + 1e-12
    let (xx, zz) = (information.x + ridge, information.z + ridge)
    let determinant = xx * zz - information.y * information.y
    own =
      SIMD2(
        zz * target.x - information.y * target.y, xx * target.y - information.y * target.x)
      / determinant
    variance =
      max(Double(sums.ee) - (own * target).sum(), 0) / count + LateralColorFit.minVariance
  }
}

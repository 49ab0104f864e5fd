import CKernels
import Foundation
import ImageCore

/// Darker or brighter corners of the picture as it is cropped.
///
/// Source: the usual controls, with our own falloff. In units of half the sides of the frame, the
/// point (x, y), p = 2 for roundness ≥ 0, else 2 · 4^−roundness, and with t = 1 at the corners:
///
///     t = (|x|ᵖ + |y|ᵖ)^(1/p) · 2^(−1/p)
///     stops = 2 · amount · smoothstep((t − start) / width)
///     start = middle − width / 2,    width = (0.02 + 1.16 · feather) · min(1, (1 − middle) / 0.3)
///     middle = 0.3 + 0.8 · midpoint up to 0.7, from there 0.55 + 0.3 · midpoint
///
/// so that the corners get the full amount at any midpoint (feather up to 0.5). Towards roundness 1
/// the half sides A and B become √((A² + B²) / 2), which makes the ellipse a circle through the
/// same corners. Scene-linear in and out, all channels alike; the brightest value of the scene is
/// not exceeded. Amount −1…1 (darker … brighter), midpoint, feather 0…1, roundness −1…1. Laws: the
/// center is unchanged if start > 0; the effect grows with the amount; amount 0 leaves the stage
/// out; a pixel's gain depends only on its position in the frame, not on the picture's size (except
/// for half a pixel). Known failures: in very smooth skies the falloff shows banding at 8 bits;
/// with a perspective the falloff is positioned as without it.
struct Vignette: Sendable {
  private let settings: LookSettings.Vignette

  /// nil for amount 0.
  init?(_ settings: LookSettings.Vignette) {
    guard settings.amount != 0 else { return nil }
    self.settings = settings
  }

  /// The kernel's parameters for an upright picture of `size`, whose brightest value is `peak`.
  func kernel(_ size: PixelSize, _ frame: PictureFrame, peak: Float) -> ck_vignette {
    let (center, box, turn) = frame.box(in: size)
    let circle = ((box * box).sum() / 2).squareRoot()
    let roundness = Double(settings.roundness)
    let half = box + max(roundness, 0) * (SIMD2(circle, circle) - box)
    let power = 2 * exp2(-2 * min(roundness, 0))
    let middle = min(0.3 + 0.8 * settings.midpoint, 0.55 + 0.3 * settings.midpoint)
    let width = (0.02 + 1.16 * settings.feather) * min(1, (1 - middle) / 0.3)
    return ck_vignette(
      centerX: Float(center.x), centerY: Float(center.y), cosine: Float(cos(turn)),
      sine: Float(sin(turn)), scaleX: Float(1 / half.x), scaleY: Float(1 / half.y),
      power: Float(power), start: middle - width / 2, slope: 1 / width,
      stops: 2 * settings.amount, peak: peak)
  }
}

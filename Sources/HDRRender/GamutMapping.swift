import CKernels
import Foundation
public import ImageCore

/// Maps out-of-gamut colors into the gamut of a display's primaries.
///
/// Linear RGB of the target primaries in and out. Each color moves at its own hue and lightness in
/// Oklab towards gray. Cube roots of the cones' signals are linear in the remaining fraction k of
/// chroma, so each channel is a cubic in k, and the k at which the first becomes negative is found
/// by bisection and a last secant:
///
///     rgb(k) = M · (L + k · d)³        M from cones' signals, d of the color's a and b
///     s = 1 / k on the surface         1 for a color there
///     s > t:  z = (s − t) / (1 − t),  s' = t + (1 − t) · z / (1 + z),  k = s' / s
///
/// and then, where a channel is still above the headroom H, once more until it is at H. The
/// rational knee is C1, reaches the surface only for infinite s and so never lets two colors of one
/// hue collapse. Where min ≥ (1 − t) · max and max ≤ H, which is within s ≤ t, every value is
/// returned bit for bit, and so is every other color within it; t = 0.95. Lightness is limited to
/// the lightness of H.
///
/// For finished pictures t = 1: every color inside stays bit for bit, and colors outside end at the
/// surface, k = 1 / s. Rounding in another gamut and back puts colors of the surface outside, and
/// the way along a hue that is almost parallel to the surface is up to 20 times as far. So a color
/// of which a channel is outside by up to 0.5 % of the largest channel + 0.05 is clipped: that
/// moves it the least. From 50 % on, as BT.2020's green in sRGB, it is mapped, with a smooth step
/// between the two that is wide because a bright yellow is clipped to a yellow and mapped to a pale
/// one, and a narrow step would be visible as a spot.
///
/// The surface: beside the blue primary, whose edge to black all but lies on a line of one hue, two
/// degrees of hue would halve the chroma that is left. So a channel may lack up to 3 % of blue at
/// chroma / L of 0.25 to 0.72, in a parabola, and is cut there, which turns hues of 253 to 262
/// degrees by up to 4.7 in sRGB.
///
/// Why Oklab: towards the gray of equal luminance in linear RGB, saturated blue turns azure, and
/// where luminance is near zero it would turn black. Hues of blue are uniform in Oklab, and its
/// lightness preserves them. Known failures: a color with almost no signal of one kind of cones is
/// imaginary; signals are limited to 2 % of the largest at least, the middle one to 8 %, and hue
/// turns there. Monochromatic light of 470 nm keeps its hue and lightness in sRGB at a third of its
/// chroma.
public struct GamutMapping: Sendable {
  /// Fraction of the way to the gamut's surface from which colors of a rendition are compressed.
  static let knee: Float = 0.95

  private let gamut: ck_gamut

  /// Maps into `primaries`, largest value `headroom`. `keepsInside`: colors that are inside stay as
  /// they are, up to the surface.
  public init(primaries: Primaries, headroom: Float, keepsInside: Bool = false) {
    let toLMS = Oklab.toLMS * primaries.conversion(to: .bt2020)
    gamut = ck_gamut(
      toLMS: ck_matrix(toLMS), toLab: ck_matrix(Oklab.toLab), fromLab: ck_matrix(Oklab.fromLab),
      fromLMS: ck_matrix(toLMS.inverse ?? .identity), knee: keepsInside ? 1 : Self.knee,
      headroom: headroom,
      headroomRoot: cbrt(headroom))
  }

  /// Maps each pixel of `rows`.
  package func apply(_ rows: RGBRows) {
    withUnsafePointer(to: gamut) { ck_gamutRow($0, rows.kernel, Int64(rows.count)) }
  }
}

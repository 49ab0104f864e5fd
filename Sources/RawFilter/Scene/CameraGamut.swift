import CKernels
import ImageCore

/// Maps colors that a camera's matrix puts outside of the visible gamut back into it, in particular
/// of blue lamps.
///
/// A matrix is fitted to surface colors. Narrow-band light of 440 to 470 nm, which has hardly any
/// signal in red and green, becomes negative in red and green, and often in luminance. The eye's
/// red sensitivity rises again below 460 nm, which makes such light violet; the filters of most
/// cameras do not, and their matrix subtracts much of blue from red, which shows in the red of the
/// camera's blue primary. So, all in units of the largest channel, linear BT.2020:
///
///     v = 0.62 · r − g + 0.01 − 1.55 · (red / blue of the matrix's blue column)
///     r' = r + 0.15 · S(v / 0.34) · S((0.22 − r) / 0.27)          S(x) = x² · (3 − 2x), 0…1
///     r'' = floor + A(r' − floor), floor = −0.45 · min(g, b), t = 0.02
///     g'' = A(g), t = 0.03;  b'' = A(b), t = 0.002                A(x) = t² / (2t − x) below t
///
/// The floor is the spectrum's line from blue to green, which lies outside of BT.2020. The largest
/// channel is unchanged, so luminance does not exceed that of blue itself, and the peak of a
/// picture is that of the matrix. Continuous, and C1 except where channels swap. A color without a
/// channel below 0.03 is returned bit for bit unless its red is below 0.22 and v above 0; of 190
/// surfaces these are the bluest, and change by up to 0.013.
///
/// The constants were fitted to light of 440 to 480 nm, pure and with white, through the
/// sensitivities of 52 cameras (rawtoaces-data, Apache-2.0) and matrices fitted in two ways, to the
/// eye's hue in Oklab, held to within 3 degrees of one camera's picture of a stage. Mean error of
/// hue in sRGB 5.7 degrees; by the matrix alone 11. Known failures: pure light of 470 and 480 nm is
/// 14 degrees too violet, as cameras without red sensitivity below 500 nm cannot distinguish it
/// from colors on the gamut's surface; noise of green in such colors becomes noise of red.
struct CameraGamut: Sendable, Hashable {
  /// The value of g − 0.62 · r below which red is added.
  let edge: Float

  /// For balanced camera values that `matrix` converts to linear BT.2020; nil if its blue is not
  /// positive.
  init?(_ matrix: Matrix3) {
    let (red, blue) = (matrix[0, 2], matrix[2, 2])
    guard blue > 0 else { return nil }
    edge = 0.01 - 1.55 * Float(min(max(red / blue, -0.2), 0.2))
  }

  /// Changes each pixel of `rows`.
  func apply(_ rows: RGBRows) {
    var gamut = ck_cameraGamut(
      edge: edge, width: 0.34, gain: 0.15, slope: 0.62, reddest: 0.22, locus: 0.45,
      softness: ck_threeValues(SIMD3(0.02, 0.03, 0.002)))
    ck_cameraGamutRow(&gamut, rows.kernel, Int64(rows.count))
  }
}

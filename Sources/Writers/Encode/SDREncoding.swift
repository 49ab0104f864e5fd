// The curves of SDR, linear values to signal, fast form: straight near black, a power above.
// Sources: IEC 61966-2-1:1999 (reference `SRGB.signal`), ITU-R BT.2020-2 (`BT2020.signal`), Adobe
// RGB (1998) 4.3.1.2 (`AdobeRGB.signal`), ISO 22028-2 (`ROMM.signal`). Domain: linear values, 1.0 =
// reference white; clamped to 0…1, NaN is treated as 0. The power is a float series (see
// CVector.h); error below 1e-6 of the signal.

import CKernels
import ImageCore

/// Rows of linear values to rows of SDR signal.
struct SDREncoding: RowSignal {
  private let curve: ck_sdr

  /// slope · x up to `linearEnd`, scale · x^power − offset above it.
  private init(
    linearEnd: Double, slope: Double, scale: Double = 1, offset: Double = 0, power: Double
  ) {
    curve = ck_sdr(
      linearEnd: Float(linearEnd), slope: Float(slope), scale: Float(scale),
      offset: Float(offset), power: Float(power))
  }

  /// sRGB and Display P3.
  static let sRGB = SDREncoding(
    linearEnd: SRGB.linearEnd, slope: SRGB.slope, scale: SRGB.scale, offset: SRGB.offset,
    power: Double(1 / Float(SRGB.exponent)))
  /// BT.2020.
  static let bt2020 = SDREncoding(
    linearEnd: BT2020.beta, slope: BT709.slope, scale: BT2020.alpha, offset: BT2020.alpha - 1,
    power: BT709.exponent)
  /// Adobe RGB (1998).
  static let adobeRGB = SDREncoding(linearEnd: 0, slope: 0, power: 1 / AdobeRGB.exponent)
  /// ProPhoto RGB.
  static let proPhoto = SDREncoding(
    linearEnd: ROMM.linearEnd, slope: ROMM.slope, power: 1 / ROMM.exponent)
  /// No curve.
  static let linear = SDREncoding(linearEnd: 1, slope: 1, power: 1)

  func encode(_ rows: RGBRows) {
    var curve = curve
    unsafe ck_sdrRow(&curve, rows.kernel, Int64(rows.count))
  }
}

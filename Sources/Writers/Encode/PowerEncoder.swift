import CKernels
import ImageCore

/// The curves that are linear near black and a power above: sRGB and BT.2020. The power is a
/// polynomial of degree 7 in the fourth root of the linear value, a minimax fit; no table, no
/// branch, eight pixels at a time.
///
/// Domain: values are clamped to 0…1, NaN is 0. Error before rounding: at most 0.041 (sRGB) and
/// 0.021 (BT.2020) of a 16-bit code value.
struct PowerEncoder: RowEncoder {
  private let curve: ck_power

  /// 1.055·x^(1/2.4) − 0.055 above 0.0031308, IEC 61966-2-1; of sRGB and Display P3.
  static let sRGB = PowerEncoder(
    curve: ck_power(
      slope: Float(SRGB.slope) * 65_535, cut: Float(SRGB.linearEnd),
      c0: -3830.2996, c1: 8098.5786, c2: 95_780.898, c3: -75_751.039, c4: 79_240.617,
      c5: -58_876.398, c6: 25_866.92, c7: -4994.2983))
  /// 1.0993·x^0.45 − 0.0993 from 0.0181 upwards, ITU-R BT.2020.
  static let bt2020 = PowerEncoder(
    curve: ck_power(
      slope: Float(BT709.slope) * 65_535, cut: Float(BT2020.beta),
      c0: -6681.5073, c1: 4514.667, c2: 87_688.023, c3: -38_716.5, c4: 32_975.4375,
      c5: -20_875.625, c6: 8001.856, c7: -1371.3485))

  func encode(_ rows: RGBRows, into codes: UnsafeMutablePointer<UInt16>) {
    var curve = curve
    unsafe ck_powerCodes(&curve, rows.kernel, codes, Int64(rows.count))
  }
}

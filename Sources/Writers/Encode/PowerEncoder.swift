import CVector
import ImageCore

/// The curves that are linear near black and a power above: sRGB and BT.2020. The power is a
/// polynomial of degree 7 in the fourth root of the linear value, a minimax fit; no table, no
/// branch, eight pixels at a time.
///
/// Domain: values are clamped to 0…1, NaN is 0. Error before rounding: at most 0.041 (sRGB) and
/// 0.021 (BT.2020) of a 16-bit code value.
struct PowerEncoder: RowEncoder {
  private let slope: Float
  private let cut: Float
  private let c: (Float, Float, Float, Float, Float, Float, Float, Float)

  /// 1.055·x^(1/2.4) − 0.055 above 0.0031308, IEC 61966-2-1; of sRGB and Display P3.
  static let sRGB = PowerEncoder(
    slope: Float(SRGB.slope) * 65_535, cut: Float(SRGB.linearEnd),
    c: (
      -3830.2996, 8098.5786, 95_780.898, -75_751.039, 79_240.617, -58_876.398, 25_866.92,
      -4994.2983
    ))
  /// 1.0993·x^0.45 − 0.0993 from 0.0181 upwards, ITU-R BT.2020.
  static let bt2020 = PowerEncoder(
    slope: Float(BT709.slope) * 65_535, cut: Float(BT2020.beta),
    c: (
      -6681.5073, 4514.667, 87_688.023, -38_716.5, 32_975.4375, -20_875.625, 8001.856, -1371.3485
    ))

  func encode(_ rows: RGBRows, into codes: UnsafeMutablePointer<UInt16>) {
    unsafe rows.interleave(into: codes) { eight($0) }
  }

  @inline(__always) private func eight(_ light: SIMD8<Float>) -> SIMD8<UInt16> {
    @inline(__always) func step(_ p: SIMD8<Float>, _ t: SIMD8<Float>, _ c: Float) -> SIMD8<Float> {
      p * t + SIMD8(repeating: c)
    }
    let x = cv_clamp8(light, SIMD8(repeating: 0), SIMD8(repeating: 1))
    let t = cv_sqrt8(cv_sqrt8(x))
    var power = SIMD8<Float>(repeating: c.7)
    power = step(power, t, c.6)
    power = step(power, t, c.5)
    power = step(power, t, c.4)
    power = step(power, t, c.3)
    power = step(power, t, c.2)
    power = step(power, t, c.1)
    power = step(power, t, c.0)
    return cv_code8(select(x .>= cut, power, x * slope))
  }
}

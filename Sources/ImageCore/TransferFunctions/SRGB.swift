import Foundation

/// The transfer function of IEC 61966-2-1, shared by sRGB and Display P3. Values outside 0…1 are
/// mirrored about the origin and extended, so that the pair inverts everywhere.
public enum SRGB {
  /// The signal of linear light.
  public static func signal(linear: Double) -> Double {
    let v = abs(linear)
    let s = v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055
    return linear < 0 ? -s : s
  }

  /// The linear light of a signal.
  public static func linear(signal: Double) -> Double {
    let s = abs(signal)
    let v = s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4)
    return signal < 0 ? -v : v
  }
}

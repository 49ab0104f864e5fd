import Foundation

/// The transfer function of IEC 61966-2-1, shared by sRGB and Display P3. Values outside 0…1 are
/// mirrored about the origin and extended, so that the pair inverts everywhere.
public enum SRGB {
  // Computed, so that vector loops of other modules see constants.
  /// Slope near black, signal over linear value.
  @inlinable package static var slope: Double { 12.92 }
  /// Linear value up to which the curve is straight.
  @inlinable package static var linearEnd: Double { 0.0031308 }
  /// Signal up to which the curve is straight.
  @inlinable package static var signalEnd: Double { 0.04045 }
  // Above, signal = scale · linear^(1 / exponent) − offset.
  @inlinable package static var scale: Double { 1.055 }
  @inlinable package static var offset: Double { 0.055 }
  @inlinable package static var exponent: Double { 2.4 }

  /// The signal of a linear value.
  public static func signal(linear: Double) -> Double {
    let v = abs(linear)
    let s = v <= linearEnd ? slope * v : scale * pow(v, 1 / exponent) - offset
    return linear < 0 ? -s : s
  }

  /// The linear value of a signal.
  public static func linear(signal: Double) -> Double {
    let s = abs(signal)
    let v = s <= signalEnd ? s / slope : pow((s + offset) / scale, exponent)
    return signal < 0 ? -v : v
  }
}

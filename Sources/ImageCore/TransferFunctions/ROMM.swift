import Foundation

/// The transfer function of ROMM RGB, which is ProPhoto RGB (ISO 22028-2:2013, 4.3): straight near
/// black, a power above; both parts meet. Linear value and signal 0…1. Check values: 1/512 → 1/32,
/// 0.18 → 0.38570.
package enum ROMM {
  /// The power above the straight part, linear over signal.
  package static let exponent = 1.8
  /// Slope near black, signal over linear value.
  package static let slope = 16.0
  /// Linear value up to which the curve is straight: 16^(1.8 / (1 − 1.8)).
  package static let linearEnd = 1.0 / 512

  /// The signal of a linear value, 0…1.
  package static func signal(linear: Double) -> Double {
    let x = min(max(linear, 0), 1)
    return x < linearEnd ? slope * x : pow(x, 1 / exponent)
  }

  /// The linear value of a signal, 0…1.
  package static func linear(signal: Double) -> Double {
    let s = min(max(signal, 0), 1)
    return s < slope * linearEnd ? s / slope : pow(s, exponent)
  }
}

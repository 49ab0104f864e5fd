import Foundation

/// The opto-electronic transfer function of ITU-R BT.2020-2, table 4: that of ``BT709`` with constants
/// that let both parts meet. Light and signal 0…1.
/// Check values for 12 bits: light 0.0181 → 0.08145, 1 → 1.
package enum BT2020 {
  /// The constants for 12 bits, which files state.
  package static let alpha = 1.0993
  package static let beta = 0.0181

  /// The signal of linear light, both 0…1, with the constants for 12 bits.
  package static func signal(linear: Double) -> Double {
    let e = min(max(linear, 0), 1)
    return e < beta ? BT709.slope * e : alpha * pow(e, BT709.exponent) - (alpha - 1)
  }

  /// The same with the constants to double precision, at which value and slope are continuous.
  package static func exactSignal(linear x: Double) -> Double {
    x < 0.018053968510807
      ? BT709.slope * x : 1.09929682680944 * pow(x, BT709.exponent) - 0.09929682680944
  }
}

import Foundation

/// The opto-electronic transfer function of ITU-R BT.2020-2, table 4, with the constants for 12 bits.
/// Check values: OETF(0.0181) = 0.08145, OETF(1) = 1.
enum BT2020 {
  static let alpha = 1.0993
  static let beta = 0.0181

  /// The signal (0…1) of linear light (0…1).
  static func signal(linear: Double) -> Double {
    let e = min(max(linear, 0), 1)
    return e < beta ? 4.5 * e : alpha * pow(e, 0.45) - (alpha - 1)
  }
}

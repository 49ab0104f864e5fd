import Foundation

/// The opto-electronic transfer function of ITU-R BT.2020-2, table 4: ``BT709`` with constants for
/// which both parts meet. Linear value and signal 0…1. Check values for 12 bits: 0.0181 → 0.08145,
/// 1 → 1.
package enum BT2020 {
  /// The constants for 12 bits, which files declare.
  package static let alpha = 1.0993
  package static let beta = 0.0181

  /// The signal of a linear value, both 0…1, with the constants for 12 bits.
  package static func signal(linear: Double) -> Double {
    let e = min(max(linear, 0), 1)
    return e < beta ? BT709.slope * e : alpha * pow(e, BT709.exponent) - (alpha - 1)
  }

  // The constants with which both parts meet in value and slope, to double precision: ITU-T H.273
  // table 3, which BT.709, BT.601 and BT.2020 give to three to five digits.
  private static let exactAlpha = 1.099296826809442
  private static let exactBeta = 0.018053968510807

  /// The signal of a linear value, 0…1, with the exact constants.
  package static func exactSignal(linear x: Double) -> Double {
    x < exactBeta
      ? BT709.slope * x : 1.09929682680944 * pow(x, BT709.exponent) - 0.09929682680944
  }

  /// The linear value of a signal, 0…1, with the exact constants. Check value: signal 0.5 → 0.2597.
  package static func exactLinear(signal: Double) -> Double {
    signal < BT709.slope * exactBeta
      ? signal / BT709.slope
      : pow((signal + exactAlpha - 1) / exactAlpha, 1 / BT709.exponent)
  }
}

import Foundation

/// The inverse of the opto-electronic transfer function of BT.709, BT.601 and BT.2020, with the constants
/// of ITU-T H.273 table 3, of which BT.709 and BT.2020 state three to five digits: both pieces meet with
/// one slope. Check value: signal 0.5 → 0.2597.
enum BT709 {
  private static let alpha = 1.099296826809442
  private static let beta = 0.018053968510807

  /// The linear light of a signal of 0…1.
  static func linear(signal: Double) -> Double {
    signal < 4.5 * beta ? signal / 4.5 : pow((signal + alpha - 1) / alpha, 1 / 0.45)
  }
}

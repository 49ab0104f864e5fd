import Foundation

/// The opto-electronic transfer function of ITU-R BT.709-6: signal = 4.5 L below L = 0.018,
/// 1.099 · L^0.45 − 0.099 above, L the linear value, 0…1.
/// Check values: L 0.018 → 0.081, signal 0.25 → 0.0781539.
package enum BT709 {
  // Computed, so that vector loops of other modules see constants.
  /// Slope near black, signal over linear value, also of BT.2020.
  @inlinable package static var slope: Double { 4.5 }
  /// Linear value from which the curve is a power.
  @inlinable package static var linearEnd: Double { 0.018 }
  /// Signal from which the curve is a power.
  @inlinable package static var signalEnd: Double { 0.081 }
  @inlinable package static var scale: Double { 1.099 }
  @inlinable package static var offset: Double { 0.099 }
  @inlinable package static var exponent: Double { 0.45 }

  /// The signal of a linear value.
  package static func signal(linear: Double) -> Double {
    linear < linearEnd ? slope * linear : scale * pow(linear, exponent) - offset
  }

  /// The linear value of a signal.
  package static func linear(signal: Double) -> Double {
    signal < signalEnd ? signal / slope : pow((signal + offset) / scale, 1 / exponent)
  }
}

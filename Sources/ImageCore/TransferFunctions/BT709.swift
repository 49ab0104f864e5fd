import Foundation

/// The opto-electronic transfer function of ITU-R BT.709-6: signal = 4.5 light below 0.018,
/// 1.099 · light^0.45 − 0.099 from there on. Light and signal 0…1.
/// Check values: light 0.018 → 0.081, signal 0.25 → 0.0781539.
package enum BT709 {
  // Computed, so that vector loops of other modules see numbers.
  /// Signal for each unit of light near black, also that of BT.2020.
  @inlinable package static var slope: Double { 4.5 }
  /// Light from which the curve is a power.
  @inlinable package static var linearEnd: Double { 0.018 }
  /// Signal from which the curve is a power.
  @inlinable package static var signalEnd: Double { 0.081 }
  @inlinable package static var scale: Double { 1.099 }
  @inlinable package static var offset: Double { 0.099 }
  @inlinable package static var exponent: Double { 0.45 }

  /// The signal of linear light.
  package static func signal(linear: Double) -> Double {
    linear < linearEnd ? slope * linear : scale * pow(linear, exponent) - offset
  }

  /// The linear light of a signal.
  package static func linear(signal: Double) -> Double {
    signal < signalEnd ? signal / slope : pow((signal + offset) / scale, 1 / exponent)
  }
}

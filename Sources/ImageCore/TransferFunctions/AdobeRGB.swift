import Foundation

/// The transfer function of Adobe RGB (1998), section 4.3.1.2: a power alone. Linear value and
/// signal 0…1. Check value: signal 0.5 → 0.21776.
package enum AdobeRGB {
  /// 2.19921875, 2 and 51/256.
  package static let exponent = 563.0 / 256

  /// The signal of a linear value, 0…1.
  package static func signal(linear: Double) -> Double {
    pow(min(max(linear, 0), 1), 1 / exponent)
  }
}

import Foundation
import ImageCore

/// Recognizes curves of a profile that are within 1/2000 of a known transfer function everywhere.
enum CurveRecognition {
  private static let tolerance = 1.0 / 2000

  /// The transfer function of `curves`, linear values at evenly spaced code values 0…1 for one or
  /// three channels: sRGB, linear, BT.709, a power, else the curves themselves. Nil when empty.
  static func transfer(of curves: [[Float]]) -> ColorDescription.Transfer? {
    guard let first = curves.first, first.count > 2 else { return nil }
    let different = curves.dropFirst().contains { $0 != first } ? curves : [first]
    func isAll(within tolerance: Double = tolerance, _ light: (Double) -> Double) -> Bool {
      different.allSatisfy { curve in
        curve.indices.allSatisfy {
          abs(Double(curve[$0]) - light(Double($0) / Double(curve.count - 1))) <= tolerance
        }
      }
    }
    if isAll({ $0 }) { return .linear }
    if isAll({ SRGB.linear(signal: $0) }) { return .srgb }
    if isAll({ BT2020.exactLinear(signal: $0) }) { return .bt709 }
    // Within the tolerance of a power of 1.8, from which its toe differs by half in the darks.
    if isAll(within: 1e-5, { ROMM.linear(signal: $0) }) { return .curves(curves) }
    if let exponent = exponent(of: first), isAll({ pow($0, exponent) }) { return .gamma(exponent) }
    return .curves(curves)
  }

  /// The exponent that passes through the middle of the curve, rounded to hundredths where that is
  /// within the precision of profiles, which store exponents in steps of 1/256 or 1/65536.
  private static func exponent(of curve: [Float]) -> Double? {
    let index = curve.count / 2
    let light = Double(curve[index])
    guard light > 0, light < 1 else { return nil }
    let exponent = log(light) / log(Double(index) / Double(curve.count - 1))
    guard exponent.isFinite, exponent > 0.1, exponent < 10 else { return nil }
    let round = (exponent * 100).rounded() / 100
    return abs(round - exponent) < 2e-4 ? round : exponent
  }
}

import Foundation
import ImageCore

/// Curves of a profile as known transfer functions, where they are within 1/2000 of one everywhere.
enum CurveRecognition {
  private static let tolerance = 1.0 / 2000

  /// What `curves`, evenly spaced light over codes 0…1 for one or three channels, are: sRGB,
  /// linear, BT.709, a power, else themselves. Nil when there are none.
  static func transfer(of curves: [[Float]]) -> ColorDescription.Transfer? {
    guard let first = curves.first, first.count > 2 else { return nil }
    let different = curves.dropFirst().contains { $0 != first } ? curves : [first]
    func isAll(_ light: (Double) -> Double) -> Bool {
      different.allSatisfy { curve in
        curve.indices.allSatisfy {
          abs(Double(curve[$0]) - light(Double($0) / Double(curve.count - 1))) <= tolerance
        }
      }
    }
    if isAll({ $0 }) { return .linear }
    if isAll({ SRGB.linear(signal: $0) }) { return .srgb }
    if isAll({ BT2020.exactLinear(signal: $0) }) { return .bt709 }
    if let exponent = exponent(of: first), isAll({ pow($0, exponent) }) { return .gamma(exponent) }
    return .curves(curves)
  }

  /// The power that passes through the curve's middle, a round number where one is as good:
  /// profiles store powers in steps of 1/256 or 1/65536.
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

import Foundation
import ImageCore

/// Recognizes curves of a profile that are within 1/2000 of a known transfer function everywhere.
enum CurveRecognition {
  private static let tolerance = 1.0 / 2000

  /// The transfer function of `curves`, linear values at evenly spaced code values 0…1 for one or
  /// three channels: sRGB, linear, BT.709, a power, PQ, hybrid log-gamma, else the curves
  /// themselves. Nil when empty.
  static func transfer(of curves: [[Float]]) -> ColorDescription.Transfer? {
    guard let first = curves.first, first.count > 2 else { return nil }
    let different = curves.dropFirst().contains { $0 != first } ? curves : [first]
    func isAll(within tolerance: Double = tolerance, _ linear: (Double) -> Double) -> Bool {
      different.allSatisfy { curve in
        curve.indices.allSatisfy {
          abs(Double(curve[$0]) - linear(Double($0) / Double(curve.count - 1))) <= tolerance
        }
      }
    }
    if isAll({ $0 }) { return .linear }
    if isAll({ SRGB.linear(signal: $0) }) { return .srgb }
    if isAll({ BT2020.exactLinear(signal: $0) }) { return .bt709 }
    // This one is within the tolerance of a power of 1.8, but its toe differs by half in the
    // shadows.
    if isAll(within: 1e-5, { ROMM.linear(signal: $0) }) { return .curves(curves) }
    if let exponent = exponent(of: first), isAll({ pow($0, exponent) }) { return .gamma(exponent) }
    let high = different.map { curve in
      highDynamicRange { Double(curve[Int(($0 * Double(curve.count - 1)).rounded())]) }
    }
    if let found = high[0], high.allSatisfy({ $0 == found }) { return found }
    return .curves(curves)
  }

  /// PQ or hybrid log-gamma where `light`, of a gray of code value 0…1, follows one of them within
  /// 3 % on any scale. A profile's white may be 100, 203, 1000 or 10,000 cd/m² and end its curve:
  /// PQ must match up to 0.5, where it has 92 cd/m². Hybrid log-gamma, which is a square up to 0.5,
  /// must match up to 0.75, as scene values or on BT.2100's display of 1000 cd/m². No SDR curve is
  /// close: from 0.25 to 0.5 linear values grow 18 times in PQ, 5.3 times by a power of 2.4.
  static func highDynamicRange(_ linear: (Double) -> Double) -> ColorDescription.Transfer? {
    let top = linear(1)
    func follows(_ known: (Double) -> Double, atLeastTo end: Double) -> Bool {
      let scale = linear(end) / known(end)
      guard scale.isFinite, scale > 0 else { return false }
      return stride(from: 0.25, through: 1, by: 0.05).allSatisfy { signal in
        let (found, wanted) = (linear(signal), known(signal) * scale)
        let isCut = signal > end && wanted > 0.98 * top && found > 0.98 * top
        return abs(found - wanted) < 0.03 * wanted || isCut
      }
    }
    if follows({ PQ.nits(signal: $0) }, atLeastTo: 0.5) { return .pq }
    let isHLG =
      follows({ HLG.scene(signal: $0) }, atLeastTo: 0.75)
      || follows({ pow(HLG.scene(signal: $0), 1.2) }, atLeastTo: 0.75)
    return isHLG ? .hlg : nil
  }

  /// The exponent that passes through the middle of the curve, rounded to hundredths where that is
  /// within the precision of profiles, which store exponents in steps of 1/256 or 1/65536.
  private static func exponent(of curve: [Float]) -> Double? {
    let index = curve.count / 2
    let linear = Double(curve[index])
    guard linear > 0, linear < 1 else { return nil }
    let exponent = log(linear) / log(Double(index) / Double(curve.count - 1))
    guard exponent.isFinite, exponent > 0.1, exponent < 10 else { return nil }
    let round = (exponent * 100).rounded() / 100
    return abs(round - exponent) < 2e-4 ? round : exponent
  }
}

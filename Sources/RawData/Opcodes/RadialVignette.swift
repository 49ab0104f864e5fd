/// FixVignetteRadial (DNG 1.7.1 chapter 7, id 3): values times a gain that grows towards the
/// corners.
///
/// Formula: 1 + k₀r² + k₁r⁴ + k₂r⁶ + k₃r⁸ + k₄r¹⁰, r the distance of a pixel's middle from the
/// center as a fraction of that of the farthest corner, with square pixels. All planes alike.
/// Units: any; values above 1 are kept where the reference renderer clips them. Lens profiles say
/// what the lens lets through rather than the gain: there it is a divisor.
package struct RadialVignette: Sendable {
  /// k₀ upward.
  package let coefficients: [Double]
  /// In fractions of the picture.
  package let center: (x: Double, y: Double)
  /// Whether values are divided by the sum.
  package var isDivisor = false

  /// A vignette of five `coefficients`; no divisor may reach 0 in the picture.
  package init(coefficients: [Double], center: (x: Double, y: Double), isDivisor: Bool) {
    (self.coefficients, self.center, self.isDivisor) = (coefficients, center, isDivisor)
  }

  init(_ reader: inout OpcodeReader) throws(OpcodeDamage) {
    let numbers = try reader.doubles(7)
    coefficients = Array(numbers[0..<5])
    center = (numbers[5], numbers[6])
    guard (0...1).contains(center.x), (0...1).contains(center.y),
      coefficients.allSatisfy({ abs($0) <= Double(OpcodeFrame.largest) })
    else { throw OpcodeDamage() }
  }

  /// This vignette with a part of its effect, or of the light that it says is missing; 1 is all.
  package func scaled(by amount: Double) -> RadialVignette {
    RadialVignette(
      coefficients: coefficients.map { $0 * amount }, center: center, isDivisor: isDivisor)
  }

  var isIdentity: Bool { coefficients.allSatisfy { $0 == 0 } }
}

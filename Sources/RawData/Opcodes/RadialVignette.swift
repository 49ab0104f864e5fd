/// FixVignetteRadial (DNG 1.7.1 chapter 7, id 3): multiplies values by a gain that grows towards
/// the corners.
///
/// Formula: 1 + k₀r² + k₁r⁴ + k₂r⁶ + k₃r⁸ + k₄r¹⁰, r the distance of the pixel center from the
/// optical center as a fraction of the distance to the farthest corner, with square pixels. Equal
/// for all planes. Units: any; values above 1 are preserved where the reference renderer clips
/// them. Lens profiles state the transmission of the lens instead of the gain: there the polynomial
/// is a divisor.
package struct RadialVignette: Sendable {
  /// k₀ first.
  package let coefficients: [Double]
  /// In fractions of the picture size.
  package let center: (x: Double, y: Double)
  /// Whether values are divided by the polynomial.
  package var isDivisor = false

  /// A vignette of five `coefficients`; a divisor must not reach 0 in the picture.
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

  /// This vignette with its effect scaled by `amount`; 1 is the full effect.
  package func scaled(by amount: Double) -> RadialVignette {
    RadialVignette(
      coefficients: coefficients.map { $0 * amount }, center: center, isDivisor: isDivisor)
  }

  var isIdentity: Bool { coefficients.allSatisfy { $0 == 0 } }
}

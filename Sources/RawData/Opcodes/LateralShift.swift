/// Displacement of one color channel relative to green: lateral chromatic aberration.
///
/// Formula: with (x, y) the vector from the center of the picture divided by the half diagonal and
/// r its length, Σ cₖ·bₖ for ten fields bₖ: shifts along both axes; magnification (x, y);
/// anisotropic magnification (x, −y), shear (y, x) and rotation (−y, x); radial r²·(x, y) and
/// r⁴·(x, y); and decentering (r² + 2x², 2xy) and (2xy, r² + 2y²) (D. C. Brown, "Decentering
/// distortion of lenses", 1966). Units: pixels of the sensor; where green is at p, this color is at
/// p + d.
package struct LateralShift: Sendable, Hashable {
  package static let termCount = 10

  /// c₀…c₉.
  package let coefficients: [Double]

  /// `coefficients`: ten values.
  package init(_ coefficients: [Double]) {
    precondition(coefficients.count == Self.termCount, "ten terms")
    self.coefficients = coefficients
  }

  /// Basis field number `term` at (`x`, `y`).
  @inline(__always)
  package static func field(_ term: Int, _ x: Double, _ y: Double) -> SIMD2<Double> {
    let square = x * x + y * y
    return switch term {
    case 0: SIMD2(1, 0)
    case 1: SIMD2(0, 1)
    case 2: SIMD2(x, y)
    case 3: SIMD2(x, -y)
    case 4: SIMD2(y, x)
    case 5: SIMD2(-y, x)
    case 6: SIMD2(x, y) * square
    case 7: SIMD2(x, y) * (square * square)
    case 8: SIMD2(square + 2 * x * x, 2 * x * y)
    default: SIMD2(2 * x * y, square + 2 * y * y)
    }
  }

  /// The displacement at (`x`, `y`).
  package func displacement(_ x: Double, _ y: Double) -> SIMD2<Double> {
    let c = coefficients
    let square = x * x + y * y
    let radial = c[2] + square * (c[6] + square * c[7]) + 2 * (c[8] * x + c[9] * y)
    return SIMD2(
      c[0] + x * (radial + c[3]) + y * (c[4] - c[5]) + c[8] * square,
      c[1] + y * (radial - c[3]) + x * (c[4] + c[5]) + c[9] * square)
  }
}

/// The lateral color of a picture; nil for a channel without displacement.
package struct LateralColor: Sendable, Hashable {
  package var red: LateralShift?
  package var blue: LateralShift?
  /// Width of a pixel over its height.
  package var pixelAspect: Double

  package init(red: LateralShift?, blue: LateralShift?, pixelAspect: Double = 1) {
    (self.red, self.blue, self.pixelAspect) = (red, blue, pixelAspect)
  }

  package var isEmpty: Bool { red == nil && blue == nil }
}

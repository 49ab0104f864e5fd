import Foundation

// Functions of real numbers in the units that formulas of color have them in.

/// Sine of an angle in degrees.
func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }

/// Cosine of an angle in degrees.
func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }

/// The angle of the point (`x`, `y`) in degrees, 0…360; 0 for the origin.
func degrees(_ y: Double, _ x: Double) -> Double {
  if x == 0, y == 0 { return 0 }
  let angle = atan2(y, x) * 180 / .pi
  return angle < 0 ? angle + 360 : angle
}

/// e to the power of `x`.
func exponential(_ x: Double) -> Double { exp(x) }

/// The natural logarithm of `x`.
func logarithm(_ x: Double) -> Double { log(x) }

extension Double {
  /// Its seventh power.
  var seventhPower: Double {
    let cube = self * self * self
    return cube * cube * self
  }

  /// Its cube root.
  var cubeRoot: Double { cbrt(self) }
}

import Foundation
import ImageCore

/// The amounts of noise reduction for a picture.
///
/// The visibility of noise is its standard deviation in 8-bit sRGB code values, the larger of a
/// midtone (0.18) and a shadow (0.05) of a picture that is shown as exposed. Below one code value
/// it is invisible; from three on it is removed fully. Color noise disturbs more and begins
/// earlier.
package struct NoiseAmounts: Sendable, Hashable {
  /// 0…1.
  package var luminance: Float
  /// 0…1.
  package var color: Float

  package init(luminance: Float, color: Float) {
    self.luminance = luminance
    self.color = color
  }

  /// The amounts for pictures with this noise, of which the fraction `applied` (0…1) has been
  /// removed already.
  package init(for model: NoiseModel, applied: Float = 0) {
    let codes = Self.codes(model)
    luminance = Self.ramp(codes, from: 0.8, to: 3) * (1 - applied)
    color = Self.ramp(codes, from: 0.5, to: 2.5) * (1 - applied)
  }

  /// Standard deviation of noise in 8-bit sRGB code values where it is most visible.
  static func codes(_ model: NoiseModel) -> Float {
    [Float(0.18), 0.05].map { linear in
      let exponent = Float(SRGB.exponent)
      let slope = Float(SRGB.scale) / exponent * pow(linear, 1 / exponent - 1)
      return 255 * slope * (model.variance(at: linear).sum() / 3).squareRoot()
    }.max() ?? 0
  }

  private static func ramp(_ x: Float, from low: Float, to high: Float) -> Float {
    min(max((x - low) / (high - low), 0), 1)
  }
}

import Foundation
import ImageCore

/// How much noise reduction a picture asks for.
///
/// Noise counts as seen by its size in 8-bit sRGB codes, the larger of a midtone (0.18) and a
/// shadow (0.05) of a picture that is shown as exposed. Below one code it is invisible; from three
/// on it is taken out fully. Color noise disturbs more and begins earlier.
package struct NoiseAmounts: Sendable, Hashable {
  /// 0…1.
  package var luminance: Float
  /// 0…1.
  package var color: Float

  package init(luminance: Float, color: Float) {
    self.luminance = luminance
    self.color = color
  }

  /// The amounts for pictures with this noise, the share `applied` (0…1) of which has been taken
  /// out already.
  package init(for model: NoiseModel, applied: Float = 0) {
    let codes = Self.codes(model)
    luminance = Self.ramp(codes, from: 0.8, to: 3) * (1 - applied)
    color = Self.ramp(codes, from: 0.5, to: 2.5) * (1 - applied)
  }

  /// Standard deviation of noise in 8-bit sRGB codes where it is seen best.
  static func codes(_ model: NoiseModel) -> Float {
    [Float(0.18), 0.05].map { light in
      let exponent = Float(SRGB.exponent)
      let slope = Float(SRGB.scale) / exponent * pow(light, 1 / exponent - 1)
      return 255 * slope * (model.variance(at: light).sum() / 3).squareRoot()
    }.max() ?? 0
  }

  private static func ramp(_ x: Float, from low: Float, to high: Float) -> Float {
    min(max((x - low) / (high - low), 0), 1)
  }
}

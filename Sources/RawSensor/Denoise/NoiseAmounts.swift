import Foundation
import ImageCore

/// The amounts of noise reduction for a picture.
///
/// The visibility of noise is its standard deviation in 8-bit sRGB code values, the larger of a
/// midtone (0.18) and a shadow (0.05) of a picture that is shown as exposed. Below one code value
/// it is invisible; from three on it is removed fully. Color noise disturbs more and begins
/// earlier.
///
/// Noise of a small sensor at its lowest speed is as visible as noise of a large one at ISO 1600,
/// but such pictures are mistaken for their texture, which thresholds of two standard deviations
/// reduce by 1 dB and more. With ``limited(toSpeed:)`` luminance is reduced by at most 0.2 up to
/// ISO 200, which costs less than 0.3 dB of texture of 8 % and more, and by (ISO/200)^¾ times that
/// above; from ISO 1710 on nothing is limited.
package struct NoiseAmounts: Sendable, Hashable {
  /// Valid amounts.
  package static let range: ClosedRange<Float> = 0...1

  package var luminance: Float
  package var color: Float

  package init(luminance: Float, color: Float) {
    self.luminance = luminance
    self.color = color
  }

  /// The amounts for pictures with this noise; `applied`: the fraction already removed, 0…1.
  package init(for model: NoiseModel, applied: Float = 0) {
    let codes = Self.codes(model)
    luminance = Self.ramp(codes, from: 0.8, to: 3) * (1 - applied)
    color = Self.ramp(codes, from: 0.5, to: 2.5) * (1 - applied)
  }

  /// Maximum of luminance up to ISO ``lowSpeed``.
  private static let maxAtLowSpeed = 0.2
  private static let lowSpeed = 200.0

  /// These amounts, limited to preserve texture at low speeds; unchanged if the speed is unknown.
  package func limited(toSpeed iso: Double?) -> NoiseAmounts {
    guard let iso, iso.isFinite, iso > 0 else { return self }
    let limit = Self.maxAtLowSpeed * pow(max(iso / Self.lowSpeed, 1), 0.75)
    return NoiseAmounts(luminance: min(luminance, Float(min(limit, 1))), color: color)
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

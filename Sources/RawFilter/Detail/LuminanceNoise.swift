import ImageCore
package import RawData

/// Noise of the luminance of scene-linear pixels: variance = slope · Y + offset, 1.0 = reference
/// white. Photon noise and read noise (Foi et al. 2008) after demosaic, exposure and color: the
/// variance of demosaiced luminance is a third to a half of the variance of green photosites.
package struct LuminanceNoise: Sendable, Hashable {
  package let slope: Float
  package let offset: Float

  package static let none = LuminanceNoise()

  private init() {
    slope = 0
    offset = 0
  }

  /// Throws `.badSetting` unless both are finite and not negative.
  package init(slope: Float, offset: Float) throws(RAWError) {
    guard slope.isFinite, offset.isFinite, slope >= 0, offset >= 0 else {
      throw RAWError(
        .badSetting, .settings,
        "noise variance \(slope) · Y + \(offset) must not be negative; leave the noise out")
    }
    self.slope = slope
    self.offset = offset
  }
}

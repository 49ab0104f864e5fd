/// Checks a database's corrections against mistakes and attacks: corrections that no lens can have,
/// that fold the picture, or whose gain is out of bounds are removed.
extension LensProfile {
  /// Distorted over corrected radius: real lenses are far within, fisheyes too.
  private static let factors = 0.4...2.5
  /// The same for red and blue relative to green.
  private static let lateralFactors = 0.97...1.03
  /// Relative illumination at any radius.
  private static let illumination = 0.05...2.0

  /// The profile without implausible and neutral corrections; nil if none remains.
  var plausible: LensProfile? {
    let numbers = [cropFactor, calibrationCropFactor, calibrationAspectRatio, center.x, center.y]
    guard numbers.allSatisfy(\.isFinite), cropFactor > 0.1, calibrationCropFactor > 0.1,
      (1...10).contains(calibrationAspectRatio), abs(center.x) <= 0.5, abs(center.y) <= 0.5
    else { return nil }
    var result = self
    if !isPlausibleDistortion { result.calibration.distortion = nil }
    if !isPlausibleLateralColor { result.calibration.lateralColor = nil }
    if !isPlausibleVignetting { result.calibration.vignetting = nil }
    return result.calibration.isEmpty ? nil : result
  }

  /// The radius of the farthest pixel, 1 at half the shorter side of the calibration's pictures.
  var farthestRadius: Double {
    let diagonal = (calibrationAspectRatio * calibrationAspectRatio + 1).squareRoot()
    let shift = (center.x * center.x + center.y * center.y).squareRoot()
    return calibrationCropFactor / cropFactor * diagonal * (1 + 2 * shift)
  }

  private func radii(_ count: Int = 256) -> [Double] {
    (0...count).map { farthestRadius * Double($0) / Double(count) }
  }

  private var isPlausibleDistortion: Bool {
    guard let distortion = calibration.distortion else { return false }
    var isNeutral = true
    var last = -1.0
    for r in radii() {
      let factor = distortion.factor(r)
      guard Self.factors.contains(factor), r * factor > last else { return false }
      last = r * factor
      if factor != 1 { isNeutral = false }
    }
    return !isNeutral
  }

  private var isPlausibleLateralColor: Bool {
    guard let color = calibration.lateralColor else { return false }
    let isNeutral = color.red == SIMD3(1, 0, 0) && color.blue == SIMD3(1, 0, 0)
    return !isNeutral
      && radii().allSatisfy { r in
        [color.red, color.blue].allSatisfy {
          Self.lateralFactors.contains(LensCalibration.LateralColor.factor($0, r))
        }
      }
  }

  private var isPlausibleVignetting: Bool {
    guard let k = calibration.vignetting, k != SIMD3() else { return false }
    let diagonal = (calibrationAspectRatio * calibrationAspectRatio + 1).squareRoot()
    return radii().allSatisfy { r in
      let square = r * r / (diagonal * diagonal)
      return Self.illumination.contains(1 + square * (k.x + square * (k.y + square * k.z)))
    }
  }
}

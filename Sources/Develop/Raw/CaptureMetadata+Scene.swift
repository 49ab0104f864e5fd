import Foundation
import ImageCore
import RawFilter

extension CaptureMetadata {
  /// With a description of the settings that the look `scene` fixes, appended to the existing one,
  /// so that the file alone documents its values.
  func stating(scene plan: DevelopPlan) -> CaptureMetadata {
    let settings = plan.settings
    func stops(_ value: Float) -> String { String(format: "%+.2f EV", value) }
    let white =
      String(format: "white x %.4f y %.4f", plan.white.x, plan.white.y)
      + (settings.neutral == .asShot ? " as shot" : "")
    let statement = [
      "Scene-linear, 1.0 = reference white: no tone curve, gamut mapping or local adjustment",
      white, "exposure \(stops(settings.exposure))",
      "baseline exposure \(stops(settings.baselineExposure ?? 0))",
      String(
        format: "noise reduction %g, %g", settings.luminanceNoiseReductionAmount ?? 0,
        settings.colorNoiseReductionAmount ?? 0),
      String(format: "sharpness %g", settings.sharpnessAmount ?? 0),
      "clipped highlights \(settings.isHighlightRecoveryEnabled ? "rebuilt" : "as recorded")",
    ].joined(separator: "; ")
    var result = self
    var texts = [statement]
    if case .ascii(let own)? = self[.image, 0x010E] {
      let own = own.trimmingCharacters(in: .whitespaces.union(.controlCharacters))
      if !own.isEmpty { texts.insert(own, at: 0) }
    }
    result[.image, 0x010E] = .ascii(texts.joined(separator: "; "))
    return result
  }
}

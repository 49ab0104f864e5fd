/// What a property needs to have an effect: of the file, which its descriptor tells
/// (``Adjustment/isSupported``), and of other properties.
extension Adjustment {
  /// What another property must be.
  enum Need: Sendable, Equatable {
    /// A number above 0, a toggle that is on.
    case on(String)
    /// Any value.
    case given(String)
    /// One of these numbers above 0.
    case any([String])
    /// One of the native size, or nearly so.
    case demosaiced
    /// An exposure that is not found in the file.
    case fixedExposure

    /// What to do, in words, where properties are called as `called` says.
    fileprivate func reason(_ called: (String) -> String) -> String {
      switch self {
      case .on(let name) where RAWProperty.named(name)?.kind == .toggle: "needs \(called(name)) on"
      case .on(let name): "needs \(called(name)) above 0"
      case .given(let name): "needs \(called(name))"
      case .any(let names): "needs one of \(names.map(called).joined(separator: ", ")) above 0"
      case .demosaiced:
        "needs a \(called("scaleFactor")) above 0.5, and \(called("isDraftModeEnabled")) off"
      case .fixedExposure: "needs \(called("look")) scene, or \(called("baselineExposure"))"
      }
    }
  }

  /// The needs of each property that has one.
  static let needs: [String: Need] = {
    let colors = ColorRange.allCases.map(\.rawValue)
    let tones = ColorGrading.Tones.allCases.map(\.rawValue)
    var needs: [String: Need] = [
      "demosaicMethod": .demosaiced, "undoesUnderexposure": .fixedExposure,
      "lutSpace": .given("lutPath"), "lutAmount": .given("lutPath"),
      "whitePatch": .given("whiteFrom"), "exposurePatch": .given("exposureFrom"),
      "gradingBlending": .any(tones.map { $0 + "Saturation" }),
      "gradingBalance": .any(tones.map { $0 + "Saturation" }),
    ]
    for name in [
      "boostShadowAmount", "isGamutMappingEnabled", "extendedDynamicRangeAmount", "toneCurve",
      "redToneCurve", "greenToneCurve", "blueToneCurve", "lutPath",
    ] {
      needs[name] = .on("boostAmount")
    }
    for name in ["lensDistortionAmount", "lensLateralColorAmount", "lensVignettingAmount"] {
      needs[name] = .on("isLensCorrectionEnabled")
    }
    for name in ["vignetteMidpoint", "vignetteRoundness", "vignetteFeather"] {
      needs[name] = .on("vignetteAmount")
    }
    for name in ["grainSize", "grainRoughness", "grainSeed"] { needs[name] = .on("grainAmount") }
    for name in tones { needs[name + "Hue"] = .on(name + "Saturation") }
    for name in colors { needs[name + "Gray"] = .on("isBlackAndWhiteEnabled") }
    return needs
  }()

  /// Why it has no effect on files on which it has none.
  fileprivate var reasonUnsupported: String {
    switch name {
    case "isDefectCorrectionEnabled": "the file holds no photosites, but finished pixels"
    case "frameNumber": "the file stores one frame"
    case "demosaicMethod": "the file has no Bayer, X-Trans or four-color mosaic"
    case "isLensCorrectionEnabled", "lensDistortionAmount", "lensLateralColorAmount",
      "lensVignettingAmount":
      "neither the file nor the lens database describes this lens"
    case "isLateralColorCorrectionEnabled":
      "the file or the profile of its lens corrects it, or the file has no mosaic"
    case "undoesUnderexposure": "the file does not say that it was recorded darker by known stops"
    case "profileName": "there is no other profile to choose"
    case "neutralTemperature", "neutralTint":
      "the file has no colors, or a white that is no light"
    default: "this file has no colors"
    }
  }
}

extension RAWFilter {
  /// Why the property `name` has no effect on this file at these settings; nil where it has, as far
  /// as is known without looking at the picture. `called` says how properties are called in it.
  package func reasonWithoutEffect(
    _ name: String, called: (String) -> String = { $0 }
  ) -> String? {
    guard let adjustment = Adjustment.named(name) else { return "there is no such property" }
    if let isSupported = adjustment.isSupported, !isSupported(self) {
      return adjustment.reasonUnsupported
    }
    guard let need = Adjustment.needs[name], !isMet(need) else { return nil }
    return need.reason(called)
  }

  /// Whether the picture has colors.
  package var hasColors: Bool { hasColor }

  private func isMet(_ need: Adjustment.Need) -> Bool {
    func number(_ name: String) -> Float {
      Adjustment.named(name)?.number(in: self) ?? 0
    }
    return switch need {
    case .on(let name): number(name) != 0
    case .any(let names): names.contains { number($0) > 0 }
    case .given(let name): Adjustment.named(name)?.isGiven(settings) ?? false
    case .demosaiced: !isReduced
    case .fixedExposure: settings.isScene || settings.baselineExposure != nil
    }
  }
}

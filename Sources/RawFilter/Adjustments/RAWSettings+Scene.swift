import ImageCore

/// Scene-linear values as recorded, for computation: the look `scene`.
///
/// No tone curve, gamut mapping, local tone map, noise reduction or sharpening; white as shot, and
/// no exposure except `exposure` and `baselineExposure`, both 0 by default. Nothing is measured in
/// the picture, so the pictures of a set stay comparable. Explicitly set noise reduction,
/// sharpness, white and exposure are applied. Creative and local adjustments, and a white measured
/// in the picture, are rejected.
extension RAWSettings {
  /// Whether scene-linear output is requested.
  public var isScene: Bool { look.base == .scene }

  /// These settings with the look `scene` replaced by the values that it implies.
  public var resolvedForScene: RAWSettings {
    guard isScene else { return self }
    var settings = self
    settings.look.base = .standard
    settings.boostAmount = 0
    settings.baselineExposure = baselineExposure ?? 0
    settings.localToneMapAmount = 0
    settings.luminanceNoiseReductionAmount = luminanceNoiseReductionAmount ?? 0
    settings.colorNoiseReductionAmount = colorNoiseReductionAmount ?? 0
    settings.sharpnessAmount = sharpnessAmount ?? 0
    settings.outputSharpening = outputSharpening ?? OutputSharpening.none
    settings.isGamutMappingEnabled = false
    return settings
  }

  /// Throws a `.badSetting` that names the first property that conflicts with the look `scene`.
  func checkScene() throws(RAWError) {
    guard isScene else { return }
    let neutral = RAWSettings()
    var scene = neutral
    scene.look.base = .scene
    scene = scene.resolvedForScene
    func value(_ adjustment: Adjustment, _ settings: RAWSettings) -> AnyHashable? {
      settings[keyPath: adjustment.storage] as? AnyHashable
    }
    let named = Adjustment.all.first { adjustment in
      let own = value(adjustment, self)
      return Self.displayStages.contains(adjustment.stage) && adjustment.name != "look"
        && !Self.allowedInScene.contains(adjustment.name) && own != value(adjustment, neutral)
        && own != value(adjustment, scene)
    }
    let name = named?.name ?? (neutralIsMeasured ? "isAutomaticWhiteBalanceEnabled" : nil)
    guard let name else { return }
    throw RAWError(
      .badSetting, .settings,
      "look scene is scene-linear output, without \(name); leave one of them out, as by "
        + "setting raw.\(name) to null, or, where it is from a sidecar of another program, by "
        + "reading none",
      setting: name)
  }

  private var neutralIsMeasured: Bool { neutral == .automatic }
  private static let displayStages: [Adjustment.Stage] = [
    .localTone, .detail, .toneAdjustment, .color, .finish, .tone, .curve,
  ]
  private static let allowedInScene = ["sharpnessAmount", "outputSharpening"]
}

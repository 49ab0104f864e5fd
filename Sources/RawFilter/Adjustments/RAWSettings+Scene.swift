import ImageCore

/// Linear light of the scene as recorded, for programs that compute: the look called `scene`.
///
/// No tone curve, gamut mapping, local tone map, noise reduction or sharpening; white as shot, and
/// no exposure but that of `exposure` and `baselineExposure`, 0 unless given: nothing is measured
/// in the picture, so the pictures of a set stay comparable. Noise reduction, sharpness, a white
/// and an exposure that are given are applied, being fixed by who gives them. What belongs to a
/// look, to local adjustments or to a white measured in the picture is refused beside it.
extension RAWSettings {
  /// Whether linear light of the scene is asked for.
  public var isScene: Bool { look.base == .scene }

  /// These settings with every value that the scene fixes, and without the word for it.
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

  /// Throws a `.badSetting` that names the first property that has no place beside the scene.
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
        && !Self.keptBeside.contains(adjustment.name) && own != value(adjustment, neutral)
        && own != value(adjustment, scene)
    }
    let name = named?.name ?? (neutralIsMeasured ? "isAutomaticWhiteBalanceEnabled" : nil)
    guard let name else { return }
    throw RAWError(
      .badSetting, .settings,
      "look scene is linear light as recorded, without \(name); leave one of them out, as by "
        + "setting raw.\(name) to null, or, where it is from a sidecar of another program, by "
        + "reading none",
      setting: name)
  }

  private var neutralIsMeasured: Bool { neutral == .automatic }
  private static let displayStages: [Adjustment.Stage] = [
    .localTone, .detail, .toneAdjustment, .color, .finish, .tone, .curve,
  ]
  private static let keptBeside = ["sharpnessAmount", "outputSharpening"]
}

public import ImageCore
import RawDecode
import RawSensor

// Every adjustable property, defined once: the stored value, the accessor of the filter, and the
// descriptor. Its effect on pixels is defined by its stage.

/// Every adjustable property of ``RAWFilter`` as one value: what a recipe stores. `init()` is the
/// default look.
public struct RAWSettings: Sendable, Hashable {
  /// Exposure compensation in stops, −20…20; +1 doubles.
  public var exposure: Float = 0
  /// The path of a raw that the exposure is taken from, in addition to ``exposure``; nil for none.
  public var exposureFrom: String?
  /// The patch of that raw that gets the level of its reflectance; nil for the exposure of its
  /// rendering.
  public var exposurePatch: ReferencePatch?
  /// Whether the picture sets exposure, tone and vibrance.
  var automatic = AutomaticChoice()
  /// Stops that belong to the file, −20…20; nil for the file's own value.
  public var baselineExposure: Float?
  /// Whether an explicit exposure is raised by the stops that the camera recorded darker than
  /// metered.
  public var undoesUnderexposure = false
  /// Black offset subtracted from the shadows, −0.5…0.5 of reference white, which is unchanged.
  public var shadowBias: Float = 0
  /// Strength of the global tone curve, 0 (linear) … 1.
  public var boostAmount: Float = 1
  /// Shadow part of the tone curve, 0 (dark) … 1 (neutral) … 2 (bright); no effect at boost 0.
  public var boostShadowAmount: Float = 1
  /// Strength of local tone mapping, 0 off … 1 full: of the file's own map (ProfileGainTableMap)
  /// where it has one; nil for the default of the file.
  public var localToneMapAmount: Float?
  /// Whether photosites that are stuck high or low are replaced.
  public var isDefectCorrectionEnabled = true
  /// The demosaicing method.
  public var demosaicMethod = DemosaicMethod.automatic
  /// Strength of luminance noise reduction, 0…1; nil to derive it from the picture's noise.
  public var luminanceNoiseReductionAmount: Float?
  /// Strength of color noise reduction, 0…1; nil to derive it from the picture's noise.
  public var colorNoiseReductionAmount: Float?
  /// Strength of despeckling, 0…1.
  public var despeckleAmount: Float = 0
  /// Strength of color moiré reduction, 0…1.
  public var moireReductionAmount: Float = 0
  /// Strength of capture sharpening, 0…1; nil for the default.
  public var sharpnessAmount: Float?
  /// What a reduced picture is sharpened for; nil for the default.
  public var outputSharpening: OutputSharpening?
  /// Strength of the enhancement of texture and small edges, −1, smoothed, …3.
  public var detailAmount: Float = 0
  /// Strength of the enhancement of local contrast, −1, smoothed, …1.
  public var contrastAmount: Float = 0
  /// How much haze is removed, −1, added, …1.
  public var dehazeAmount: Float = 0
  /// Whether distortion, lateral color and vignetting are corrected.
  public var isLensCorrectionEnabled = true
  /// How much of the lens's distortion is corrected, 0…1.
  public var lensDistortionAmount: Float = 1
  /// How much of the lens's lateral color is corrected, 0…1.
  public var lensLateralColorAmount: Float = 1
  /// How much of the lens's vignetting is corrected, 0…1.
  public var lensVignettingAmount: Float = 1
  /// Whether lateral color is measured in the picture and corrected if nothing else corrects it.
  public var isLateralColorCorrectionEnabled = true
  /// Strength of the removal of purple and green fringes, 0…1.
  public var defringeAmount: Float = 0
  /// Which of the file's camera profiles is used, by name; nil for the file's own choice.
  public var profileName: String?
  /// The path of a camera profile (.dcp) that replaces those in the file; nil for none.
  public var profilePath: String?
  /// The path of the file of a series; nil for none.
  public var series: String?
  /// The illuminant that is rendered neutral.
  public var neutral: WhiteBalance = .asShot
  /// Whether clipped channels are reconstructed from the others; off clips them to neutral.
  public var isHighlightRecoveryEnabled = true
  /// Whether colors outside the output's gamut are mapped into it; no effect at boost 0.
  public var isGamutMappingEnabled = true
  /// Creative adjustments: tone, color, finish.
  public var look = LookSettings()
  /// Crop, rotation and perspective.
  public var frame = FrameSettings()
  /// 0 standard dynamic range … 1 the full headroom of the file; nil for the output's default: 1
  /// where a recipe writes a format with values above reference white, else 0.
  public var extendedDynamicRangeAmount: Float?
  /// The Exif orientation of the stored picture; nil for the file's own.
  public var orientation: Orientation?
  /// Output size as a fraction of the native size, 0.001…1.
  public var scaleFactor: Float = 1
  /// Faster, without full demosaicing.
  public var isDraftModeEnabled = false
  /// The version of the rendering.
  public var decoderVersion = DecoderVersion.version1

  /// Number of the stored frame to develop, from 1; nil for the first.
  public var frameNumber: Int?

  /// The default look.
  public init() {}
}

// MARK: - Descriptors

extension Adjustment {
  /// Every adjustable property: first those that have an effect on every file, then those that
  /// depend on the file.
  package static let all: [Adjustment] =
    always + LookSettings.adjustments + FrameSettings.adjustments + whereSupported

  /// Range of the exposure in stops: of ``RAWSettings/exposure`` with references, and of the
  /// baseline exposure.
  static let exposureRange: ClosedRange<Float> = -20...20

  private static let always: [Adjustment] = [
    number(
      "exposure", \.exposure, \.exposure, exposureRange, unit: "stops", .exposure,
      "Exposure compensation", interplay: "Applied after the local tone map, before the tone curve."
    ),
    Adjustment(
      RAWProperty(
        "exposureFrom", .name, neutral: "none", standard: "none",
        "Raw that the exposure is taken from, by path",
        interplay: """
          Rendered like that raw, corrected for the difference of shutter, aperture and ISO speed; \
          with exposurePatch, like its patch. exposure adds to it.
          """),
      ifSet: \.exposureFrom, .other, .exposure),
    Adjustment(
      RAWProperty(
        "exposurePatch", .name, example: "chart", neutral: "none", standard: "none",
        "Patch of that raw that gets the level of its reflectance, at boostAmount 0",
        interplay: """
          chart: neutral 5 of the ColorChecker Classic found there; x,y,width,height in pixels or \
          percent of the upright picture: a gray card of 18 %.
          """),
      ifSet: \.exposurePatch, .other, .exposure, needs: .given("exposureFrom")),
    Adjustment(
      RAWProperty(
        "isAutomaticAdjustmentEnabled", .toggle, neutral: "off", standard: "off",
        "Set exposure, contrast, highlights, shadows, whites, blacks and vibrance by the picture",
        interplay: """
          Those that a recipe, a sidecar or an option gives stay as given. The white stays, too. \
          A note says what was set. Not with look scene.
          """),
      ifSet: \.automaticAdjustment, .toggle(\.isAutomaticAdjustmentEnabled), .toneAdjustment,
      options: ["automatic-adjustment", "auto"]
    ).part(of: "automatic").actingBefore,  // exposure acts before the detail stages
    number(
      "baselineExposure", \.baselineExposure, \.baselineExposure, exposureRange, unit: "stops",
      standard: "from the DNG; for other raws, matches the preview's brightness",
      .fileExposure, "Baseline exposure of the file", interplay: "Use 0 for scene-linear output."),
    number(
      "shadowBias", \.shadowBias, \.shadowBias, -0.5...0.5, unit: "of reference white", .exposure,
      "Black offset subtracted in the shadows; white is kept",
      interplay: "Applied to linear values."),
    number(
      "boostAmount", \.boostAmount, \.boostAmount, 0...1, .tone, "Strength of the tone curve",
      interplay: "At 0 the picture is scene-linear: no curve, gamut mapping or clipping."
    ).actingBefore,  // clipping and the default exposure depend on it
    number(
      "boostShadowAmount", \.boostShadowAmount, \.boostShadowAmount, 0...2, neutral: 1, .tone,
      needs: .on("boostAmount"),
      "Shadow part of the tone curve: below 1 darker, above 1 lighter",
      interplay: "No effect at boostAmount 0."),
    number(
      "extendedDynamicRangeAmount", \.extendedDynamicRangeAmount, \.extendedDynamicRangeAmount,
      0...1, standard: "0; rawdev develop: 1 for HDR outputs",
      options: ["extended-dynamic-range-amount", "edr"], .tone, needs: .on("boostAmount"),
      "Fraction of the file's headroom to use",
      interplay: "The peak is headroom^amount; midtones are unchanged."),
    toggle(
      "isGamutMappingEnabled", \.isGamutMappingEnabled, \.isGamutMappingEnabled, .tone,
      needs: .on("boostAmount"), "Map colors into the output's gamut",
      interplay: "No effect at boostAmount 0."
    ).actingBefore,  // the camera's gamut is mapped in the scene
    Adjustment(
      RAWProperty(
        "orientation", .number, 1...8, neutral: "1", standard: "the file's",
        "Exif orientation"),
      ifSet: \.orientation, .code { Float($0.orientation.rawValue) }, .output),
    number(
      "scaleFactor", \.scaleFactor, \.scaleFactor, 0.001...1, neutral: 1, .size,
      "Output size relative to the native size",
      interplay: "Up to 0.5 the mosaic is reduced instead of demosaiced."),
    toggle(
      "isDraftModeEnabled", \.isDraftModeEnabled, \.isDraftModeEnabled,
      options: ["draft-mode", "draft"], hasInverseOption: false, .decode,
      "Faster rendering without full demosaicing",
      interplay: "Opcodes that a DNG marks as optional for previews are skipped."),
    Adjustment(
      RAWProperty(
        "decoderVersion", .name, choices: DecoderVersion.all.map(\.rawValue), neutral: "1",
        standard: RAWSettings().decoderVersion.rawValue, "Version of the rendering",
        interplay: "Each version is frozen: a recipe that sets one always renders identically."),
      \.decoderVersion, .other, .output,
      refusal: { version in
        if DecoderVersion.all.contains(version) { return nil }
        let known = DecoderVersion.all.map(\.rawValue).joined(separator: " or ")
        return """
          decoder version "\(version.rawValue)" is not known here; use \(known), or a newer rawdev
          """
      }
    ).actingBefore,
  ]

  private static let whereSupported: [Adjustment] = [
    Adjustment(
      RAWProperty(
        "frameNumber", .number, 1...128, neutral: "1", standard: "1",
        "Which of the frames that the file stores is developed",
        interplay: "Of files of several shots, as by pixel shift; rawdev info says how many."),
      ifSet: \.frameNumber, .code { Float($0.frameNumber ?? 1) }, .decode,
      options: ["frame-number", "frame"],
      support: Support(else: "the file stores one frame") { $0.frameCount > 1 }),
    toggle(
      "undoesUnderexposure", \.undoesUnderexposure, \.undoesUnderexposure,
      options: ["undoes-underexposure", "undo-underexposure"], .fileExposure,
      support: Support(else: "the file does not say that it was recorded darker by known stops") {
        $0.hiddenUnderexposure?.stops != nil
      }, needs: .fixedExposure,
      "Raise a given exposure by the stops by which the camera recorded darker than it metered",
      interplay: """
        With look scene or an explicit baselineExposure; else no effect, because the default \
        undoes them already. By the maker note: Canon's highlight tone priority, Fujifilm's \
        dynamic range, Pentax's highlight correction.
        """),
    toggle(
      "isDefectCorrectionEnabled", \.isDefectCorrectionEnabled, \.isDefectCorrectionEnabled,
      .decode,
      support: Support(else: "the file holds finished pixels, not photosites") {
        $0.isDefectCorrectionSupported
      },
      "Replace hot and dead photosites",
      interplay: "Detected by the noise of the file; stars are preserved."),
    toggle(
      "isHighlightRecoveryEnabled", \.isHighlightRecoveryEnabled, \.isHighlightRecoveryEnabled,
      .highlights, support: Support { $0.isHighlightRecoverySupported },
      "Reconstruct clipped channels from the others",
      interplay: "If off, they are clipped to neutral, or at boostAmount 0 left as recorded."),
    Adjustment(
      RAWProperty(
        "demosaicMethod", .name, choices: DemosaicMethod.allCases.map(\.rawValue),
        neutral: DemosaicMethod.fast.rawValue, standard: RAWSettings().demosaicMethod.rawValue,
        "Demosaicing method",
        interplay: """
          automatic is best for Bayer and four-color sensors, fast for others; dual smooths areas \
          of a Bayer picture without detail above the noise, and suits pictures without noise \
          reduction. No effect on reduced and linear pictures.
          """),
      \.demosaicMethod, .other, .demosaic,
      support: Support(else: "the file has no Bayer, X-Trans or four-color mosaic") {
        $0.isDemosaicMethodSupported
      }, needs: .demosaiced),
    number(
      "despeckleAmount", \.despeckleAmount, \.despeckleAmount, Despeckle.amounts, .noise,
      support: Support { $0.isDespeckleSupported }, "Remove single bright or dark specks",
      interplay: "Specks are outliers that noise does not explain, which include stars."),
    number(
      "luminanceNoiseReductionAmount", \.luminanceNoiseReductionAmount,
      \.luminanceNoiseReductionAmount, NoiseAmounts.range,
      standard: "by the noise of the picture, at low ISO speed at most 0.2", .noise,
      support: Support { $0.isLuminanceNoiseReductionSupported }, "Luminance noise reduction",
      interplay: "Noise from the DNG's NoiseProfile, else measured."),
    number(
      "colorNoiseReductionAmount", \.colorNoiseReductionAmount, \.colorNoiseReductionAmount,
      NoiseAmounts.range, standard: "by the noise of the picture", .noise,
      support: Support { $0.isColorNoiseReductionSupported }, "Color noise reduction",
      interplay: "No effect on pictures without color."),
    number(
      "moireReductionAmount", \.moireReductionAmount, \.moireReductionAmount,
      MoireReduction.amounts, .noise, support: Support { $0.isMoireReductionSupported },
      "Remove false color from fine patterns",
      interplay: "Removes real color from very fine patterns, too."),
    toggle(
      "isLensCorrectionEnabled", \.isLensCorrectionEnabled, \.isLensCorrectionEnabled, .lens,
      support: .lens,
      "Correct distortion, lateral chromatic aberration and vignetting",
      interplay: """
        A DNG's own opcodes are preferred to the profile in lensfun's database, which is used if \
        lens and camera are identified with certainty; a DNG's GainMap is always applied.
        """),
    number(
      "lensDistortionAmount", \.lensDistortionAmount, \.lensDistortionAmount, LensStrengths.amounts,
      .lens, support: .lens, needs: .on("isLensCorrectionEnabled"),
      "Strength of the correction of the lens's distortion",
      interplay: "No effect with isLensCorrectionEnabled off."),
    number(
      "lensLateralColorAmount", \.lensLateralColorAmount, \.lensLateralColorAmount,
      LensStrengths.amounts, .lens, support: .lens, needs: .on("isLensCorrectionEnabled"),
      "Strength of the correction of the lens's lateral color",
      interplay: "As the file or the profile describes it. See lensDistortionAmount."),
    number(
      "lensVignettingAmount", \.lensVignettingAmount, \.lensVignettingAmount, LensStrengths.amounts,
      .lens, support: .lens, needs: .on("isLensCorrectionEnabled"),
      "Strength of the correction of the lens's vignetting",
      interplay: "A DNG's GainMap is applied in full. See lensDistortionAmount."),
    toggle(
      "isLateralColorCorrectionEnabled", \.isLateralColorCorrectionEnabled,
      \.isLateralColorCorrectionEnabled, .lens,
      support: Support(
        else: "the file or the profile of its lens corrects it, or the file has no mosaic"
      ) { $0.isLateralColorCorrectionSupported },
      "Correct the lateral color that is found in the picture",
      interplay: """
        Where neither the file nor a lens profile corrects it, and where it is significant. Not in \
        draft mode.
        """),
    number(
      "defringeAmount", \.defringeAmount, \.defringeAmount, Defringe.amounts, .defringe,
      support: Support { $0.isDefringeSupported },
      "Remove purple and green fringes beside strong edges",
      interplay: "Small purple and green objects beside such edges lose color, too."),
    number(
      "sharpnessAmount", \.sharpnessAmount, \.sharpnessAmount, 0...1,
      standard: RAWProperty.text(CaptureSharpening.Settings.defaultAmount), .detail,
      support: Support { $0.isSharpnessSupported }, "Capture sharpening",
      interplay: "Its radius is measured in the file; noise and clipped areas are not sharpened."),
    Adjustment(
      RAWProperty(
        "outputSharpening", .name, choices: OutputSharpening.allCases.map(\.rawValue),
        neutral: OutputSharpening.none.rawValue, standard: OutputSharpening.standard.rawValue,
        "What reduced pictures are sharpened for",
        interplay: "Together with sharpnessAmount; no effect at the native size."),
      ifSet: \.outputSharpening, .other, .detail, support: Support { $0.isSharpnessSupported }),
    number(
      "detailAmount", \.detailAmount, \.detailAmount, -1...3, .detail,
      support: Support { $0.isDetailSupported }, "Enhance texture and small edges",
      interplay: "Below 0 they are smoothed. Noise is not enhanced."),
    number(
      "contrastAmount", \.contrastAmount, \.contrastAmount, -1...1, .detail,
      support: Support { $0.isContrastSupported }, "Enhance local contrast",
      interplay: """
        Below 0 it is smoothed. Structures of up to 5 % of the longer side; edges get no halos.
        """),
    number(
      "dehazeAmount", \.dehazeAmount, \.dehazeAmount, -1...1, .detail,
      support: Support { $0.isDehazeSupported }, "Remove haze",
      interplay: """
        Below 0 haze is added. Estimated from the picture; a white wall may be mistaken for haze.
        """),
    number(
      "localToneMapAmount", \.localToneMapAmount, \.localToneMapAmount, 0...1,
      standard: "1 where the file has a map, else 0", .localTone,
      support: Support { $0.isLocalToneMapSupported },
      "Lift shadows and compress highlights locally",
      interplay: """
        A file's own map (ProfileGainTableMap) is preferred: its gains are raised to this power. \
        Others are mapped after sharpening; mean brightness and headroom are kept.
        """),
    Adjustment(
      RAWProperty(
        "profileName", .name, neutral: "the file's choice", standard: "the file's choice",
        "Camera profile of a DNG, by name",
        interplay: "Has its own matrices, tables, tone curve and exposure offset."),
      ifSet: \.profileName, .other, .profile, options: ["profile", "profile-name"],
      support: Support(else: "there is no other profile to choose") {
        $0.usableProfiles.count > 1
      }),
    Adjustment(
      RAWProperty(
        "profilePath", .name, neutral: "none", standard: "none",
        "Camera profile from a .dcp file, by path",
        interplay: "Replaces the file's profiles; for any color raw."),
      ifSet: \.profilePath, .other, .profile, options: ["profile-path", "camera-profile"],
      support: .colors),
    Adjustment(
      RAWProperty(
        "series", .name, neutral: "none", standard: "none",
        "File of what is found once for all frames of a camera, picture style and light, by path",
        interplay: """
          Gives the mapping of look camera, the default of baselineExposure and the automatic \
          white. rawdev develop and rawdev batch add missing entries, each from the first matching \
          frame, and never change one.
          """),
      ifSet: \.series, .other, .fileExposure),
    Adjustment(
      RAWProperty(
        "neutralTemperature", .number, 2000...50_000, unit: "K", neutral: "as shot",
        standard: "as shot", "Color temperature of the white; higher is warmer",
        interplay: "With neutralTint; excludes neutralChromaticity and neutralLocation."),
      ifSet: \.neutralTemperature, .number(\.neutralTemperature), .white,
      options: ["neutral-temperature", "temperature"], white: 0,
      support: .temperature),
    Adjustment(
      RAWProperty(
        "neutralTint", .number, -150...150, neutral: "as shot", standard: "as shot",
        "Tint of the white; higher is more magenta", interplay: "See neutralTemperature."),
      ifSet: \.neutralTint, .number(\.neutralTint), .white, options: ["neutral-tint", "tint"],
      white: 0,
      support: .temperature),
    Adjustment(
      RAWProperty(
        "neutralChromaticity", .pair, neutral: "as shot", standard: "as shot",
        "CIE x and y of the white", interplay: "See neutralTemperature."),
      ifSet: \.neutralChromaticity, .other, .white, white: 1,
      support: .white,
      refusal: { xy in
        let range = RAWSettings.chromaticities
        if range.contains(xy.x), range.contains(xy.y), xy.x + xy.y < 1 { return nil }
        return """
          neutralChromaticity is (\(xy.x), \(xy.y)); it takes the x and y of an illuminant, \
          \(range.lowerBound) to \(range.upperBound)
          """
      }),
    Adjustment(
      RAWProperty(
        "neutralLocation", .pair, neutral: "as shot", standard: "as shot",
        "Native pixel x and y whose surroundings are made neutral",
        interplay: "See neutralTemperature. Before orientation and scaling."),
      ifSet: \.neutralLocation, .other, .white, white: 2,
      support: .white,
      refusal: { point in
        if point.x >= 0, point.y >= 0 { return nil }
        return "neutralLocation is (\(point.x), \(point.y)); it takes a pixel of the picture"
      }),
    Adjustment(
      RAWProperty(
        "isAutomaticWhiteBalanceEnabled", .toggle, neutral: "off", standard: "off",
        "White balance estimated from the colors of the picture",
        interplay: """
          Overrides the other neutral properties; for files without a good as-shot white.
          """),
      ifSet: \.isAutomaticWhiteBalanceEnabled, .toggle(\.isAutomaticWhiteBalanceEnabled), .white,
      options: ["automatic-white-balance", "auto-white-balance"], white: 3,
      support: Support { $0.isAutomaticWhiteBalanceSupported }),
    Adjustment(
      RAWProperty(
        "whiteFrom", .name, neutral: "as shot", standard: "as shot",
        "Raw that the white is taken from, by path",
        interplay: "As shot there, or from whitePatch. See neutralTemperature."),
      ifSet: \.whiteFrom, .other, .white, white: 4, support: .white),
    Adjustment(
      RAWProperty(
        "whitePatch", .name, example: "chart", neutral: "as shot", standard: "as shot",
        "Neutral patch of the raw of whiteFrom",
        interplay: """
          chart: the neutral row of the ColorChecker Classic found there; x,y,width,height in \
          pixels or percent of the upright picture: what is gray or white there.
          """),
      ifSet: \.whitePatch, .other, .white, white: 4, support: .white, needs: .given("whiteFrom")),
  ]

  /// A number that is never nil.
  static func number(
    _ name: String, _ path: any WritableKeyPath<RAWSettings, Float> & Sendable,
    _ accessor: any WritableKeyPath<RAWFilter, Float> & Sendable, _ range: ClosedRange<Float>,
    unit: String = "", neutral: Float = 0, options: [String] = [], _ stage: Stage,
    support: Support? = nil, needs: Need? = nil, _ summary: String,
    interplay: String
  ) -> Adjustment {
    Adjustment(
      RAWProperty(
        name, .number, range, unit: unit, neutral: RAWProperty.text(neutral),
        standard: RAWProperty.text(RAWSettings()[keyPath: path]), summary, interplay: interplay),
      path, .number(accessor), stage, options: options, support: support, needs: needs)
  }

  /// A number whose default depends on the file or the version; `standard` describes it.
  private static func number(
    _ name: String, _ path: any WritableKeyPath<RAWSettings, Float?> & Sendable,
    _ accessor: any WritableKeyPath<RAWFilter, Float> & Sendable, _ range: ClosedRange<Float>,
    unit: String = "", standard: String, options: [String] = [], _ stage: Stage,
    support: Support? = nil, needs: Need? = nil, _ summary: String,
    interplay: String
  ) -> Adjustment {
    Adjustment(
      RAWProperty(
        name, .number, range, unit: unit, neutral: "0", standard: standard, summary,
        interplay: interplay),
      ifSet: path, .number(accessor), stage, options: options,
      support: support, needs: needs)
  }

  /// A toggle that does nothing when it is off.
  static func toggle(
    _ name: String, _ path: any WritableKeyPath<RAWSettings, Bool> & Sendable,
    _ accessor: any WritableKeyPath<RAWFilter, Bool> & Sendable, options: [String] = [],
    hasInverseOption: Bool = true, _ stage: Stage,
    support: Support? = nil, needs: Need? = nil, _ summary: String,
    interplay: String
  ) -> Adjustment {
    Adjustment(
      RAWProperty(
        name, .toggle, neutral: "off", standard: RAWSettings()[keyPath: path] ? "on" : "off",
        summary, interplay: interplay),
      path, .toggle(accessor), stage, options: options, hasInverseOption: hasInverseOption,
      support: support, needs: needs)
  }
}

// MARK: - Accessors

/// Setting a number outside its range clamps it; setting NaN or infinity changes nothing.
extension RAWFilter {
  /// Exposure compensation in stops, −20…20; default 0.
  public var exposure: Float {
    get { settings.exposure }
    set { set(\.exposure, newValue) }
  }

  /// Baseline exposure of the file in stops, −20…20; 0 for scene-linear. Default: a DNG's
  /// BaselineExposure and the offset of the profile in use; for other raws the stops that match the
  /// mean lightness of the default rendering to the embedded preview. Reading the default of other
  /// raws decodes the picture once; if that fails it reads 0.7, and ``resolvedSettings()`` throws
  /// the reason.
  public var baselineExposure: Float {
    get {
      (try? resolvedBaselineExposure()) ?? BaselineExposure.usual + baselineExposureOffset
    }
    set { set(\.baselineExposure, newValue) }
  }

  /// Black offset subtracted from the shadows, −0.5…0.5 of reference white; default 0.
  public var shadowBias: Float {
    get { settings.shadowBias }
    set { set(\.shadowBias, newValue) }
  }

  /// Strength of the global tone curve, 0 (linear) … 1 (default).
  public var boostAmount: Float {
    get { settings.boostAmount }
    set { set(\.boostAmount, newValue) }
  }

  /// Shadow part of the tone curve, 0 (dark) … 1 (default) … 2 (bright); no effect at boost 0.
  public var boostShadowAmount: Float {
    get { settings.boostShadowAmount }
    set { set(\.boostShadowAmount, newValue) }
  }

  /// 0 (default) limits the picture to SDR, 1 uses the full headroom of the file. In between the
  /// brightest value is headroom^amount.
  public var extendedDynamicRangeAmount: Float {
    get { settings.extendedDynamicRangeAmount ?? 0 }
    set { set(\.extendedDynamicRangeAmount, newValue) }
  }

  /// Whether colors outside ``outputPrimaries`` are mapped into their gamut; default on, no effect
  /// at boost 0.
  public var isGamutMappingEnabled: Bool {
    get { settings.isGamutMappingEnabled }
    set { settings.isGamutMappingEnabled = newValue }
  }

  /// The Exif orientation of the stored picture; default: the file's.
  public var orientation: Orientation {
    get { effectiveOrientation }
    set { settings.orientation = newValue }
  }

  /// Output size as a fraction of the native size, 0.001…1; default 1.
  public var scaleFactor: Float {
    get { settings.scaleFactor }
    set { set(\.scaleFactor, newValue) }
  }

  /// Faster, without full demosaicing; default off.
  public var isDraftModeEnabled: Bool {
    get { settings.isDraftModeEnabled }
    set { settings.isDraftModeEnabled = newValue }
  }

  /// The version of the rendering. An unknown version makes `outputImage()` throw; see
  /// ``supportedDecoderVersions``.
  public var decoderVersion: DecoderVersion {
    get { settings.decoderVersion }
    set { settings.decoderVersion = newValue }
  }

  /// Number of the stored frame to develop, from 1; nil, the default, for the first. A missing
  /// frame makes `outputImage()` throw.
  public var frameNumber: Int? {
    get { settings.frameNumber }
    set { settings.frameNumber = newValue }
  }

  /// Whether clipped channels are reconstructed (default) or clipped to neutral. At boost 0, off
  /// leaves them as recorded, because a linear picture holds measured values.
  public var isHighlightRecoveryEnabled: Bool {
    get { settings.isHighlightRecoveryEnabled }
    set { settings.isHighlightRecoveryEnabled = newValue }
  }

  /// Whether single photosites that are stuck high or low, and pairs of them, are replaced; default
  /// on. No counterpart in CIRAWFilter.
  public var isDefectCorrectionEnabled: Bool {
    get { settings.isDefectCorrectionEnabled }
    set { settings.isDefectCorrectionEnabled = newValue }
  }

  /// The demosaicing method; the default depends on the version.
  public var demosaicMethod: DemosaicMethod {
    get { settings.demosaicMethod }
    set { settings.demosaicMethod = newValue }
  }

  /// Strength of the removal of single bright or dark specks, 0 (default) … 1.
  public var despeckleAmount: Float {
    get { settings.despeckleAmount }
    set { set(\.despeckleAmount, newValue) }
  }

  /// Strength of luminance noise reduction, 0 (none) … 1 (full). The default depends on the noise
  /// of the picture. Reading the default decodes the picture once; if that fails it reads 0, and
  /// ``resolvedSettings()`` throws the reason.
  public var luminanceNoiseReductionAmount: Float {
    get { settings.luminanceNoiseReductionAmount ?? (try? resolvedNoiseAmounts())?.luminance ?? 0 }
    set { set(\.luminanceNoiseReductionAmount, newValue) }
  }

  /// Strength of color noise reduction, 0 (none) … 1 (full). The default depends on the noise of
  /// the picture. Reading the default decodes the picture once; if that fails it reads 0, and
  /// ``resolvedSettings()`` throws the reason.
  public var colorNoiseReductionAmount: Float {
    get { settings.colorNoiseReductionAmount ?? (try? resolvedNoiseAmounts())?.color ?? 0 }
    set { set(\.colorNoiseReductionAmount, newValue) }
  }

  /// Strength of the reduction of color moiré in fine patterns, 0 (default) … 1.
  public var moireReductionAmount: Float {
    get { settings.moireReductionAmount }
    set { set(\.moireReductionAmount, newValue) }
  }

  /// Whether distortion, lateral color and vignetting are corrected, by the file's corrections or
  /// else by the lens database; default on.
  public var isLensCorrectionEnabled: Bool {
    get { settings.isLensCorrectionEnabled }
    set { settings.isLensCorrectionEnabled = newValue }
  }

  /// How much of the lens's distortion is corrected, 0…1; default 1.
  public var lensDistortionAmount: Float {
    get { settings.lensDistortionAmount }
    set { set(\.lensDistortionAmount, newValue) }
  }

  /// How much of the lens's lateral color is corrected, 0…1; default 1.
  public var lensLateralColorAmount: Float {
    get { settings.lensLateralColorAmount }
    set { set(\.lensLateralColorAmount, newValue) }
  }

  /// How much of the lens's vignetting is corrected, 0…1; default 1.
  public var lensVignettingAmount: Float {
    get { settings.lensVignettingAmount }
    set { set(\.lensVignettingAmount, newValue) }
  }

  /// Whether lateral color is measured in the picture and corrected, where neither the file nor a
  /// lens profile corrects it; default on. No counterpart in CIRAWFilter.
  public var isLateralColorCorrectionEnabled: Bool {
    get { settings.isLateralColorCorrectionEnabled }
    set { settings.isLateralColorCorrectionEnabled = newValue }
  }

  /// Strength of the removal of purple and green fringes beside strong edges, 0 (default) … 1. No
  /// counterpart in CIRAWFilter.
  public var defringeAmount: Float {
    get { settings.defringeAmount }
    set { set(\.defringeAmount, newValue) }
  }

  /// Strength of capture sharpening, 0…1; default 0.8.
  public var sharpnessAmount: Float {
    get { settings.sharpnessAmount ?? CaptureSharpening.Settings.defaultAmount }
    set { set(\.sharpnessAmount, newValue) }
  }

  /// Strength of the enhancement of texture and small edges, −1 (smoothed) … 0 (default) … 3.
  public var detailAmount: Float {
    get { settings.detailAmount }
    set { set(\.detailAmount, newValue) }
  }

  /// Strength of the enhancement of local contrast, −1 (smoothed) … 0 (default) … 1: of structures
  /// of up to 5 % of the picture's longer side, at any size. Edges get no halos, noise is not
  /// enhanced.
  public var contrastAmount: Float {
    get { settings.contrastAmount }
    set { set(\.contrastAmount, newValue) }
  }

  /// How much haze is removed, −1 (added) … 0 (default) … 1. No counterpart in CIRAWFilter.
  public var dehazeAmount: Float {
    get { settings.dehazeAmount }
    set { set(\.dehazeAmount, newValue) }
  }

  /// Strength of local tone mapping, 0 off … 1 full: of the file's own map (ProfileGainTableMap) if
  /// the active profile has one, default 1; else of rawdev's own, default 0.
  public var localToneMapAmount: Float {
    get { settings.localToneMapAmount ?? (hasGainTableMap ? 1 : 0) }
    set { set(\.localToneMapAmount, newValue) }
  }

  /// Name of the profile to use, one of ``profiles``; nil, the default, for the camera's choice. An
  /// unknown name makes `outputImage()` throw.
  public var profileName: String? {
    get { settings.profileName }
    set { settings.profileName = newValue }
  }

  /// The path of a camera profile (.dcp) that replaces those in the file, for any raw with colors;
  /// nil, the default, for none. An unusable file makes `outputImage()` throw; a profile of another
  /// camera is used with a warning. No effect on monochrome files; ``colorMatrix`` takes
  /// precedence. It is read once, on first use.
  public var profilePath: String? {
    get { settings.profilePath }
    set { settings.profilePath = newValue }
  }
}

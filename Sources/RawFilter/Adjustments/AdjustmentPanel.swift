/// How an adjustment appears in a user interface: its group in the order of the work, its title,
/// the section within the group, and search terms.
///
/// One table for all user interfaces; the API keeps CIRAWFilter's names.
package struct PanelEntry: Sendable, Hashable {
  /// Groups in the order of the work.
  package enum Group: String, Sendable, CaseIterable {
    case light, color, effects, detail, optics, geometry, advanced

    /// Its name for people.
    package var title: String { PanelEntry.titled(rawValue) }
  }

  /// The property.
  package let name: String
  package let group: Group
  /// Its name for people.
  package let title: String
  /// The title of its section; nil for none.
  package let family: String?
  /// Search terms.
  package let words: String

  private init(
    _ name: String, _ group: Group, _ title: String, in family: String? = nil, words: String = ""
  ) {
    (self.name, self.group, self.title) = (name, group, title)
    (self.family, self.words) = (family, words)
  }

  /// A word capitalized. Without Foundation, because the table is made at every start.
  private static func titled(_ word: String) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
  }

  /// The titles of all properties.
  static let titles = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.title) })

  /// All entries, in order.
  package static let all: [PanelEntry] =
    light + color + effects + detail + optics + geometry + advanced

  private static let light = [
    PanelEntry("exposure", .light, "Exposure", words: "brightness ev"),
    PanelEntry("contrast", .light, "Contrast"),
    PanelEntry("highlights", .light, "Highlights", words: "recovery"),
    PanelEntry("shadows", .light, "Shadows", words: "fill light"),
    PanelEntry("whites", .light, "Whites"),
    PanelEntry("blacks", .light, "Blacks"),
    PanelEntry("toneCurve", .light, "Tone curve", in: "Curve", words: "rgb channels"),
    PanelEntry("redToneCurve", .light, "Red curve", in: "Curve", words: "tone curve"),
    PanelEntry("greenToneCurve", .light, "Green curve", in: "Curve", words: "tone curve"),
    PanelEntry("blueToneCurve", .light, "Blue curve", in: "Curve", words: "tone curve"),
  ]

  private static let color =
    [
      PanelEntry(
        "isAutomaticWhiteBalanceEnabled", .color, "White balance",
        words: "automatic white awb as shot picker"),
      PanelEntry(
        "neutralTemperature", .color, "Temperature", words: "white balance kelvin warm cool"),
      PanelEntry("neutralTint", .color, "Tint", words: "white balance green magenta"),
      PanelEntry("vibrance", .color, "Vibrance"),
      PanelEntry("saturation", .color, "Saturation", words: "colorfulness chroma"),
      PanelEntry(
        "isBlackAndWhiteEnabled", .color, "Black and white", in: "Mixer", words: "monochrome gray"),
    ] + mixer(["Hue", "Saturation", "Luminance"]) + grays
    + grading(["shadow", "midtone", "highlight", "global"]) + [
      PanelEntry("gradingBlending", .color, "Blending", in: "Grading", words: "split toning"),
      PanelEntry("gradingBalance", .color, "Balance", in: "Grading", words: "split toning"),
    ]

  private static let hues = [
    "red", "orange", "yellow", "green", "aqua", "blue", "purple", "magenta",
  ]

  private static func mixer(_ parts: [String]) -> [PanelEntry] {
    hues.flatMap { hue in
      parts.map { part in
        PanelEntry(
          hue + part, .color, "\(titled(hue)) \(part.lowercased())", in: "Mixer",
          words: "hsl color editor equalizer lightness")
      }
    }
  }

  private static let grays = hues.map {
    PanelEntry(
      $0 + "Gray", .color, "\(titled($0)) gray", in: "Mixer",
      words: "black and white brightness channel mixer")
  }

  private static func grading(_ ranges: [String]) -> [PanelEntry] {
    let titles = ["shadow": "Shadows", "midtone": "Midtones", "highlight": "Highlights"]
    return ranges.flatMap { range in
      ["Hue", "Saturation", "Luminance"].map { part in
        PanelEntry(
          range + part, .color, "\(titles[range] ?? "Overall") \(part.lowercased())", in: "Grading",
          words: "split toning color wheels balance")
      }
    }
  }

  private static let effects = [
    PanelEntry("detailAmount", .effects, "Texture", words: "detail structure"),
    PanelEntry(
      "contrastAmount", .effects, "Clarity", words: "local contrast structure micro contrast"),
    PanelEntry("dehazeAmount", .effects, "Dehaze", words: "haze fog"),
    PanelEntry(
      "localToneMapAmount", .effects, "Local tone", words: "hdr tone mapping dynamic compression"),
    PanelEntry("vignetteAmount", .effects, "Vignette", words: "darken corners"),
    PanelEntry("vignetteMidpoint", .effects, "Midpoint", in: "Shape of the vignette"),
    PanelEntry("vignetteRoundness", .effects, "Roundness", in: "Shape of the vignette"),
    PanelEntry("vignetteFeather", .effects, "Feather", in: "Shape of the vignette"),
    PanelEntry("grainAmount", .effects, "Grain", words: "film"),
    PanelEntry("grainSize", .effects, "Size", in: "Kind of grain"),
    PanelEntry("grainRoughness", .effects, "Roughness", in: "Kind of grain"),
    PanelEntry("grainSeed", .effects, "Number", in: "Kind of grain", words: "seed"),
  ]

  private static let detail = [
    PanelEntry("sharpnessAmount", .detail, "Sharpening", words: "sharpness capture deconvolution"),
    PanelEntry(
      "luminanceNoiseReductionAmount", .detail, "Noise",
      words: "luminance noise reduction denoise"),
    PanelEntry(
      "colorNoiseReductionAmount", .detail, "Color noise", words: "chroma noise reduction denoise"),
    PanelEntry("moireReductionAmount", .detail, "Moiré", words: "moire reduction"),
    PanelEntry("despeckleAmount", .detail, "Speckles", words: "despeckle"),
    PanelEntry(
      "isDefectCorrectionEnabled", .detail, "Hot pixels", words: "defect dead pixels correction"),
    PanelEntry("outputSharpening", .detail, "Output sharpening", words: "screen print"),
  ]

  private static let optics = [
    PanelEntry("isLensCorrectionEnabled", .optics, "Lens correction", words: "profile"),
    PanelEntry("lensDistortionAmount", .optics, "Distortion", words: "lens"),
    PanelEntry(
      "lensLateralColorAmount", .optics, "Color fringes", words: "lens lateral chromatic aberration"
    ),
    PanelEntry("lensVignettingAmount", .optics, "Vignetting", words: "lens falloff shading"),
    PanelEntry(
      "isLateralColorCorrectionEnabled", .optics, "Fringes by the picture",
      words: "lateral chromatic aberration"),
    PanelEntry("defringeAmount", .optics, "Purple fringes", words: "defringe axial"),
  ]

  private static let geometry = [
    PanelEntry("crop", .geometry, "Crop"),
    PanelEntry("cropAspect", .geometry, "Aspect", words: "crop ratio"),
    PanelEntry("isCropConstrained", .geometry, "Within the picture", words: "crop constrain"),
    PanelEntry("straightenAngle", .geometry, "Straighten", words: "rotate angle horizon level"),
    PanelEntry("verticalPerspective", .geometry, "Vertical", words: "perspective keystone upright"),
    PanelEntry(
      "horizontalPerspective", .geometry, "Horizontal", words: "perspective keystone upright"),
    PanelEntry("orientation", .geometry, "Orientation", words: "rotate turn flip mirror exif"),
  ]

  // In the order of the pipeline.
  private static let advanced = [
    PanelEntry("isDraftModeEnabled", .advanced, "Draft"),
    PanelEntry("frameNumber", .advanced, "Frame", words: "pixel shift multi-shot"),
    PanelEntry(
      "isHighlightRecoveryEnabled", .advanced, "Highlight recovery", words: "reconstruction clipped"
    ),
    PanelEntry("demosaicMethod", .advanced, "Demosaicing", words: "debayer"),
    PanelEntry("scaleFactor", .advanced, "Scale", words: "size resize"),
    PanelEntry("profileName", .advanced, "Profile", words: "camera dcp"),
    PanelEntry("profilePath", .advanced, "Profile file", words: "camera dcp"),
    PanelEntry("neutralChromaticity", .advanced, "White by chromaticity", words: "white balance"),
    PanelEntry("neutralLocation", .advanced, "White by location", words: "white balance picker"),
    PanelEntry("whiteFrom", .advanced, "White of another raw", words: "white balance gray card"),
    PanelEntry("whitePatch", .advanced, "Its patch for white", words: "white balance gray card"),
    PanelEntry("baselineExposure", .advanced, "Exposure of the file", words: "baseline"),
    PanelEntry(
      "undoesUnderexposure", .advanced, "Undo underexposure",
      words: "highlight tone priority dynamic range"),
    PanelEntry("series", .advanced, "Series"),
    PanelEntry("exposureFrom", .advanced, "Exposure of another raw", words: "gray card"),
    PanelEntry("exposurePatch", .advanced, "Its patch for exposure", words: "gray card"),
    PanelEntry(
      "isAutomaticAdjustmentEnabled", .advanced, "Automatic adjustment", words: "auto tone"),
    PanelEntry("shadowBias", .advanced, "Black offset", words: "shadow bias"),
    PanelEntry("look", .advanced, "Look", words: "picture style film simulation preset"),
    PanelEntry("boostAmount", .advanced, "Strength of the curve", words: "boost tone"),
    PanelEntry("boostShadowAmount", .advanced, "Shadows of the curve", words: "boost tone"),
    PanelEntry("extendedDynamicRangeAmount", .advanced, "Dynamic range", words: "hdr headroom edr"),
    PanelEntry("isGamutMappingEnabled", .advanced, "Gamut mapping"),
    PanelEntry("lutPath", .advanced, "Look file", words: "lut cube haldclut"),
    PanelEntry("lutSpace", .advanced, "Its color space", words: "lut"),
    PanelEntry("lutAmount", .advanced, "Its strength", words: "lut"),
    PanelEntry("decoderVersion", .advanced, "Version", words: "decoder process"),
  ]
}

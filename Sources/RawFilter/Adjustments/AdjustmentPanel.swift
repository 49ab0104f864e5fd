/// Where an adjustment stands for people who develop by eye: its group in the order of the work,
/// its name there, the fold within the group, and what other programs call it.
///
/// One table for every surface that shows adjustments; the API keeps CIRAWFilter's names.
package struct PanelPlace: Sendable, Hashable {
  /// Groups in the order of the work.
  package enum Group: String, Sendable, CaseIterable {
    case light, color, effects, detail, optics, geometry, advanced

    /// Its name for people.
    package var title: String { PanelPlace.titled(rawValue) }
  }

  /// The property.
  package let name: String
  package let group: Group
  /// Its name for people.
  package let title: String
  /// The title of the fold that it is in; nil for none.
  package let family: String?
  /// Other words by which it is looked for.
  package let words: String

  private init(
    _ name: String, _ group: Group, _ title: String, in family: String? = nil, words: String = ""
  ) {
    (self.name, self.group, self.title) = (name, group, title)
    (self.family, self.words) = (family, words)
  }

  /// A word as a title begins. By the standard library: the table is made at every start.
  private static func titled(_ word: String) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
  }

  /// The titles of all properties.
  static let titles = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.title) })

  /// All places, in order.
  package static let all: [PanelPlace] =
    light + color + effects + detail + optics + geometry + advanced

  private static let light = [
    PanelPlace("exposure", .light, "Exposure", words: "brightness ev"),
    PanelPlace("contrast", .light, "Contrast"),
    PanelPlace("highlights", .light, "Highlights", words: "recovery"),
    PanelPlace("shadows", .light, "Shadows", words: "fill light"),
    PanelPlace("whites", .light, "Whites"),
    PanelPlace("blacks", .light, "Blacks"),
    PanelPlace("toneCurve", .light, "Tone curve", in: "Curve", words: "rgb channels"),
    PanelPlace("redToneCurve", .light, "Red curve", in: "Curve", words: "tone curve"),
    PanelPlace("greenToneCurve", .light, "Green curve", in: "Curve", words: "tone curve"),
    PanelPlace("blueToneCurve", .light, "Blue curve", in: "Curve", words: "tone curve"),
  ]

  private static let color =
    [
      PanelPlace(
        "neutralTemperature", .color, "Temperature", words: "white balance kelvin warm cool"),
      PanelPlace("neutralTint", .color, "Tint", words: "white balance green magenta"),
      PanelPlace(
        "isAutomaticWhiteBalanceEnabled", .color, "Automatic white", words: "awb white balance"),
      PanelPlace("vibrance", .color, "Vibrance"),
      PanelPlace("saturation", .color, "Saturation", words: "colorfulness chroma"),
      PanelPlace("isBlackAndWhiteEnabled", .color, "Black and white", words: "monochrome gray"),
    ] + mixer(["Hue", "Saturation", "Luminance"]) + grays
    + grading(["shadow", "midtone", "highlight", "global"]) + [
      PanelPlace("gradingBlending", .color, "Blending", in: "Grading", words: "split toning"),
      PanelPlace("gradingBalance", .color, "Balance", in: "Grading", words: "split toning"),
    ]

  private static let hues = [
    "red", "orange", "yellow", "green", "aqua", "blue", "purple", "magenta",
  ]

  private static func mixer(_ parts: [String]) -> [PanelPlace] {
    hues.flatMap { hue in
      parts.map { part in
        PanelPlace(
          hue + part, .color, "\(titled(hue)) \(part.lowercased())", in: "Mixer",
          words: "hsl color editor equalizer lightness")
      }
    }
  }

  private static let grays = hues.map {
    PanelPlace(
      $0 + "Gray", .color, "\(titled($0)) gray", in: "Black and white mixer",
      words: "channel mixer")
  }

  private static func grading(_ ranges: [String]) -> [PanelPlace] {
    let titles = ["shadow": "Shadows", "midtone": "Midtones", "highlight": "Highlights"]
    return ranges.flatMap { range in
      ["Hue", "Saturation", "Luminance"].map { part in
        PanelPlace(
          range + part, .color, "\(titles[range] ?? "Overall") \(part.lowercased())", in: "Grading",
          words: "split toning color wheels balance")
      }
    }
  }

  private static let effects = [
    PanelPlace("detailAmount", .effects, "Texture", words: "detail structure"),
    PanelPlace(
      "contrastAmount", .effects, "Clarity", words: "local contrast structure micro contrast"),
    PanelPlace("dehazeAmount", .effects, "Dehaze", words: "haze fog"),
    PanelPlace(
      "localToneMapAmount", .effects, "Local tone", words: "hdr tone mapping dynamic compression"),
    PanelPlace("vignetteAmount", .effects, "Vignette", words: "darken corners"),
    PanelPlace("vignetteMidpoint", .effects, "Midpoint", in: "Shape of the vignette"),
    PanelPlace("vignetteRoundness", .effects, "Roundness", in: "Shape of the vignette"),
    PanelPlace("vignetteFeather", .effects, "Feather", in: "Shape of the vignette"),
    PanelPlace("grainAmount", .effects, "Grain", words: "film"),
    PanelPlace("grainSize", .effects, "Size", in: "Kind of grain"),
    PanelPlace("grainRoughness", .effects, "Roughness", in: "Kind of grain"),
    PanelPlace("grainSeed", .effects, "Number", in: "Kind of grain", words: "seed"),
  ]

  private static let detail = [
    PanelPlace("sharpnessAmount", .detail, "Sharpening", words: "sharpness capture deconvolution"),
    PanelPlace(
      "luminanceNoiseReductionAmount", .detail, "Noise",
      words: "luminance noise reduction denoise"),
    PanelPlace(
      "colorNoiseReductionAmount", .detail, "Color noise", words: "chroma noise reduction denoise"),
    PanelPlace("moireReductionAmount", .detail, "Moiré", words: "moire reduction"),
    PanelPlace("despeckleAmount", .detail, "Speckles", words: "despeckle"),
    PanelPlace(
      "isDefectCorrectionEnabled", .detail, "Hot pixels", words: "defect dead pixels correction"),
    PanelPlace("outputSharpening", .detail, "Output sharpening", words: "screen print"),
  ]

  private static let optics = [
    PanelPlace("isLensCorrectionEnabled", .optics, "Lens correction", words: "profile"),
    PanelPlace("lensDistortionAmount", .optics, "Distortion", words: "lens"),
    PanelPlace(
      "lensLateralColorAmount", .optics, "Color fringes", words: "lens lateral chromatic aberration"
    ),
    PanelPlace("lensVignettingAmount", .optics, "Vignetting", words: "lens falloff shading"),
    PanelPlace(
      "isLateralColorCorrectionEnabled", .optics, "Fringes by the picture",
      words: "lateral chromatic aberration"),
    PanelPlace("defringeAmount", .optics, "Purple fringes", words: "defringe axial"),
  ]

  private static let geometry = [
    PanelPlace("crop", .geometry, "Crop"),
    PanelPlace("cropAspect", .geometry, "Aspect", words: "crop ratio"),
    PanelPlace("isCropConstrained", .geometry, "Within the picture", words: "crop constrain"),
    PanelPlace("straightenAngle", .geometry, "Straighten", words: "rotate angle horizon level"),
    PanelPlace("verticalPerspective", .geometry, "Vertical", words: "perspective keystone upright"),
    PanelPlace(
      "horizontalPerspective", .geometry, "Horizontal", words: "perspective keystone upright"),
    PanelPlace("orientation", .geometry, "Orientation", words: "rotate turn flip mirror"),
  ]

  // In the order of the pipeline.
  private static let advanced = [
    PanelPlace("isDraftModeEnabled", .advanced, "Draft"),
    PanelPlace("frameNumber", .advanced, "Frame", words: "pixel shift multi-shot"),
    PanelPlace(
      "isHighlightRecoveryEnabled", .advanced, "Highlight recovery", words: "reconstruction clipped"
    ),
    PanelPlace("demosaicMethod", .advanced, "Demosaicing", words: "debayer"),
    PanelPlace("scaleFactor", .advanced, "Scale", words: "size resize"),
    PanelPlace("profileName", .advanced, "Profile", words: "camera dcp"),
    PanelPlace("profilePath", .advanced, "Profile file", words: "camera dcp"),
    PanelPlace("neutralChromaticity", .advanced, "White by chromaticity", words: "white balance"),
    PanelPlace("neutralLocation", .advanced, "White by a place", words: "white balance picker"),
    PanelPlace("whiteFrom", .advanced, "White of another raw", words: "white balance gray card"),
    PanelPlace("whitePatch", .advanced, "Its patch for white", words: "white balance gray card"),
    PanelPlace("baselineExposure", .advanced, "Exposure of the file", words: "baseline"),
    PanelPlace(
      "undoesUnderexposure", .advanced, "Undo underexposure",
      words: "highlight tone priority dynamic range"),
    PanelPlace("series", .advanced, "Series"),
    PanelPlace("exposureFrom", .advanced, "Exposure of another raw", words: "gray card"),
    PanelPlace("exposurePatch", .advanced, "Its patch for exposure", words: "gray card"),
    PanelPlace("shadowBias", .advanced, "Black offset", words: "shadow bias"),
    PanelPlace("look", .advanced, "Look", words: "picture style film simulation preset"),
    PanelPlace("boostAmount", .advanced, "Strength of the curve", words: "boost tone"),
    PanelPlace("boostShadowAmount", .advanced, "Shadows of the curve", words: "boost tone"),
    PanelPlace("extendedDynamicRangeAmount", .advanced, "Dynamic range", words: "hdr headroom edr"),
    PanelPlace("isGamutMappingEnabled", .advanced, "Gamut mapping"),
    PanelPlace("lutPath", .advanced, "Look file", words: "lut cube haldclut"),
    PanelPlace("lutSpace", .advanced, "Its color space", words: "lut"),
    PanelPlace("lutAmount", .advanced, "Its strength", words: "lut"),
    PanelPlace("decoderVersion", .advanced, "Version", words: "decoder process"),
  ]
}

import Containers

/// The values at which fields of Camera Raw have no effect, and why fields with an effect are not
/// applied.
///
/// Defaults are Camera Raw's for raws. Source of names and ranges: Adobe, "XMP namespaces:
/// crs" (developer.adobe.com/xmp); for newer fields, packets that Camera Raw 9 to 17 writes.
enum AdobeFields {
  /// Fields of the process before 2012. Camera Raw writes them in addition to the newer ones, where
  /// they have no effect.
  static let legacy: Set<String> = [
    "Exposure", "Contrast", "Brightness", "Shadows", "FillLight", "HighlightRecovery", "Clarity",
    "ToneCurve", "ToneCurveRed", "ToneCurveGreen", "ToneCurveBlue", "ToneCurveName",
  ]

  /// Fields without influence on the look: versions, checksums, names.
  private static let bookkeeping: Set<String> = [
    "Version", "ProcessVersion", "CompatibleVersion", "HasSettings", "AlreadyApplied",
    "RawFileName",
    "AutoWhiteVersion", "AutoToneDigest", "AutoToneDigestNoSat", "CameraProfileDigest",
    "LensProfileDigest", "LensProfileSetup", "LensProfileIsEmbedded", "ToneCurveName",
    "ToneCurveName2012", "UprightVersion", "UprightDependentDigest", "UprightGuidedDependentDigest",
    "UprightPreview", "UprightTransformCount", "UprightFocalMode", "UprightFocalLength35mm",
    "UprightCenterMode", "UprightCenterNormX", "UprightCenterNormY", "CropConstrainToUnitSquare",
    "PresetType", "Cluster", "UUID", "SupportsAmount", "SupportsAmount2", "SupportsColor",
    "SupportsMonochrome", "SupportsHighDynamicRange", "SupportsNormalDynamicRange",
    "SupportsSceneReferred", "SupportsOutputReferred", "RequiresRGBTables", "ShowInPresets",
    "ShowInQuickActions", "CameraModelRestriction", "Copyright", "ContactInfo", "Name", "ShortName",
    "SortName", "Group", "Description", "DefaultAutoGray", "DefaultsSpecificToISO",
    "DefaultsSpecificToSerial", "MaskGroupSyncID", "LookName",
  ]

  /// Defaults other than 0.
  private static let defaults: [String: Double] = [
    "SharpenRadius": 1, "SharpenDetail": 25, "ColorNoiseReductionDetail": 50,
    "ColorNoiseReductionSmoothness": 50, "LuminanceNoiseReductionDetail": 50,
    "ParametricShadowSplit": 25, "ParametricMidtoneSplit": 50, "ParametricHighlightSplit": 75,
    "ColorGradeBlending": 50, "DefringePurpleHueLo": 30, "DefringePurpleHueHi": 70,
    "DefringeGreenHueLo": 40, "DefringeGreenHueHi": 60, "PerspectiveScale": 100,
    "LensProfileDistortionScale": 100, "LensProfileVignettingScale": 100,
    "LensProfileChromaticAberrationScale": 100, "CurveRefineSaturation": 100, "Brightness": 50,
    "Contrast": 25, "Shadows": 5, "PostCropVignetteMidpoint": 50, "PostCropVignetteFeather": 50,
    "PostCropVignetteStyle": 1, "VignetteMidpoint": 50, "GrainSize": 25, "GrainFrequency": 50,
  ]

  /// Prefixes of fields that have no effect while all of the fields `on` are off.
  private static let dependents: [(prefix: String, on: [String])] = [
    ("SharpenRadius", ["Sharpness"]), ("SharpenDetail", ["Sharpness"]),
    ("SharpenEdgeMasking", ["Sharpness"]), ("LuminanceNoiseReduction", ["LuminanceSmoothing"]),
    ("ColorNoiseReduction", ["ColorNoiseReduction"]),
    ("PostCropVignette", ["PostCropVignetteAmount"]), ("VignetteMidpoint", ["VignetteAmount"]),
    ("Grain", ["GrainAmount"]), ("DefringePurple", ["DefringePurpleAmount"]),
    ("DefringeGreen", ["DefringeGreenAmount"]),
    ("SplitToningShadowHue", ["SplitToningShadowSaturation"]),
    ("SplitToningHighlightHue", ["SplitToningHighlightSaturation"]),
    ("SplitToningBalance", ["SplitToningShadowSaturation", "SplitToningHighlightSaturation"]),
    ("ColorGradeMidtoneHue", ["ColorGradeMidtoneSat"]),
    ("ColorGradeGlobalHue", ["ColorGradeGlobalSat"]),
    ("LensProfile", ["LensProfileEnable"]), ("SDR", ["HDREditMode"]),
    ("HDRMaxValue", ["HDREditMode"]), ("GrayMixer", ["ConvertToGrayscale"]),
    ("ParametricShadowSplit", AdobeLook.parametric),
    ("ParametricMidtoneSplit", AdobeLook.parametric),
    ("ParametricHighlightSplit", AdobeLook.parametric),
    ("Upright", ["PerspectiveUpright"]), ("Crop", ["HasCrop"]),
  ]

  /// Whether `field` has no effect with this value among `fields`.
  static func isNeutral(
    _ field: String, _ value: XMPValue, among fields: [String: XMPValue]
  ) -> Bool {
    if bookkeeping.contains(field) { return true }
    for (prefix, masters) in dependents where field.hasPrefix(prefix) && !masters.contains(field) {
      if masters.allSatisfy({ isOff(fields[$0]) }) { return true }
    }
    switch value {
    case .list(let items):
      return items.isEmpty || isStraight(items) || (field == "ToneCurve" && isMediumContrast(items))
    case .structure(let content):
      if field == "Look" {
        let name = value[XMPName(.cameraRaw, "Name")]?.text ?? ""
        return content.isEmpty || name.isEmpty
      }
      let isActive = content.first { $0.key.name.isSame(as: "Active") }?.value
      return content.isEmpty || isOff(isActive ?? .text("True"))
    case .text:
      if let number = value.number { return number == defaults[field] ?? 0 }
      return isOff(value)
    }
  }

  /// Absent, empty, 0, False or None.
  private static func isOff(_ value: XMPValue?) -> Bool {
    guard let value else { return true }
    if let number = value.number { return number == 0 }
    guard let text = value.text, text.utf8.count <= "false".utf8.count else { return false }
    return ["", "false", "none"].contains(text.lowercased())
  }

  /// The numbers of a point "x, y", as text; none for a text that is longer than any point.
  static func point(_ item: XMPValue) -> [String] {
    guard let text = item.text, text.utf8.count <= 64 else { return [] }
    return text.split(separator: ",").map { String($0).trimmingSpace }
  }

  /// Whether the points of a curve are on the diagonal.
  private static func isStraight(_ items: [XMPValue]) -> Bool {
    items.allSatisfy { item in
      let point = point(item)
      return point.count == 2 && point[0] == point[1]
    }
  }

  /// Whether this is the default curve of Camera Raw before 2012.
  private static func isMediumContrast(_ items: [XMPValue]) -> Bool {
    items.compactMap(\.text).elementsEqual(
      ["0, 0", "32, 22", "64, 56", "128, 128", "192, 196", "255, 255"]
    ) { $0.isSame(as: $1) }
  }

  /// Why fields are not taken, by prefixes of their names.
  private static let reasons: [(prefixes: [String], reason: String)] = [
    (
      ["Contrast", "HighlightRecovery", "Shadows", "Brightness", "FillLight"],
      "a tone control of processes before 2012; see contrast, highlights, shadows, blacks"
    ),
    (
      ["Sharpness", "Sharpen"],
      "another method: sharpnessAmount measures the blur instead of taking a radius"
    ),
    (
      ["LuminanceNoiseReduction", "ColorNoiseReduction"],
      "a refinement of Camera Raw's own noise reduction"
    ),
    (["PointColor", "ColorVariance"], "no picked colors here; see redHue and its like"),
    (["ShadowTint"], "no separate tint of black; see shadowHue"),
    (["AutoGrayscale"], "weights are not found by themselves here; see redGray and its like"),
    (["ToneCurve"], "no curve goes through these points"),
    (["Parametric"], "the parametric curve has an invalid number"),
    (["CurveRefine"], "a refinement of Camera Raw's own curve"),
    (["RGBTable", "LookTable", "Look"], "the tables of a look are stored inside Adobe's programs"),
    (["PostCropVignette"], "one style of vignette here"),
    (["Vignette"], "vignetting is corrected only by lens corrections; see vignetteAmount"),
    (
      ["Mask", "Gradient", "Circular", "PaintBased", "Correction", "LocalCorrection"],
      "no local adjustments here"
    ),
    (["Retouch", "RedEye", "Remove", "AIRemove"], "no retouching here"),
    (["LensBlur", "DepthMap", "DepthBased"], "no lens blur here"),
    (["Defringe"], "fringes are found by what surrounds them, not by ranges of hue"),
    (["ChromaticAberration"], "lateral color comes from lens corrections only"),
    (
      ["LensManualDistortion", "Perspective", "Upright"],
      "only PerspectiveVertical and PerspectiveHorizontal have a counterpart here"
    ),
    (["LensProfile"], "lens corrections come from the file or lensfun, not from Adobe's profiles"),
    (["SDR"], "the SDR rendition is made from the same settings"),
    (["Enhance", "SuperResolution", "Denoise"], "stored in another file by Adobe's programs"),
    (["Incremental"], "relative white balance is for finished pictures, not for raws"),
    (["CropWidth", "CropHeight", "CropUnit"], "a size of output; see maxSize of an output"),
  ]

  /// Why `field` is not taken.
  static func reason(_ field: String) -> String {
    for (prefixes, reason) in reasons where prefixes.contains(where: field.hasPrefix) {
      return reason
    }
    return "unknown to this version"
  }
}

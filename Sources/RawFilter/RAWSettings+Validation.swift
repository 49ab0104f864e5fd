import ImageCore

extension RAWSettings {
  /// Ranges of the adjustable numbers, in the units of the properties.
  public enum Limits {
    /// Stops.
    public static let exposure: ClosedRange<Float> = -20...20
    /// Stops.
    public static let baselineExposure: ClosedRange<Float> = -20...20
    /// Share of reference white.
    public static let shadowBias: ClosedRange<Float> = -0.5...0.5
    /// Share of the tone curve.
    public static let boostAmount: ClosedRange<Float> = 0...1
    /// 1 is neutral.
    public static let boostShadowAmount: ClosedRange<Float> = 0...2
    /// Share of the local tone map.
    public static let localToneMapAmount: ClosedRange<Float> = 0...1
    /// 1 takes out all that is noise, by brightness.
    public static let luminanceNoiseReductionAmount: ClosedRange<Float> = 0...1
    /// 1 takes out all that is noise, by colour.
    public static let colorNoiseReductionAmount: ClosedRange<Float> = 0...1
    /// 0 is neutral.
    public static let despeckleAmount: ClosedRange<Float> = 0...1
    /// 0 is neutral.
    public static let moireReductionAmount: ClosedRange<Float> = 0...1
    /// Share of the deconvolved picture.
    public static let sharpnessAmount: ClosedRange<Float> = 0...1
    /// 0 is neutral.
    public static let detailAmount: ClosedRange<Float> = 0...3
    /// 0 is neutral.
    public static let contrastAmount: ClosedRange<Float> = 0...1
    /// Share of the headroom.
    public static let extendedDynamicRangeAmount: ClosedRange<Float> = 0...1
    /// Share of the native size.
    public static let scaleFactor: ClosedRange<Float> = 0.001...1
    /// Kelvin.
    public static let neutralTemperature: ClosedRange<Float> = 2000...50_000
    /// Camera Raw's scale, positive is magenta.
    public static let neutralTint: ClosedRange<Float> = -150...150
    /// CIE x and y.
    public static let chromaticity: ClosedRange<Double> = 0.05...0.9
  }

  /// Throws a `.badSetting` that names the first property outside its range.
  public func validate() throws(RAWError) {
    func check(_ name: String, _ value: Float?, _ range: ClosedRange<Float>) throws(RAWError) {
      guard let value else { return }
      guard value.isFinite, range.contains(value) else {
        throw RAWError(
          .badSetting, .settings,
          "\(name) is \(value); it takes \(range.lowerBound) to \(range.upperBound)",
          setting: name)
      }
    }
    try check("exposure", exposure, Limits.exposure)
    try check("baselineExposure", baselineExposure, Limits.baselineExposure)
    try check("shadowBias", shadowBias, Limits.shadowBias)
    try check("boostAmount", boostAmount, Limits.boostAmount)
    try check("boostShadowAmount", boostShadowAmount, Limits.boostShadowAmount)
    try check(
      "extendedDynamicRangeAmount", extendedDynamicRangeAmount, Limits.extendedDynamicRangeAmount)
    try check("localToneMapAmount", localToneMapAmount, Limits.localToneMapAmount)
    try check(
      "luminanceNoiseReductionAmount", luminanceNoiseReductionAmount,
      Limits.luminanceNoiseReductionAmount)
    try check(
      "colorNoiseReductionAmount", colorNoiseReductionAmount, Limits.colorNoiseReductionAmount)
    try check("despeckleAmount", despeckleAmount, Limits.despeckleAmount)
    try check("moireReductionAmount", moireReductionAmount, Limits.moireReductionAmount)
    try check("sharpnessAmount", sharpnessAmount, Limits.sharpnessAmount)
    try check("detailAmount", detailAmount, Limits.detailAmount)
    try check("contrastAmount", contrastAmount, Limits.contrastAmount)
    try check("scaleFactor", scaleFactor, Limits.scaleFactor)
    switch neutral {
    case .asShot, .automatic: break
    case .temperature(let kelvin, let tint):
      try check("neutralTemperature", kelvin, Limits.neutralTemperature)
      try check("neutralTint", tint, Limits.neutralTint)
    case .chromaticity(let xy):
      guard Limits.chromaticity.contains(xy.x), Limits.chromaticity.contains(xy.y),
        xy.x + xy.y < 1
      else {
        throw RAWError(
          .badSetting, .settings,
          "neutralChromaticity is (\(xy.x), \(xy.y)); it takes the x and y of a light, 0.05 to 0.9",
          setting: "neutralChromaticity")
      }
    case .location(let point):
      guard point.x >= 0, point.y >= 0 else {
        throw RAWError(
          .badSetting, .settings,
          "neutralLocation is (\(point.x), \(point.y)); it takes a pixel of the picture",
          setting: "neutralLocation")
      }
    }
    guard DecoderVersion.all.contains(decoderVersion) else {
      let known = DecoderVersion.all.map(\.rawValue).joined(separator: " or ")
      throw RAWError(
        .badSetting, .settings,
        "decoder version \"\(decoderVersion.rawValue)\" is not known here; use \(known), or a newer rawdev",
        setting: "decoderVersion")
    }
  }
}

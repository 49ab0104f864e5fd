import Foundation
import HDRRender
import ImageCore

/// Noise, sharpness and local tone.
extension RAWFilter {
  /// How the colours that the sensor's filters leave out are found; default: as the version decides.
  public var demosaicMethod: DemosaicMethod {
    get { settings.demosaicMethod }
    set { settings.demosaicMethod = newValue }
  }

  /// How much noise of brightness is taken out, 0 (none) … 1 (all). Default: what the noise of the
  /// picture asks for; 0 in version 1. Reading the default decodes the picture.
  public var luminanceNoiseReductionAmount: Float {
    get { settings.luminanceNoiseReductionAmount ?? defaultNoiseAmounts.luminance }
    set { set(\.luminanceNoiseReductionAmount, newValue, Limits.luminanceNoiseReductionAmount) }
  }

  /// How much noise of colour is taken out, 0 (none) … 1 (all). Default: what the noise of the picture
  /// asks for; 0 in version 1. Reading the default decodes the picture.
  public var colorNoiseReductionAmount: Float {
    get { settings.colorNoiseReductionAmount ?? defaultNoiseAmounts.color }
    set { set(\.colorNoiseReductionAmount, newValue, Limits.colorNoiseReductionAmount) }
  }

  /// How far single bright or dark specks are flattened, 0 (default) … 1.
  public var despeckleAmount: Float {
    get { settings.despeckleAmount }
    set { set(\.despeckleAmount, newValue, Limits.despeckleAmount) }
  }

  /// How far false colour of fine patterns is taken out, 0 (default) … 1.
  public var moireReductionAmount: Float {
    get { settings.moireReductionAmount }
    set { set(\.moireReductionAmount, newValue, Limits.moireReductionAmount) }
  }

  /// How much of the blur of the capture is taken back, 0…1; default 0.6, in version 1 0.
  public var sharpnessAmount: Float {
    get {
      settings.sharpnessAmount
        ?? (settings.decoderVersion == .version1 ? 0 : CaptureSharpening.Settings.defaultAmount)
    }
    set { set(\.sharpnessAmount, newValue, Limits.sharpnessAmount) }
  }

  /// How much texture and small edges are strengthened, 0 (default) … 3.
  public var detailAmount: Float {
    get { settings.detailAmount }
    set { set(\.detailAmount, newValue, Limits.detailAmount) }
  }

  /// How much local contrast is strengthened, 0 (default) … 1.
  public var contrastAmount: Float {
    get { settings.contrastAmount }
    set { set(\.contrastAmount, newValue, Limits.contrastAmount) }
  }

  /// Strength of local tone mapping, 0 off … 1 full: of the file's own map (ProfileGainTableMap) where the
  /// profile in use has one, and then 1 by default; else of ours, and then 0 by default.
  public var localToneMapAmount: Float {
    get { settings.localToneMapAmount ?? (hasGainTableMap ? 1 : 0) }
    set { set(\.localToneMapAmount, newValue, Limits.localToneMapAmount) }
  }

  /// Whether ``luminanceNoiseReductionAmount`` has an effect.
  public var isLuminanceNoiseReductionSupported: Bool { true }
  /// Whether ``colorNoiseReductionAmount`` has an effect: on pictures with colour.
  public var isColorNoiseReductionSupported: Bool { hasColor }
  /// Whether ``despeckleAmount`` has an effect.
  public var isDespeckleSupported: Bool { true }
  /// Whether ``moireReductionAmount`` has an effect: on pictures with colour.
  public var isMoireReductionSupported: Bool { hasColor }
  /// Whether ``sharpnessAmount`` has an effect.
  public var isSharpnessSupported: Bool { true }
  /// Whether ``detailAmount`` has an effect.
  public var isDetailSupported: Bool { true }
  /// Whether ``contrastAmount`` has an effect.
  public var isContrastSupported: Bool { true }
  /// Whether ``localToneMapAmount`` has an effect: in version 1 on files that have a map.
  public var isLocalToneMapSupported: Bool {
    hasGainTableMap || settings.decoderVersion != .version1
  }

  private var hasGainTableMap: Bool { activeProfile?.gainTableMap != nil }
  private var hasColor: Bool { picture.file.info.layout != .monochrome }

  private var defaultNoiseAmounts: NoiseAmounts {
    (try? resolvedNoiseAmounts()) ?? NoiseAmounts(luminance: 0, color: 0)
  }

  private func resolvedNoiseAmounts() throws(RAWError) -> NoiseAmounts {
    let (luminance, color) = (
      settings.luminanceNoiseReductionAmount, settings.colorNoiseReductionAmount
    )
    if let luminance, let color { return NoiseAmounts(luminance: luminance, color: color) }
    var amounts = NoiseAmounts(luminance: 0, color: 0)
    if settings.decoderVersion != .version1 {
      amounts = NoiseAmounts(
        for: try picture.noise(opcodes: opcodes, profile: profile, workers: workers),
        applied: Float(picture.file.info.noiseReductionApplied))
    }
    return NoiseAmounts(luminance: luminance ?? amounts.luminance, color: color ?? amounts.color)
  }

  /// The sensor's method for ``demosaicMethod``.
  func sensorMethod() throws(RAWError) -> SensorSettings.Method {
    switch settings.demosaicMethod {
    case .fast: return .automatic
    case .best: return .best
    case .dual:
      return .dual(noise: try picture.noise(opcodes: opcodes, profile: profile, workers: workers))
    case .automatic:
      guard settings.decoderVersion != .version1,
        case .mosaic(let cfa) = picture.file.info.layout,
        cfa.kind == .bayer || cfa.kind == .fourColor
      else { return .automatic }
      return .best
    }
  }

  /// Whether ``demosaicMethod`` has an effect: on mosaics of Bayer, X-Trans and 2 × 2 four-colour
  /// sensors.
  public var isDemosaicMethodSupported: Bool {
    guard case .mosaic(let cfa) = picture.file.info.layout else { return false }
    return cfa.kind != .other
  }

  /// What is taken out of the camera's picture.
  func noiseStage() throws(RAWError) -> NoiseStage {
    let amounts = try resolvedNoiseAmounts()
    return NoiseStage(
      despeckle: settings.despeckleAmount, luminance: amounts.luminance,
      color: hasColor ? amounts.color : 0, moire: hasColor ? settings.moireReductionAmount : 0)
  }

  /// What is done to the detail of `scene`.
  func detailStage(of scene: ScenePipeline) throws(RAWError) -> DetailStage {
    let mapsTone = !hasGainTableMap && isLocalToneMapSupported && localToneMapAmount > 0
    var stage = DetailStage(
      sharpening: try CaptureSharpening.Settings(amount: 0), contrast: try LocalContrast.Settings())
    if sharpnessAmount > 0 || settings.detailAmount > 0 || settings.contrastAmount > 0 {
      let scale = Float(scaledSize.width) / Float(nativeSize.width)
      let gain = lightGain
      let model = try picture.noise(opcodes: opcodes, profile: profile, workers: workers)
      // Half of the variance of photosites is left in the brightness of full-size pixels, and less
      // where several of them make one.
      let share = 0.5 * scale * scale
      let noise = try LuminanceNoise(
        slope: model.shot.y * share * gain, offset: model.read.y * share * gain * gain)
      stage.sharpening = try CaptureSharpening.Settings(
        amount: sharpnessAmount,
        radius: SharpeningRadius.scaled(
          try picture.blur(opcodes: opcodes, workers: workers), by: scale),
        noise: noise, clipLevel: scene.isClipped ? gain : .infinity)
      stage.contrast = try LocalContrast.Settings(
        contrastAmount: settings.contrastAmount, detailAmount: settings.detailAmount, noise: noise)
    }
    if mapsTone {
      stage.tone = (
        try LocalToneMap.Settings(amount: localToneMapAmount), try localToneGains(scene)
      )
    }
    return stage
  }

  /// Scene-linear light of a balanced camera value of 1.
  private var lightGain: Float {
    exp2(settings.exposure + baselineExposure) / (1 - settings.shadowBias)
  }

  /// What local tone mapping does to `scene`, found on a small picture of it.
  private func localToneGains(_ scene: ScenePipeline) throws(RAWError) -> LocalToneGains {
    var small = self
    let side = Float(max(scaledSize.width, scaledSize.height))
    small.settings.scaleFactor *= min(Float(LuminanceProxy.longestSide) / side, 1)
    return LocalToneGains(
      LuminanceProxy(
        try small.scenePipeline(), peak: scene.info.peak, workers: workers))
  }

  private typealias Limits = RAWSettings.Limits

  private mutating func set(
    _ path: WritableKeyPath<RAWSettings, Float>, _ value: Float, _ range: ClosedRange<Float>
  ) {
    if let value = Self.clamp(value, range) { settings[keyPath: path] = value }
  }

  private mutating func set(
    _ path: WritableKeyPath<RAWSettings, Float?>, _ value: Float, _ range: ClosedRange<Float>
  ) {
    if let value = Self.clamp(value, range) { settings[keyPath: path] = value }
  }
}

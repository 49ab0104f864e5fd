import ImageCore

/// Noise, sharpness and local tone.
extension RAWFilter {
  /// How the colors that the sensor's filters leave out are found; default: as the version decides.
  public var demosaicMethod: DemosaicMethod {
    get { settings.demosaicMethod }
    set { settings.demosaicMethod = newValue }
  }

  /// How much noise of brightness is taken out, 0 (none) … 1 (all). Default: what the noise of the
  /// picture asks for; 0 in version 1. Reading that default decodes the picture, once; where it
  /// cannot be decoded it reads 0, and ``resolvedSettings()`` says why.
  public var luminanceNoiseReductionAmount: Float {
    get { settings.luminanceNoiseReductionAmount ?? (try? resolvedNoiseAmounts())?.luminance ?? 0 }
    set { set(\.luminanceNoiseReductionAmount, newValue, Limits.luminanceNoiseReductionAmount) }
  }

  /// How much noise of color is taken out, 0 (none) … 1 (all). Default: what the noise of the
  /// picture asks for; 0 in version 1. Reading that default decodes the picture, once; where it
  /// cannot be decoded it reads 0, and ``resolvedSettings()`` says why.
  public var colorNoiseReductionAmount: Float {
    get { settings.colorNoiseReductionAmount ?? (try? resolvedNoiseAmounts())?.color ?? 0 }
    set { set(\.colorNoiseReductionAmount, newValue, Limits.colorNoiseReductionAmount) }
  }

  /// How far single bright or dark specks are flattened, 0 (default) … 1.
  public var despeckleAmount: Float {
    get { settings.despeckleAmount }
    set { set(\.despeckleAmount, newValue, Limits.despeckleAmount) }
  }

  /// How far false color of fine patterns is taken out, 0 (default) … 1.
  public var moireReductionAmount: Float {
    get { settings.moireReductionAmount }
    set { set(\.moireReductionAmount, newValue, Limits.moireReductionAmount) }
  }

  /// How much of the blur of the capture is taken back, 0…1; default 0.6, in version 1 0.
  public var sharpnessAmount: Float {
    get { settings.sharpnessAmount ?? settings.decoderVersion.defaults.sharpnessAmount }
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

  /// Strength of local tone mapping, 0 off … 1 full: of the file's own map (ProfileGainTableMap)
  /// where the profile in use has one, and then 1 by default; else of ours, and then 0 by default.
  public var localToneMapAmount: Float {
    get { settings.localToneMapAmount ?? (hasGainTableMap ? 1 : 0) }
    set { set(\.localToneMapAmount, newValue, Limits.localToneMapAmount) }
  }

  /// Whether ``luminanceNoiseReductionAmount`` has an effect.
  public var isLuminanceNoiseReductionSupported: Bool { true }
  /// Whether ``colorNoiseReductionAmount`` has an effect: on pictures with color.
  public var isColorNoiseReductionSupported: Bool { hasColor }
  /// Whether ``despeckleAmount`` has an effect.
  public var isDespeckleSupported: Bool { true }
  /// Whether ``moireReductionAmount`` has an effect: on pictures with color.
  public var isMoireReductionSupported: Bool { hasColor }
  /// Whether ``sharpnessAmount`` has an effect.
  public var isSharpnessSupported: Bool { true }
  /// Whether ``detailAmount`` has an effect.
  public var isDetailSupported: Bool { true }
  /// Whether ``contrastAmount`` has an effect.
  public var isContrastSupported: Bool { true }
  /// Whether ``localToneMapAmount`` has an effect: in version 1 on files that have a map.
  public var isLocalToneMapSupported: Bool {
    hasGainTableMap || settings.decoderVersion.defaults.mapsLocalTone
  }

  /// Whether ``demosaicMethod`` has an effect: on mosaics of Bayer, X-Trans and 2 × 2 four-color
  /// sensors.
  public var isDemosaicMethodSupported: Bool {
    guard case .mosaic(let cfa) = picture.file.info.layout else { return false }
    return cfa.kind != .other
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

public import ImageCore
public import RawDecode

/// Four properties of one white balance, and one that derives it from the picture. Setting any of
/// them changes the others.
extension RAWFilter {
  /// Correlated color temperature of the illuminant that is rendered neutral, 2000…50000 K; default
  /// as shot. Raising it makes the picture warmer.
  public var neutralTemperature: Float {
    get { Float(CorrelatedColorTemperature(white).temperature) }
    set {
      guard let kelvin = Adjustment.clamped(newValue, at: \.neutralTemperature) else { return }
      settings.neutral = .temperature(kelvin: kelvin, tint: neutralTint)
    }
  }

  /// Distance of that illuminant from the black-body locus, −150…150; default as shot. Illuminants
  /// with a positive tint are greener, so raising it makes the picture more magenta.
  public var neutralTint: Float {
    get {
      let tint = Float(CorrelatedColorTemperature(white).tint)
      return Adjustment.clamped(tint, at: \.neutralTint) ?? 0
    }
    set {
      guard let tint = Adjustment.clamped(newValue, at: \.neutralTint) else { return }
      let kelvin = Adjustment.clamped(neutralTemperature, at: \.neutralTemperature) ?? 6500
      settings.neutral = .temperature(kelvin: kelvin, tint: tint)
    }
  }

  /// CIE xy chromaticity of that illuminant, each 0.05…0.9; default as shot.
  public var neutralChromaticity: Chromaticity {
    get { white }
    set {
      guard let white = RAWSettings.clamped(newValue) else { return }
      settings.neutral = .chromaticity(white)
    }
  }

  /// A native pixel, before orientation and scaling, whose surroundings are rendered neutral. Reads
  /// nil unless it was set; setting nil returns to the white as shot. The surface at the pixel is
  /// measured in a patch that scales with the picture, without values near clipping. Reading the
  /// other properties then decodes the picture.
  public var neutralLocation: PixelPoint? {
    get { if case .location(let point) = settings.neutral { point } else { nil } }
    set {
      settings.neutral =
        newValue.map {
          .location(
            PixelPoint(
              x: min(max($0.x, 0), nativeSize.width - 1),
              y: min(max($0.y, 0), nativeSize.height - 1)))
        } ?? .asShot
    }
  }

  /// Whether the white balance is estimated from the colors of the picture; default off. For files
  /// whose white as shot is wrong or missing: cameras know more about the illuminant than their
  /// raws show. No counterpart in CIRAWFilter. If on, the other properties read the estimated
  /// illuminant, which decodes the picture; turning it off returns to the white as shot. No effect
  /// on files without colors.
  public var isAutomaticWhiteBalanceEnabled: Bool {
    get { settings.neutral == .automatic }
    set {
      guard newValue != isAutomaticWhiteBalanceEnabled else { return }
      settings.neutral = newValue ? .automatic : .asShot
    }
  }

  /// Whether the picture has colors from which its illuminant can be estimated.
  public var isAutomaticWhiteBalanceSupported: Bool {
    isWhiteBalanceSupported && picture.file.info.layout != .monochrome
  }

  /// The illuminant that is rendered neutral; as shot if it cannot be determined.
  var white: Chromaticity { (try? resolvedWhite()) ?? profile?.asShotWhite ?? .d65 }

  /// The illuminant that is rendered neutral, whichever property chose it; D65 for files without
  /// colors. Decodes the picture for ``neutralLocation`` and ``isAutomaticWhiteBalanceEnabled``.
  /// Throws if that fails or the location is not neutral; the properties then read the white as
  /// shot.
  public func resolvedWhite() throws(RAWError) -> Chromaticity {
    guard let profile else { return .d65 }
    switch settings.neutral {
    case .asShot: return try defaultWhite(profile)
    case .temperature(let kelvin, let tint):
      let asShot = CorrelatedColorTemperature(profile.asShotWhite)
      return CorrelatedColorTemperature(
        temperature: kelvin.map(Double.init) ?? asShot.temperature,
        tint: tint.map(Double.init) ?? asShot.tint
      ).chromaticity
    case .chromaticity(let xy): return xy
    case .reference(let path, let patch): return try referenceWhite(path, patch, profile)
    case .automatic:
      guard isAutomaticWhiteBalanceSupported else { return profile.asShotWhite }
      return try seriesWhite { () throws(RAWError) in try automaticWhite(profile) }
    case .location(let point):
      let balanced = try picture.neutralPatch(
        at: point, of: cameraCrop, lens: lensSelection, profile: profile, defects: measuredDefects()
      )
      return profile.white(forNeutral: balanced * profile.neutral(for: profile.asShotWhite))
    }
  }

  /// The default illuminant with `profile`.
  func defaultWhite(_ profile: CameraProfile) throws(RAWError) -> Chromaticity {
    guard !statesWhite, isAutomaticWhiteBalanceSupported else { return profile.asShotWhite }
    return try seriesWhite { () throws(RAWError) in
      let found = try automaticWhite(profile)
      return try previewWhite(profile, from: found) ?? found
    }
  }

  /// The white of the series, else the result of `find`.
  private func seriesWhite(
    else find: () throws(RAWError) -> Chromaticity
  ) throws(RAWError) -> Chromaticity {
    if let white = try seriesEntry()?.findings.white { return white }
    return try find()
  }

  /// Whether the file declares its white; if not, the white as shot is daylight.
  var statesWhite: Bool {
    let info = picture.file.info
    return info.isDNG ? profile?.knowsAsShotWhite ?? false : info.asShot != .unknown
  }

  /// Whether the white as shot has a plausible color temperature. If not, the matrix does not
  /// belong to the camera, and temperatures are meaningless.
  public var isNeutralTemperatureSupported: Bool {
    guard let profile else { return false }
    guard statesWhite else { return true }
    let illuminant = CorrelatedColorTemperature(profile.asShotWhite)
    return Adjustment.named("neutralTemperature")?.property.refusal(Float(illuminant.temperature))
      == nil
      && abs(illuminant.tint) <= Self.plausibleTint
  }

  /// Twice the tint of the greenest lamps that are sold.
  private static let plausibleTint = 100.0

  private func automaticWhite(_ profile: CameraProfile) throws(RAWError) -> Chromaticity {
    try picture.automaticWhite(
      opcodes: opcodes, profile: profile, defects: measuredDefects(), workers: workers)
  }

  /// The color model in use: the caller's matrix, else the active profile.
  var profile: CameraProfile? {
    guard let colorMatrix else { return activeProfile?.camera ?? picture.file.info.profile }
    return CameraProfile(colorMatrix: colorMatrix, asShot: picture.file.info.asShot)
  }
}

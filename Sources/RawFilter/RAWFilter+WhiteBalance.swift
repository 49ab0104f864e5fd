public import ImageCore

/// Four views of one white balance. Setting any of them moves the others.
extension RAWFilter {
  /// Correlated colour temperature of the light that looks neutral, 2000…50000 K; default as shot.
  /// Raising it makes the picture warmer.
  public var neutralTemperature: Float {
    get { Float(WhiteBalance(white).temperature) }
    set {
      guard let kelvin = Self.clamp(newValue, RAWSettings.Limits.neutralTemperature) else { return }
      settings.neutral = .temperature(kelvin: kelvin, tint: neutralTint)
    }
  }

  /// How far that light lies from the black-body locus, −150…150; default as shot. Positive lights
  /// are greener, so raising it makes the picture more magenta.
  public var neutralTint: Float {
    get {
      let tint = Float(WhiteBalance(white).tint)
      return Self.clamp(tint, RAWSettings.Limits.neutralTint) ?? 0
    }
    set {
      guard let tint = Self.clamp(newValue, RAWSettings.Limits.neutralTint) else { return }
      let kelvin = Self.clamp(neutralTemperature, RAWSettings.Limits.neutralTemperature) ?? 6500
      settings.neutral = .temperature(kelvin: kelvin, tint: tint)
    }
  }

  /// CIE xy chromaticity of that light, each 0.05…0.9; default as shot.
  public var neutralChromaticity: Chromaticity {
    get { white }
    set {
      guard newValue.x.isFinite, newValue.y.isFinite else { return }
      let range = RAWSettings.Limits.chromaticity
      func clamp(_ v: Double) -> Double { min(max(v, range.lowerBound), range.upperBound) }
      var xy = Chromaticity(x: clamp(newValue.x), y: clamp(newValue.y))
      if xy.x + xy.y >= 1 { xy = Chromaticity(x: xy.x, y: 0.999 - xy.x) }
      settings.neutral = .chromaticity(xy)
    }
  }

  /// A native pixel, before orientation and scaling, whose surroundings shall look neutral. Reads nil
  /// unless it was set; setting nil returns to the white as shot. The patch is 9 × 9 pixels; values
  /// near clipping do not count. Reading the other views then decodes the picture.
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

  /// The light that looks neutral; the one as shot when a location cannot be sampled.
  var white: Chromaticity { (try? resolvedWhite()) ?? profile?.asShotWhite ?? .d65 }

  func resolvedWhite() throws(RAWError) -> Chromaticity {
    guard let profile else { return .d65 }
    switch settings.neutral {
    case .asShot: return profile.asShotWhite
    case .temperature(let kelvin, let tint):
      let asShot = WhiteBalance(profile.asShotWhite)
      return WhiteBalance(
        temperature: kelvin.map(Double.init) ?? asShot.temperature,
        tint: tint.map(Double.init) ?? asShot.tint
      ).chromaticity
    case .chromaticity(let xy): return xy
    case .location(let point):
      let balanced = try picture.patch(
        at: point, opcodes: opcodes, highlights: highlights, profile: profile)
      return profile.white(forNeutral: balanced * profile.neutral(for: profile.asShotWhite))
    }
  }

  /// The colours in use: the caller's matrix, else those of the profile in use.
  var profile: CameraProfile? {
    guard let colorMatrix else { return activeProfile?.camera ?? picture.file.info.profile }
    return CameraProfile(colorMatrix: colorMatrix, asShot: picture.file.info.asShot)
  }
}

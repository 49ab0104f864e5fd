public import HDRRender

// Base look and LUT (``LUTFile``), ``Vignette``, ``Grain``.

extension LookSettings {
  static let finish: [Adjustment] = [
    Adjustment(
      RAWProperty(
        "look", .name, choices: RAWLook.allCases.map(\.rawValue),
        neutral: RAWLook.standard.rawValue, standard: LookSettings().base.rawValue,
        "Base rendering: tone curve and colors before any adjustment",
        interplay: """
          standard is similar to cameras' standard styles, faithful keeps measured colors with a \
          curve of low contrast; a DNG with a tone curve uses that instead of either. camera \
          matches the embedded preview in brightness and color, if it shows the same picture. \
          scene is scene-linear output as recorded: no tone curve, gamut mapping, local \
          adjustment, noise reduction or sharpening, white as shot, no exposure unless given. For \
          floats and linear TIFFs. In recipes and options, a path that ends in .rawlook, .cube or \
          .png sets lutPath.
          """),
      \.look.base, .other, .curve
    ).actingBefore,  // the default of baselineExposure is found for its curve
    Adjustment(
      RAWProperty(
        "lutPath", .name, neutral: "none", standard: "none",
        """
        LUT from a .cube file (1D or 3D) or a HaldCLUT (PNG), or a camera look from a .rawlook \
        file, by path
        """,
        interplay: """
          Applied after the tone curves. Values above white change like the same color at white, \
          and keep their headroom. A .rawlook file, as rawdev profile makes from previews, is \
          applied before toneCurve, replaces the fit of look camera, and ignores lutSpace. No \
          effect at boostAmount 0.
          """),
      ifSet: \.look.lutPath, .other, .curve, options: ["lut-path", "lut"],
      needs: .on("boostAmount")),
    Adjustment(
      RAWProperty(
        "lutSpace", .name, choices: LookSpace.allCases.map(\.rawValue),
        neutral: LookSpace.srgb.rawValue, standard: LookSettings().lutSpace.rawValue,
        "Color space of the input and output of the LUT",
        interplay: """
          bt709 is a display of gamma 2.4, as for video LUTs; pq is BT.2100 and covers headroom.
          """),
      \.look.lutSpace, .other, .curve, needs: .given("lutPath")),
    .number(
      "lutAmount", \.look.lutAmount, \.lutAmount, 0...1, .curve, needs: .given("lutPath"),
      "Strength of the LUT",
      interplay: "No effect without lutPath."),
    .number(
      "vignetteAmount", \.look.vignette.amount, \.vignette.amount, -1...1, .finish,
      "Darker or brighter corners",
      interplay: "Of the picture as it is cropped; up to 2 stops."),
    .number(
      "vignetteMidpoint", \.look.vignette.midpoint, \.vignette.midpoint, 0...1,
      neutral: LookSettings().vignette.midpoint, .finish, needs: .on("vignetteAmount"),
      "How far from the center the vignette begins", interplay: "No effect at vignetteAmount 0."),
    .number(
      "vignetteRoundness", \.look.vignette.roundness, \.vignette.roundness, -1...1, .finish,
      needs: .on("vignetteAmount"),
      "Shape of the vignette: -1 a rectangle, 0 an ellipse, 1 a circle",
      interplay: "No effect at vignetteAmount 0."),
    .number(
      "vignetteFeather", \.look.vignette.feather, \.vignette.feather, 0...1,
      neutral: LookSettings().vignette.feather, .finish, needs: .on("vignetteAmount"),
      "How softly the vignette begins",
      interplay: "No effect at vignetteAmount 0."),
    .number(
      "grainAmount", \.look.grain.amount, \.grain.amount, 0...1, .finish, "Grain as of film",
      interplay: "The same at any size of the picture, and in SDR and HDR."),
    .number(
      "grainSize", \.look.grain.size, \.grain.size, 0...1, neutral: LookSettings().grain.size,
      .finish, needs: .on("grainAmount"), "Size of the grains",
      interplay: "1/8000 to 3/4000 of the longer side. No effect at grainAmount 0."),
    .number(
      "grainRoughness", \.look.grain.roughness, \.grain.roughness, 0...1,
      neutral: LookSettings().grain.roughness, .finish, needs: .on("grainAmount"),
      "How uneven the grain is",
      interplay: "No effect at grainAmount 0."),
    .number(
      "grainSeed", \.look.grain.seed, \.grain.seed, 0...65_535, .finish, needs: .on("grainAmount"),
      "Seed of the grain pattern", interplay: "An integer. No effect at grainAmount 0."),
  ]
}

/// Setting a number outside its range clamps it; setting NaN or infinity changes nothing.
extension RAWFilter {
  /// The path of a LUT, a .cube file or a HaldCLUT; nil, the default, for none. An unusable file
  /// makes `outputImage()` throw. It is read once, on first use.
  public var lutPath: String? {
    get { settings.look.lutPath }
    set { settings.look.lutPath = newValue }
  }

  /// The color space of the LUT at ``lutPath``; default sRGB.
  public var lutSpace: LookSpace {
    get { settings.look.lutSpace }
    set { settings.look.lutSpace = newValue }
  }

  /// Strength of the LUT at ``lutPath``, 0…1 (default).
  public var lutAmount: Float {
    get { settings.look.lutAmount }
    set { set(\.look.lutAmount, newValue) }
  }

  /// Darker or brighter corners; by default none.
  public var vignette: LookSettings.Vignette {
    get { settings.look.vignette }
    set { setEach { $0.vignette = newValue } }
  }

  /// Grain as of film; by default none.
  public var grain: LookSettings.Grain {
    get { settings.look.grain }
    set { setEach { $0.grain = newValue } }
  }

  /// The LUT at ``lutPath``; nil for none.
  func lutContents() throws(RAWError) -> LUTFile.Contents? {
    guard let path = settings.look.lutPath else { return nil }
    return try picture.cache.value(.lut(path: path)) { () throws(RAWError) in
      try LUTFile.read(path, limits: picture.file.limits)
    }
  }
}

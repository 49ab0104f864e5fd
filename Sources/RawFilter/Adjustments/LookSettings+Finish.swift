public import HDRRender

// Looks in files, ``LUTFile``; ``Vignette``; ``Grain``.

extension LookSettings {
  static let finish: [Adjustment] = [
    Adjustment(
      RAWProperty(
        "look", .name, choices: RAWLook.allCases.map(\.rawValue),
        neutral: RAWLook.standard.rawValue, standard: LookSettings().base.rawValue,
        "What tone curve and colors the picture begins with",
        interplay: """
          standard is that of cameras' standard styles, faithful keeps colors as measured under a \
          curve of little contrast; a DNG with a curve of its own begins with that instead of \
          either. camera goes on from standard to the picture by the camera in the same file, in \
          brightness and color, as far as that shows the same picture. scene stands for linear \
          light as recorded: no tone curve, gamut mapping, local adjustment, noise reduction or \
          sharpening, white as shot, no exposure that is not given. For floats and linear TIFFs. \
          In recipes and options, a path that ends in .rawlook, .cube or .png stands for lutPath.
          """),
      \.look.base, .other, .curve
    ).actingBefore,  // the default of baselineExposure is found for its curve
    Adjustment(
      RAWProperty(
        "lutPath", .name, neutral: "none", standard: "none",
        """
        Table of colors from a .cube file (1D or 3D) or a HaldCLUT (PNG), or a camera's look from \
        a .rawlook file, by path
        """,
        interplay: """
          Applied behind the tone curves; what is above white gets the change of its color at \
          white, and keeps its headroom. A .rawlook file, as rawdev profile makes of previews, \
          acts in front of toneCurve, in place of the fit of look camera, whatever lutSpace. No \
          effect at boostAmount 0.
          """),
      ifSet: \.look.lutPath, .other, .curve, options: ["lut-path", "lut"],
      needs: .on("boostAmount")),
    Adjustment(
      RAWProperty(
        "lutSpace", .name, choices: LookSpace.allCases.map(\.rawValue),
        neutral: LookSpace.srgb.rawValue, standard: LookSettings().lutSpace.rawValue,
        "What the signals of the table mean, in and out",
        interplay: """
          bt709 is a display of gamma 2.4, as of looks for video; pq is BT.2100 and covers headroom.
          """),
      \.look.lutSpace, .other, .curve, needs: .given("lutPath")),
    .number(
      "lutAmount", \.look.lutAmount, \.lutAmount, 0...1, .curve, needs: .given("lutPath"),
      "How much of the table is applied",
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
      "Which of the grains of this kind", interplay: "A whole number. No effect at grainAmount 0."),
  ]
}

/// Setting a number outside its range clamps it; setting NaN or infinity changes nothing.
extension RAWFilter {
  /// The path of a table of colors, a .cube file or a HaldCLUT; nil, the default, for none. One
  /// that cannot be used makes `outputImage()` throw. It is read once, when it is first needed.
  public var lutPath: String? {
    get { settings.look.lutPath }
    set { settings.look.lutPath = newValue }
  }

  /// What the signals of the table at ``lutPath`` mean; default sRGB.
  public var lutSpace: LookSpace {
    get { settings.look.lutSpace }
    set { settings.look.lutSpace = newValue }
  }

  /// How much of the table at ``lutPath`` is applied, 0…1 (default).
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

  /// The table at ``lutPath``; nil where there is none.
  func lutContents() throws(RAWError) -> LUTFile.Contents? {
    guard let path = settings.look.lutPath else { return nil }
    return try picture.cache.value(.lut(path: path)) { () throws(RAWError) in
      try LUTFile.read(path, limits: picture.file.limits)
    }
  }
}

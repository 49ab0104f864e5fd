// Contrast, highlights, shadows, whites and blacks: ``LightCurve``.

extension LookSettings {
  static let light: [Adjustment] = [
    .number(
      "contrast", \.look.contrast, \.contrast, LightCurve.amounts, .light,
      "Contrast of the midtones",
      interplay: """
        About 18 % gray, which stays; fades out towards black and the brightest values. \
        contrastAmount is local.
        """),
    .number(
      "highlights", \.look.highlights, \.highlights, LightCurve.amounts, .light,
      "Darken or brighten what is brighter than the midtones",
      interplay: "Above reference white it takes or gives headroom, up to 1.5 stops."),
    .number(
      "shadows", \.look.shadows, \.shadows, LightCurve.amounts, .light,
      "Darken or brighten what is darker than the midtones",
      interplay: "Up to 1.5 stops; noise is brightened with the shadows."),
    .number(
      "whites", \.look.whites, \.whites, LightCurve.amounts, .light,
      "Darken or brighten what is near reference white",
      interplay: "After highlights; above reference white it takes or gives headroom, up to 1 stop."
    ),
    .number(
      "blacks", \.look.blacks, \.blacks, LightCurve.amounts, .light,
      "Darken or brighten what is near black",
      interplay: "After shadows; up to 2 stops. Black itself stays black."),
  ]
}

/// Setting a number outside its range clamps it; setting NaN or infinity changes nothing.
extension RAWFilter {
  /// Contrast of the midtones about 18 % gray, −1…1; default 0.
  public var contrast: Float {
    get { settings.look.contrast }
    set { set(\.look.contrast, newValue) }
  }

  /// Brightness of what is brighter than 18 % gray, headroom included, −1…1; default 0.
  public var highlights: Float {
    get { settings.look.highlights }
    set { set(\.look.highlights, newValue) }
  }

  /// Brightness of what is darker than 18 % gray, −1…1; default 0.
  public var shadows: Float {
    get { settings.look.shadows }
    set { set(\.look.shadows, newValue) }
  }

  /// Brightness of what is near reference white and above, −1…1; default 0.
  public var whites: Float {
    get { settings.look.whites }
    set { set(\.look.whites, newValue) }
  }

  /// Brightness of what is near black, −1…1; default 0.
  public var blacks: Float {
    get { settings.look.blacks }
    set { set(\.look.blacks, newValue) }
  }
}

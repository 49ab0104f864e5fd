// Contrast, highlights, shadows, whites and blacks: ``ToneAdjustment``.

extension LookSettings {
  static let toneAdjustments: [Adjustment] = [
    .number(
      "contrast", \.look.contrast, \.contrast, -1...1, .toneAdjustment,
      "Contrast of the midtones",
      interplay: """
        About a gray near the middle of the picture; fades out towards the brightest values. \
        contrastAmount is local.
        """),
    .number(
      "highlights", \.look.highlights, \.highlights, -1...1, .toneAdjustment,
      "Darken or brighten what is brighter than the midtones",
      interplay: "Above reference white it takes or gives headroom, up to 1.5 stops."),
    .number(
      "shadows", \.look.shadows, \.shadows, -1...1, .toneAdjustment,
      "Darken or brighten what is darker than the midtones",
      interplay: "Up to 1.5 stops; noise is brightened with the shadows."),
    .number(
      "whites", \.look.whites, \.whites, -1...1, .toneAdjustment,
      "Darken or brighten the brightest tones",
      interplay: """
        After highlights: 1 brings them to white, by up to 2 stops, above reference white in \
        headroom.
        """),
    .number(
      "blacks", \.look.blacks, \.blacks, -1...1, .toneAdjustment,
      "Darken or brighten the darkest tones",
      interplay: "After shadows: -1 makes them black, 1 brightens by up to 2 stops."),
  ]
}

/// Setting a number outside its range clamps it; setting NaN or infinity changes nothing.
extension RAWFilter {
  /// Contrast about a gray near the middle of the picture, −1…1; default 0.
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

  /// Brightness of the brightest tones, headroom included, −1…1; default 0.
  public var whites: Float {
    get { settings.look.whites }
    set { set(\.look.whites, newValue) }
  }

  /// Brightness of the darkest tones, −1 (black) … 1; default 0.
  public var blacks: Float {
    get { settings.look.blacks }
    set { set(\.look.blacks, newValue) }
  }
}

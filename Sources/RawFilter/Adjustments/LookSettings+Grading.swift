// Tints of shadows, midtones and highlights: ``GradingTable``.

extension LookSettings {
  static let grading: [Adjustment] =
    ColorGrading.Tones.allCases.flatMap(wheel) + [
      .number(
        "gradingBlending", \.look.grading.blending, \.colorGrading.blending, 0...1,
        neutral: LookSettings().grading.blending, .color, needs: tints,
        "How far shadows, midtones and highlights of color grading reach into each other",
        interplay: "No effect without tints."),
      .number(
        "gradingBalance", \.look.grading.balance, \.colorGrading.balance, -1...1, .color,
        needs: tints,
        "Where shadows and highlights of color grading meet: above 0 in favor of the highlights",
        interplay: "No effect without tints."),
    ]

  private static let tints = Adjustment.Need.any(
    ColorGrading.Tones.allCases.map { $0.rawValue + "Saturation" })

  private static func wheel(_ tones: ColorGrading.Tones) -> [Adjustment] {
    let name = tones.rawValue
    let plural = tones == .global ? "all tones" : "the \(name)s"
    return [
      .number(
        "\(name)Hue", \.look.grading[tones].hue, \.colorGrading[tones].hue, 0...360,
        unit: "degrees", .color, needs: .on(name + "Saturation"),
        "Hue of the tint of \(plural), on the color wheel",
        interplay: "No effect unless \(name)Saturation is above 0."),
      .number(
        "\(name)Saturation", \.look.grading[tones].saturation, \.colorGrading[tones].saturation,
        0...1, .color, "Strength of the tint of \(plural)",
        interplay: "Of gray, too, and in black and white."),
      .number(
        "\(name)Luminance", \.look.grading[tones].luminance, \.colorGrading[tones].luminance,
        -1...1, .color, "Brightness of \(plural) in color grading",
        interplay: "Up to 0.75 stops."),
    ]
  }
}

extension RAWFilter {
  /// Tints of shadows, midtones and highlights; by default none. Setting a number outside its range
  /// clamps it; setting NaN or infinity changes nothing.
  public var colorGrading: ColorGrading {
    get { settings.look.grading }
    set { setEach { $0.grading = newValue } }
  }
}

// Saturation, vibrance, eight ranges of hues, black and white: ``ColorAdjustment``.

extension LookSettings {
  static let color: [Adjustment] =
    [
      .number(
        "saturation", \.look.saturation, \.saturation, -1...1, .color,
        support: .colors, "Saturation of all colors",
        interplay: "-1 is gray, 1 twice the saturation; hue and lightness stay."),
      .number(
        "vibrance", \.look.vibrance, \.vibrance, -1...1, .color,
        support: .colors, "Saturation of dull colors",
        interplay: "Strong colors change less, skin too."),
    ]
    + ColorRange.allCases.flatMap(mixing) + [
      .toggle(
        "isBlackAndWhiteEnabled", \.look.isBlackAndWhiteEnabled, \.isBlackAndWhiteEnabled, .color,
        support: .colors, "Black and white",
        interplay: "redGray to magentaGray weigh the colors; grading tints the result.")
    ]
    + ColorRange.allCases.map { range in
      .number(
        "\(range.rawValue)Gray", \.look.mixer[range].gray, \.colorMixer[range].gray,
        changes, .color, support: .colors, needs: .on("isBlackAndWhiteEnabled"),
        "Brightness of \(range.rawValue) in black and white",
        interplay: "No effect unless isBlackAndWhiteEnabled is on.")
    }

  /// Range of each number of ``ColorMixer/Change``.
  private static let changes: ClosedRange<Float> = -1...1

  private static func mixing(_ range: ColorRange) -> [Adjustment] {
    let name = range.rawValue
    return [
      .number(
        "\(name)Hue", \.look.mixer[range].hue, \.colorMixer[range].hue,
        changes, .color, support: .colors, "Hue of \(name)",
        interplay:
          "Towards \(range.before.rawValue) below 0, towards \(range.behind.rawValue) above."
      ),
      .number(
        "\(name)Saturation", \.look.mixer[range].saturation, \.colorMixer[range].saturation,
        changes, .color, support: .colors, "Saturation of \(name)",
        interplay: ""),
      .number(
        "\(name)Luminance", \.look.mixer[range].luminance, \.colorMixer[range].luminance,
        changes, .color, support: .colors, "Brightness of \(name)",
        interplay: "Up to 1.5 stops; dull colors change less."),
    ]
  }
}

extension ColorRange {
  fileprivate var before: ColorRange { neighbor(Self.allCases.count - 1) }
  fileprivate var behind: ColorRange { neighbor(1) }

  private func neighbor(_ step: Int) -> ColorRange {
    let all = Self.allCases
    return all[((all.firstIndex(of: self) ?? 0) + step) % all.count]
  }
}

/// Setting a number outside its range clamps it; setting NaN or infinity changes nothing.
extension RAWFilter {
  /// Saturation of all colors, −1 (gray) … 1 (twice); default 0.
  public var saturation: Float {
    get { settings.look.saturation }
    set { set(\.look.saturation, newValue) }
  }

  /// Saturation of dull colors, −1…1; default 0.
  public var vibrance: Float {
    get { settings.look.vibrance }
    set { set(\.look.vibrance, newValue) }
  }

  /// Hue, saturation and luminance of eight ranges of hues, and their weights in black and white;
  /// by default none changes.
  public var colorMixer: ColorMixer {
    get { settings.look.mixer }
    set { setEach { $0.mixer = newValue } }
  }

  /// Whether the picture is black and white; default off.
  public var isBlackAndWhiteEnabled: Bool {
    get { settings.look.isBlackAndWhiteEnabled }
    set { settings.look.isBlackAndWhiteEnabled = newValue }
  }

  /// Sets the numbers of a group, each as its own property would.
  mutating func setEach(_ change: (inout LookSettings) -> Void) {
    var wanted = settings
    change(&wanted.look)
    for adjustment in LookSettings.adjustments { adjustment.clamp(&wanted, else: settings) }
    settings = wanted
  }
}

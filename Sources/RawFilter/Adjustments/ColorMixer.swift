/// A range of hues, about the color that it is named after.
public enum ColorRange: String, Sendable, Hashable, CaseIterable {
  /// Hue 0° of the color wheel.
  case red
  /// Hue 30°, that of skin.
  case orange
  /// Hue 60°.
  case yellow
  /// Hue 120°.
  case green
  /// Hue 180°.
  case aqua
  /// Hue 240°.
  case blue
  /// Hue 270°.
  case purple
  /// Hue 300°.
  case magenta

  /// Degrees on the color wheel.
  var angle: Double {
    switch self {
    case .red: 0
    case .orange: 30
    case .yellow: 60
    case .green: 120
    case .aqua: 180
    case .blue: 240
    case .purple: 270
    case .magenta: 300
    }
  }
}

/// Hue, saturation and luminance of eight ranges of hues, and their weights in black and white.
public struct ColorMixer: Sendable, Hashable {
  /// The change of one range; each −1…1.
  public struct Change: Sendable, Hashable {
    /// Towards the next range: −1 the one before it on the color wheel, 1 the one behind it.
    public var hue: Float = 0
    /// −1 gray … 1 twice the saturation.
    public var saturation: Float = 0
    /// Darker or brighter.
    public var luminance: Float = 0
    /// Darker or brighter in black and white.
    public var gray: Float = 0

    /// No change.
    public init() {}
  }

  private var changes = [Change](repeating: Change(), count: ColorRange.allCases.count)

  /// No change.
  public init() {}

  /// The change of `range`.
  public subscript(range: ColorRange) -> Change {
    get { changes[range.index] }
    set { changes[range.index] = newValue }
  }
}

extension ColorRange {
  fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension ColorMixer {
  /// Whether no color changes; the weights of black and white do not count.
  var isNeutral: Bool {
    changes.allSatisfy { $0.hue == 0 && $0.saturation == 0 && $0.luminance == 0 }
  }
}

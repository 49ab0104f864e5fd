/// Tints of shadows, midtones and highlights.
public struct ColorGrading: Sendable, Hashable {
  /// A tint.
  public struct Wheel: Sendable, Hashable {
    /// Degrees on the color wheel, 0…360: 0 red, 60 yellow, 120 green, 180 aqua, 240 blue.
    public var hue: Float = 0
    /// Strength of the tint, 0…1.
    public var saturation: Float = 0
    /// Darker or brighter, −1…1.
    public var luminance: Float = 0

    /// No tint.
    public init() {}
  }

  /// The tones that a wheel tints.
  public enum Tones: String, Sendable, Hashable, CaseIterable {
    /// What is dark.
    case shadow
    /// What is between.
    case midtone
    /// What is bright.
    case highlight
    /// Everything.
    case global
  }

  /// The tint of what is dark.
  public var shadows = Wheel()
  /// The tint of what is between.
  public var midtones = Wheel()
  /// The tint of what is bright.
  public var highlights = Wheel()
  /// The tint of all.
  public var global = Wheel()
  /// How far the three reach into each other, 0…1.
  public var blending: Float = 0.5
  /// Where they meet: −1 in favor of the shadows … 1 in favor of the highlights.
  public var balance: Float = 0

  /// No tints.
  public init() {}

  /// The tint of `tones`.
  public subscript(tones: Tones) -> Wheel {
    get {
      switch tones {
      case .shadow: shadows
      case .midtone: midtones
      case .highlight: highlights
      case .global: global
      }
    }
    set {
      switch tones {
      case .shadow: shadows = newValue
      case .midtone: midtones = newValue
      case .highlight: highlights = newValue
      case .global: global = newValue
      }
    }
  }

  /// Whether no pixel changes.
  var isNeutral: Bool {
    [shadows, midtones, highlights, global].allSatisfy { $0.saturation == 0 && $0.luminance == 0 }
  }
}

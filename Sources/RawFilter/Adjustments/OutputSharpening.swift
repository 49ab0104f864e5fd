/// What a reduced picture is sharpened for. Pictures at their native size are not.
public enum OutputSharpening: String, Sendable, Hashable, Codable, CaseIterable {
  /// Not at all.
  case none
  /// The blur of the reduction itself, for screens.
  case screen
  /// That and the spread of ink, for prints.
  case print

  /// ``RAWFilter/outputSharpening`` unless it is set.
  static let standard = screen

  /// Standard deviation of the blur to remove, in pixels of the reduced picture. Lanczos leaves
  /// about 0.4: the mean over a pixel has a deviation of 0.29, and the clamping adds to it.
  var radius: Float {
    switch self {
    case .none: 0
    case .screen: 0.45
    case .print: 0.7
    }
  }

  /// Lower bound of ``RAWSettings/sharpnessAmount``.
  var amount: Float {
    switch self {
    case .none: 0
    case .screen: 0.6
    case .print: 0.9
    }
  }
}

extension RAWFilter {
  /// What a picture with ``scaleFactor`` below 1 is sharpened for, together with
  /// ``sharpnessAmount``; default `screen`.
  public var outputSharpening: OutputSharpening {
    get { settings.outputSharpening ?? .standard }
    set { settings.outputSharpening = newValue }
  }
}

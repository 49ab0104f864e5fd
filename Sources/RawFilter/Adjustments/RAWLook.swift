import HDRRender

/// What tone curve and colors a picture begins with, before anything is adjusted.
public enum RAWLook: String, Sendable, Hashable, Codable, CaseIterable {
  /// As cameras' standard styles, or the look that a DNG brings.
  case standard
  /// Colors as measured, under a curve of little contrast; or the look that a DNG brings.
  case faithful
  /// None: linear light of the scene as recorded (`RAWSettings+Scene.swift`).
  case scene

  /// The curve where the file brings none.
  var tone: ToneLook {
    switch self {
    case .standard, .scene: .standard
    case .faithful: .faithful
    }
  }
}

extension RAWFilter {
  /// What tone curve and colors the picture begins with; default ``RAWLook/standard``.
  public var look: RAWLook {
    get { settings.look.base }
    set { settings.look.base = newValue }
  }
}

import HDRRender

/// The base rendering: tone curve and colors before any adjustment.
public enum RAWLook: String, Sendable, Hashable, Codable, CaseIterable {
  /// Similar to cameras' standard styles, or the DNG's own rendering.
  case standard
  /// Colorimetric colors with a curve of low contrast, or the DNG's own rendering.
  case faithful
  /// Matches the embedded preview by a smooth mapping of tones and colors from ``standard``;
  /// ``standard`` if there is no preview, or it does not show the same picture.
  case camera
  /// Scene-linear values as recorded (`RAWSettings+Scene.swift`).
  case scene

  /// The tone curve for files without one of their own.
  var tone: ToneLook {
    switch self {
    case .standard, .camera, .scene: .standard
    case .faithful: .faithful
    }
  }
}

extension RAWFilter {
  /// The base rendering, before any adjustment; default ``RAWLook/standard``.
  public var look: RAWLook {
    get { settings.look.base }
    set { settings.look.base = newValue }
  }
}

extension RAWSettings {
  /// The default SDR rendering by the active profile, or by `profile`: what previews are compared
  /// with. Without lens correction, which hardly moves the cells that are compared.
  func standardRendering(profile: String?) -> RAWSettings {
    var own = RAWSettings()
    (own.profileName, own.profilePath) = (profile ?? profileName, profilePath)
    own.decoderVersion = decoderVersion
    (own.isLensCorrectionEnabled, own.isLateralColorCorrectionEnabled) = (false, false)
    own.extendedDynamicRangeAmount = 0
    return own
  }
}

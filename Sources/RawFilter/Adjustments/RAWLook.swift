import HDRRender

/// What tone curve and colors a picture begins with, before anything is adjusted.
public enum RAWLook: String, Sendable, Hashable, Codable, CaseIterable {
  /// As cameras' standard styles, or the look that a DNG brings.
  case standard
  /// Colors as measured, under a curve of little contrast; or the look that a DNG brings.
  case faithful
  /// As the camera's own picture in the file, by a smooth mapping of tones and colors from
  /// ``standard``; that where the file has none, or one that does not show the raw's picture.
  case camera
  /// None: linear light of the scene as recorded (`RAWSettings+Scene.swift`).
  case scene

  /// The curve where the file brings none.
  var tone: ToneLook {
    switch self {
    case .standard, .camera, .scene: .standard
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

extension RAWSettings {
  /// The default rendering by the profile in use, or that called `profile`, for a display of SDR:
  /// what previews are compared with. No lens is corrected, which moves no cell by much.
  func standardRendering(profile: String?) -> RAWSettings {
    var own = RAWSettings()
    (own.profileName, own.profilePath) = (profile ?? profileName, profilePath)
    own.decoderVersion = decoderVersion
    (own.isLensCorrectionEnabled, own.isLateralColorCorrectionEnabled) = (false, false)
    own.extendedDynamicRangeAmount = 0
    return own
  }
}

import HDRRender
import ImageCore

// Scene-linear light between colour and tone:
//
//   ScenePipeline ── CaptureSharpening ── the blur of the capture
//                 ── LocalContrast ────── texture, local contrast
//                 ── LocalToneMap ─────── shadows and highlights, where the file has no map of its own
//                                         ──▶ SceneLinear
//
// In linear light and before any curve, so that blur is undone where it arose. None of it moves the
// picture's peak.

/// What is done to detail.
struct DetailStage: Sendable {
  var sharpening: CaptureSharpening.Settings
  var contrast: LocalContrast.Settings
  /// Nil where nothing is mapped.
  var tone: (settings: LocalToneMap.Settings, gains: LocalToneGains)?

  /// `source` with everything done.
  func applied(to source: any PixelSource<SceneLinear>) -> any PixelSource<SceneLinear> {
    var source = source
    if !sharpening.isNeutral { source = CaptureSharpening(source, sharpening) }
    if !contrast.isNeutral { source = LocalContrast(source, contrast) }
    if let tone { source = LocalToneMap(source, tone.settings, gains: tone.gains) }
    return source
  }
}

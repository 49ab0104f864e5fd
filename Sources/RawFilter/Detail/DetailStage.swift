import HDRRender
import ImageCore

// Scene-linear light between color and tone:
//
// ScenePipeline ── CaptureSharpening ── the blur of the capture
//                 ── LocalContrast ────── texture, local contrast
//                 ── LocalToneMap ─────── shadows and highlights, where the file has no map of its own
//                                         ──▶ SceneLinear
//
// In linear light and before any curve, so that blur is undone where it arose. None of it moves the
// picture's peak.

/// What is done to detail: nil for each part that is left as it is.
struct DetailStage: Sendable {
  var sharpening: CaptureSharpening.Settings?
  var contrast: LocalContrast.Settings?
  var tone: (settings: LocalToneMap.Settings, gains: LocalToneGains)?

  /// `source` with everything done.
  func applied(to source: any PixelSource<SceneLinear>) -> any PixelSource<SceneLinear> {
    var source = source
    if let sharpening { source = CaptureSharpening(source, sharpening) }
    if let contrast { source = LocalContrast(source, contrast) }
    if let tone { source = LocalToneMap(source, tone.settings, gains: tone.gains) }
    return source
  }
}

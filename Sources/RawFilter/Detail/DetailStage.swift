import HDRRender
import ImageCore

// Scene-linear pixels between color and tone:
//
// ScenePipeline ── CaptureSharpening ── the blur of the capture
//                 ── FineDetail ───────── detailAmount
//                 ── MedianContrast ───── contrastAmount
//                 ── Dehaze ───────────── dehazeAmount
//                 ── LocalToneMap ─────── shadows and highlights, where the file has no map
//                                         ──▶ SceneLinear
//
// On linear values, before any curve, as the blur is linear. No stage raises the picture's peak.

/// The settings of the detail stages; nil for inactive ones.
struct DetailStage: Sendable {
  var sharpening: CaptureSharpening.Settings?
  var fine: FineDetail.Settings?
  var localContrast: (settings: MedianContrast.Settings, gains: ContrastGains)?
  var haze: (settings: Dehaze.Settings, map: HazeMap)?
  var tone: (settings: LocalToneMap.Settings, gains: LocalToneGains)?

  /// Whether all stages are inactive.
  var isNeutral: Bool {
    sharpening == nil && fine == nil && localContrast == nil && haze == nil && tone == nil
  }

  /// `source` after all stages.
  func applied(to source: any PixelSource<SceneLinear>) -> any PixelSource<SceneLinear> {
    var source = source
    if let sharpening {
      source = CaptureSharpening(source, sharpening).measured(as: .sharpening)
    }
    if let fine { source = FineDetail(source, fine).measured(as: .localContrast) }
    if let localContrast {
      source = MedianContrast(source, localContrast.settings, gains: localContrast.gains)
        .measured(as: .localContrast)
    }
    if let haze {
      source = Dehaze(source, haze.settings, map: haze.map).measured(as: .dehaze)
    }
    if let tone {
      source = LocalToneMap(source, tone.settings, gains: tone.gains).measured(as: .localToneMap)
    }
    return source
  }
}

import ImageCore

// Scene-linear pixels as the picture is to look, between detail and tone curve:
//
// LightCurve ── ColorAdjustment ──▶ SceneLinear
//
// On linear values before the tone curve, so that the SDR and the HDR rendition of a picture, and
// every amount between them, have the same look.

/// The stages of the look; nil for those that are left out.
struct LookStage: Sendable {
  var light: LightTable?
  var color: ColorAdjustment?
  /// Brightest value behind these stages.
  var peak: Float = 1

  /// No change of a scene whose brightest value is `peak`.
  init(peak: Float = 1) { self.peak = peak }

  /// The stages that `look`, which is valid (``RAWSettings/validate()``), asks for on a scene whose
  /// brightest value is `peak`.
  init(_ look: LookSettings, peak: Float, tones: SceneTones = SceneTones()) {
    self.peak = peak
    let curve = LightCurve(look, tones: tones)
    if !curve.isNeutral {
      light = LightTable(curve, peak: peak)
      self.peak = Float(curve(Double(peak)))
    }
    color = ColorAdjustment(look, peak: self.peak)
  }

  /// `source` behind all stages.
  func applied(to source: any PixelSource<SceneLinear>) -> any PixelSource<SceneLinear> {
    light == nil && color == nil ? source : LookSource(source: source, look: self)
  }
}

/// A scene with its look: pixels by themselves, so any rectangle at any time.
struct LookSource: PixelSource {
  typealias State = SceneLinear

  let source: any PixelSource<SceneLinear>
  let look: LookStage

  var size: PixelSize { source.size }
  var info: SceneLinear.Info { SceneLinear.Info(peak: look.peak) }
  var bandHeight: Int { source.bandHeight }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    for y in 0..<rect.height {
      let rows = buffer.rows(y)
      look.light?.apply(rows)
      look.color?.apply(rows)
    }
  }
}

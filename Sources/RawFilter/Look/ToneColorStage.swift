import ImageCore

// Scene-linear pixels between detail and tone curve:
//
// ToneAdjustment ── ColorAdjustment ──▶ SceneLinear
//
// On linear values before the tone curve, so that the SDR and the HDR rendition of a picture, and
// every amount between them, get the same adjustments.

/// Tone and color adjustments; nil for inactive ones.
struct ToneColorStage: Sendable {
  var tone: ToneAdjustmentTable?
  var color: ColorAdjustment?
  /// Brightest value after these stages.
  var peak: Float = 1

  /// No change of a scene whose brightest value is `peak`.
  init(peak: Float = 1) { self.peak = peak }

  /// The stages for valid `settings` (``RAWSettings/validate()``) on a scene whose brightest value
  /// is `peak`.
  init(_ settings: LookSettings, peak: Float, tones: SceneTones = SceneTones()) {
    self.peak = peak
    let curve = ToneAdjustment(settings, tones: tones)
    if !curve.isNeutral {
      tone = ToneAdjustmentTable(curve, peak: peak)
      self.peak = Float(curve(Double(peak)))
    }
    color = ColorAdjustment(settings, peak: self.peak)
  }

  /// `source` after all stages.
  func applied(to source: any PixelSource<SceneLinear>) -> any PixelSource<SceneLinear> {
    tone == nil && color == nil ? source : ToneColorSource(source: source, stage: self)
  }
}

/// An adjusted scene. Pixels are independent, so rectangles can be read in any order.
struct ToneColorSource: PixelSource {
  typealias State = SceneLinear

  let source: any PixelSource<SceneLinear>
  let stage: ToneColorStage

  var size: PixelSize { source.size }
  var info: SceneLinear.Info { SceneLinear.Info(peak: stage.peak) }
  var bandHeight: Int { source.bandHeight }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    for y in 0..<rect.height {
      let rows = buffer.rows(y)
      stage.tone?.apply(rows)
      stage.color?.apply(rows)
    }
  }
}

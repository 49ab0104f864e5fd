import CKernels
import ImageCore

// Scene-linear pixels of the upright picture, the last before the tone curve:
//
// Vignette ── Grain ──▶ SceneLinear

/// The stages of the finish; nil for inactive ones.
struct FinishStage: Sendable {
  var vignette: Vignette?
  var grain: Grain?
  private(set) var frame: PictureFrame?

  /// No change.
  init() {}

  /// The stages for valid `settings` (``RAWSettings/validate()``) on a picture that is cropped to
  /// `frame`.
  init(_ settings: LookSettings, frame: PictureFrame) {
    vignette = Vignette(settings.vignette)
    grain = Grain(settings.grain)
    self.frame = frame
  }

  /// `source`, which is upright, after all stages.
  func applied(to source: any PixelSource<SceneLinear>) -> any PixelSource<SceneLinear> {
    vignette == nil && grain == nil ? source : FinishSource(source, self)
  }
}

/// A finished scene. Pixels are independent, so rectangles can be read in any order.
struct FinishSource: PixelSource {
  typealias State = SceneLinear

  private let source: any PixelSource<SceneLinear>
  private let vignette: ck_vignette?
  private let grain: ck_grain?

  init(_ source: any PixelSource<SceneLinear>, _ finish: FinishStage) {
    self.source = source
    let peak = source.info.peak
    vignette = finish.frame.flatMap { finish.vignette?.kernel(source.size, $0, peak: peak) }
    grain = finish.grain?.kernel(source.size, peak: peak)
  }

  var size: PixelSize { source.size }
  var info: SceneLinear.Info { source.info }
  var bandHeight: Int { source.bandHeight }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    for y in 0..<rect.height {
      let rows = buffer.rows(y)
      if var vignette {
        ck_vignetteRow(
          &vignette, Int64(rect.x), Int64(rect.y + y), rows.kernel, Int64(rows.count))
      }
      if var grain {
        ck_grainRow(&grain, Int64(rect.x), Int64(rect.y + y), rows.kernel, Int64(rows.count))
      }
    }
  }
}

import ImageCore

// The camera's picture between the demosaic and the corrections of the lens:
//
//   SensorPipeline ── Despeckle ─────── single specks
//                  ── NoiseReduction ── noise of luma and color
//                  ── MoireReduction ── false color of fine patterns ──▶ CameraRGB
//
// Before the lens is corrected, because resampling would make the noise vary over the picture.

/// The amounts of the stages, each 0…1.
struct NoiseStage: Sendable, Hashable {
  var despeckle: Float = 0
  var luminance: Float = 0
  var color: Float = 0
  var moire: Float = 0

  /// All stages neutral.
  static let none = NoiseStage()

  /// Whether pixels come through bit for bit.
  var isNeutral: Bool { self == .none }
  /// Whether the spectrum of the noise is needed.
  var needsSpectrum: Bool { luminance > 0 || color > 0 }

  /// `source`, whose noise is `model` with `spectrum`, behind all stages. Neutral stages need
  /// neither.
  func applied(
    to source: any PixelSource<CameraRGB>, model: NoiseModel?, spectrum: NoiseSpectrum?
  ) throws(RAWError) -> any PixelSource<CameraRGB> {
    guard !isNeutral, let model else { return source }
    var source = source
    if despeckle > 0 { source = try Despeckle(source, model: model, amount: despeckle) }
    if needsSpectrum, let spectrum {
      source = try NoiseReduction(
        source, model: model, spectrum: spectrum,
        amounts: NoiseAmounts(luminance: luminance, color: color))
    }
    if moire > 0 { source = try MoireReduction(source, model: model, amount: moire) }
    return source
  }
}

import ImageCore

// The camera's picture between the demosaic and the corrections of the lens:
//
//   SensorPipeline ── Despeckle ─────── single specks
//                  ── NoiseReduction ── noise of brightness and color
//                  ── MoireReduction ── false color of fine patterns ──▶ CameraRGB
//
// Before the lens is corrected, because resampling would change the noise from place to place.

/// How much of what is taken out, each 0…1.
struct NoiseStage: Sendable, Hashable {
  var despeckle: Float = 0
  var luminance: Float = 0
  var color: Float = 0
  var moire: Float = 0

  /// Nothing.
  static let none = NoiseStage()

  /// Whether pixels come through bit for bit.
  var isNeutral: Bool { self == .none }
  /// Whether the spectrum of the noise is needed.
  var needsSpectrum: Bool { luminance > 0 || color > 0 }

  /// `source`, whose noise is as `model` and `spectrum` say, with everything done. What is neutral
  /// needs neither.
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

package import ImageCore
package import RawData

// The camera's picture between the demosaic and the corrections of the lens:
//
//   SensorPipeline ── Despeckle ─────── single specks
//                  ── NoiseReduction ── noise of luma and color
//                  ── MoireReduction ── false color of fine patterns ──▶ CameraRGB
//
// Before the lens is corrected, because resampling would make the noise vary over the picture.

/// The amounts of the stages, each 0…1.
package struct NoiseStage: Sendable, Hashable {
  package var despeckle: Float
  package var luminance: Float
  package var color: Float
  package var moire: Float
  /// The method of ``NoiseReduction``.
  package var method: NoiseReduction.Method

  package init(
    despeckle: Float = 0, luminance: Float = 0, color: Float = 0, moire: Float = 0,
    method: NoiseReduction.Method = .shrinkage
  ) {
    (self.despeckle, self.luminance) = (despeckle, luminance)
    (self.color, self.moire, self.method) = (color, moire, method)
  }

  /// All stages neutral.
  package static let none = NoiseStage()

  /// Whether pixels are unchanged.
  package var isNeutral: Bool { despeckle == 0 && !needsSpectrum && moire == 0 }
  /// Whether the spectrum of the noise is needed.
  package var needsSpectrum: Bool { luminance > 0 || color > 0 }

  /// Maximum number of pixels around a rectangle on which it depends.
  package var reach: Int {
    (despeckle > 0 ? Despeckle.halo : 0) + (needsSpectrum ? NoiseReduction.halo : 0)
      + (moire > 0 ? 2 * MoireReduction.halo : 0)
  }

  /// `source`, whose noise is `model` with `spectrum`, after all stages. Neutral stages need
  /// neither.
  package func applied(
    to source: any PixelSource<CameraRGB>, model: NoiseModel?, spectrum: NoiseSpectrum?
  ) throws(RAWError) -> any PixelSource<CameraRGB> {
    guard !isNeutral, let model else { return source }
    var source = source
    if despeckle > 0 {
      source = try Despeckle(source, model: model, amount: despeckle).measured(as: .despeckle)
    }
    if needsSpectrum, let spectrum {
      source = try NoiseReduction(
        source, model: model, spectrum: spectrum,
        amounts: NoiseAmounts(luminance: luminance, color: color), method: method
      ).measured(as: .noiseReduction)
    }
    if moire > 0 {
      source = try MoireReduction(source, model: model, amount: moire)
        .measured(as: .moireReduction)
    }
    return source
  }
}

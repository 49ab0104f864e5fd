import ImageCore
import RawSensor

/// What is measured once for all frames of a clip, so that nothing moves between frames that does
/// not move in the scene: where frames measured themselves, each would get a tone curve, a noise
/// reduction and a sharpness of its own.
///
/// What is a setting as well – baseline exposure, white, amounts of noise reduction – is fixed by
/// settings. Known limit: brighter values than `peak` are rendered as that.
package struct ClipMeasurements: Sendable {
  /// The brightest value of the scenes, for which the tone curve is made.
  package var peak: Float
  /// The noise of the balanced samples.
  var noise: NoiseModel
  /// Its spectrum behind the demosaic; nil where nothing needs it.
  var spectrum: NoiseSpectrum?
  /// The blur of the capture in pixels of the sensor.
  var blur: Float
  /// The lateral color of the lens; nil where it is not measured.
  var lateral: LateralColorFit?
}

extension RAWFilter {
  /// The measurements of this frame by its settings. Decodes the picture.
  package func clipMeasurements() throws(RAWError) -> ClipMeasurements {
    let plan = try plan()
    return ClipMeasurements(
      peak: plan.peak,
      noise: try picture.noise(opcodes: opcodes, profile: profile, workers: workers),
      spectrum: plan.noiseSpectrum,
      blur: try picture.blur(opcodes: opcodes, profile: profile, workers: workers),
      lateral: try lateralColorFit(sensorPlan(lensSelection.opcodes, method: sensorMethod)))
  }

  /// Gives this frame the noise and blur of its clip, before they are measured.
  func keepClipMeasurements() {
    guard let clip else { return }
    let (opcodes, balance) = (picture.sensorOpcodes(opcodes), picture.balance(profile))
    picture.cache.keep(clip.noise, under: .noise(opcodes, balance: balance))
    picture.cache.keep(clip.blur, under: .blur(opcodes, balance: balance))
  }

  /// Mean luminances of the scene on a coarse grid, for the comparison with the next frame of a
  /// clip: of the camera's green, which no setting changes; nil where photosites are saturated, or
  /// nothing was recorded.
  package func luminanceGrid() throws(RAWError) -> [Float?] {
    let plan = try sensorPlan(opcodes)
    let pipeline = try picture.pipeline(plan.forAnalysis, workers: workers)
    let side = max(picture.file.info.size.width, picture.file.info.size.height)
    let proxy = try RAWError.translating(.sensor) { () throws(PixelError) in
      try pipeline.proxy(reduction: max(side / Self.gridSide, 2) & ~1, workers: workers)
    }
    let saturated = 0.9 * pipeline.clippedCeiling
    return (0..<proxy.size.height).flatMap { y in
      (0..<proxy.size.width).map { x in
        let value = proxy[x, y]
        return value.max() < saturated && value.y > 1e-5 ? value.y : nil
      }
    }
  }

  /// Columns or rows of the longer side of ``luminanceGrid()``.
  private static let gridSide = 96
}

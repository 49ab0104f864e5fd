package import HDRRender
package import ImageCore
package import RawDecode
package import RawSensor

/// Every number of one rendering, resolved before its first pixel is made, and the pipeline that it
/// is made by. `RAWFilter.plan()` resolves them; from here on nothing is measured and no
/// default is open.
package struct DevelopPlan: Sendable {
  /// Every property with the value that it has on this file. The white is ``white``.
  package let settings: RAWSettings
  /// Warnings about the file and its profile.
  package let warnings: [String]

  // MARK: Stored samples to balanced camera RGB

  /// Opcodes 1 and 2, white balance as shot, highlights, demosaic, resolution.
  let sensor: SensorPlan
  /// Balanced value of a neutral all of whose channels are saturated.
  package let clippedCeiling: Float
  /// Fraction of the photosites of each channel that are saturated, 0…1.
  package let clippedFraction: SIMD4<Float>
  var noise = NoiseStage.none
  /// The noise of the balanced samples; nil where no stage asks for it.
  package internal(set) var noiseModel: NoiseModel?
  /// How the demosaic spreads it; nil where noise stays.
  var noiseSpectrum: NoiseSpectrum?
  /// Opcode list 3, or the profile of a lens database.
  let lens: LensStage
  /// Which opcodes and profile that are.
  let lensSelection: LensSelection
  /// Amount of the removal of purple and green fringes.
  var defringe: Float = 0
  /// Whether the picture so far is kept in memory for the next rendering.
  var keepsDemosaiced = false

  // MARK: Camera RGB to scene-linear BT.2020

  let framing: Framing
  /// The illuminant that is rendered neutral.
  package let white: Chromaticity
  let color: ScenePipeline.Color
  /// Brightest value of the scene in front of the look, 1.0 = reference white.
  package internal(set) var peak: Float = 1
  var detail = DetailStage()
  var look = LookStage()
  package let orientation: Orientation
  /// The part of the upright picture that is kept.
  var frame: PictureFrame
  var finish = FinishStage()

  // MARK: Scene to display

  /// Curves by points and a look behind the tone curve.
  var displayLook = DisplayLook()
  /// Tone curve, these, primaries and gamut.
  package internal(set) var renderer: HDRRenderer
  /// Headroom that the file holds: what `extendedDynamicRangeAmount` 1 opens.
  package internal(set) var fileHeadroom: Float = 1
  var blend = Blend.none

  /// What is mixed into this plan's picture.
  indirect enum Blend: Sendable {
    case none
    /// The picture of the other profile of a pair, that for HDR.
    case highRange(DevelopPlan, weight: Float)
  }

  let picture: RAWPicture
  let workers: Int
}

// MARK: - START READING here: all stages, in order

extension DevelopPlan {
  /// The pipeline, from stored samples to display-referred values. Each line is a stage or a group
  /// of stages that work on one tile; its file lists them. Only makes sources: pixels are made when
  /// one is read, except where the demosaiced picture is to be kept.
  package func stages() throws(RAWError) -> Stages {
    // Stored samples: decoders, opcode lists 1 and 2.
    let samples = try picture.samples(sensor.opcodes, workers: workers)
    // Black, white balance, defects, highlights, demosaic.
    let demosaiced = try picture.pipeline(sensor, of: samples, workers: workers)
    // Specks, noise, moiré.
    let clean = try noise.applied(to: demosaiced, model: noiseModel, spectrum: noiseSpectrum)
    // Vignetting, distortion, lateral color.
    let corrected = lens.applied(to: clean, reduction: framing.reduction).measured(as: .lens)
    // Longitudinal color beside strong edges.
    let camera = try kept(defringed(corrected))
    // The camera's crop, and scale.
    let scaled = framing.applied(to: camera).measured(as: .resampling)
    // White balance, camera matrix or profile tables, exposure: linear BT.2020.
    let scene = ScenePipeline(scaled, color, peak: peak)
    // DetailStage: sharpening, detail, local contrast, local tone.
    let detailed = detail.applied(to: scene.measured(as: .scene))
    // LookStage: light, color.
    let looked = look.applied(to: detailed).measured(as: .look)
    let upright = orientation.applied(to: looked, minBandHeight: highBand)
      .measured(as: .orientation)
    // FinishStage: vignette, grain.
    let finished = finish.applied(to: upright).measured(as: .finish)
    // Tone curve, curves by points, look, output primaries, gamut mapping.
    let display = try blended(renderer.render(finished))
    // Crop, angle, perspective.
    let framed = try frame.applied(to: display).measured(as: .frame)
    return Stages(
      demosaiced: demosaiced, clean: clean, camera: camera, scene: scene, detailed: detailed,
      display: framed)
  }

  /// The picture behind each group of stages.
  package struct Stages {
    package let demosaiced: SensorPipeline
    package let clean: any PixelSource<CameraRGB>
    package let camera: any PixelSource<CameraRGB>
    package let scene: ScenePipeline
    package let detailed: any PixelSource<SceneLinear>
    package let display: any PixelSource<DisplayReferred>
  }

  /// The finished picture, rendered when it is read.
  package func rendition() throws(RAWError) -> RAWRendition {
    RAWRendition(
      rendition: try stages().display, fileHeadroom: fileHeadroom, warnings: warnings)
  }

  /// Largest display value, as a multiple of reference white.
  package var headroom: Float {
    let own = renderer.info.headroom
    guard case .highRange(let high, let weight) = blend else { return own }
    return BlendedRendition.headroom(standard: own, high: high.headroom, weight: weight)
  }

  private func defringed(
    _ corrected: any PixelSource<CameraRGB>
  ) throws(RAWError) -> any PixelSource<CameraRGB> {
    guard defringe > 0 else { return corrected }
    return try Defringe(corrected, amount: defringe, reduction: framing.reduction)
      .measured(as: .defringe)
  }

  private func kept(
    _ corrected: any PixelSource<CameraRGB>
  ) throws(RAWError) -> any PixelSource<CameraRGB> {
    try picture.kept(
      corrected,
      .image(sensor, noise, lens: lensSelection, defringe: defringe), keeps: keepsDemosaiced,
      workers: workers)
  }

  private func blended(
    _ display: Rendition
  ) throws(RAWError) -> any PixelSource<DisplayReferred> {
    let display = display.measured(as: .tone)
    guard case .highRange(let high, let weight) = blend else { return display }
    return BlendedRendition(
      standard: display, high: try high.stages().display, weight: weight
    ).measured(as: .rangeBlend)
  }
}

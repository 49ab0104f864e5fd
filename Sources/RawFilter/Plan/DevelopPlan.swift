package import HDRRender
package import ImageCore
package import RawData
package import RawSensor

/// Every number of one rendering, resolved before its first pixel is made, and the pipeline that it
/// is made by. `RAWFilter.plan()` resolves them; from here on nothing is measured and no
/// default is open.
package struct DevelopPlan: Sendable {
  /// Every property with the value that it has on this file. The white is ``white``.
  package let settings: RAWSettings
  /// Warnings about the file and its profile.
  package internal(set) var warnings: [String]

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
  /// Whether the same, cropped and reduced, is kept, where that is smaller.
  var keepsReduced = false

  // MARK: Camera RGB to scene-linear BT.2020

  let framing: Framing
  /// The illuminant that is rendered neutral.
  package let white: Chromaticity
  let color: ScenePipeline.Color
  /// Brightest value of the scene in front of the look, 1.0 = reference white.
  package internal(set) var peak: Float = 1
  var detail = DetailStage()
  var toneColor = ToneColorStage()
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
  /// What the scene depends on beside the file; nil where a function takes part, which nothing is
  /// equal to.
  var origin: SceneOrigin?

  /// What the scene of a plan depends on: equal ones are the same pixels.
  struct SceneOrigin: Sendable, Hashable {
    /// Without the amount of headroom.
    var scene: RecordedScene
    var expansion: HighlightExpansion

    /// The same without what acts behind detail: of look, tone and frame.
    var detailed: SceneOrigin {
      var origin = self
      origin.scene.settings = scene.settings.upTo(.detail)
      // Linear pictures clip otherwise; the strength of a curve acts by the expansion alone.
      if scene.settings.isDisplayReferred {
        origin.scene.settings.boostAmount = RAWSettings().boostAmount
      }
      return origin
    }
  }

  /// What is mixed into this plan's picture.
  indirect enum Blend: Sendable {
    case none
    /// The picture of the other profile of a pair, that for HDR.
    case highRange(DevelopPlan, weight: Float)
  }

  /// The files that it develops and that its settings name.
  var sources: Set<FileIdentity> = []

  let picture: RAWPicture
  let workers: Int
}

// MARK: - START READING here: all stages, in order

extension DevelopPlan {
  /// The pipeline, from stored samples to display-referred values. Each line is a stage or a group
  /// of stages that work on one tile; its file lists them. Only makes sources: pixels are made when
  /// one is read, except where the demosaiced picture is to be kept.
  package func stages() throws(RAWError) -> Stages { try stages(of: nil) }

  /// The same of the camera's picture that another plan made.
  private func stages(
    of shared: (any PixelSource<CameraRGB>)?
  ) throws(RAWError) -> Stages {
    // Stored samples: decoders, opcode lists 1 and 2.
    let samples = try picture.samples(sensor.opcodes, workers: workers)
    // Black, white balance, defects, highlights, demosaic.
    let demosaiced = try picture.pipeline(sensor, of: samples, workers: workers)
    demosaiced.endMeasuring()
    // Specks, noise, moiré.
    let clean = try noise.applied(
      to: demosaiced.observed(as: demosaiced.lastStep), model: noiseModel, spectrum: noiseSpectrum)
    // Vignetting, distortion, lateral color.
    let corrected = lens.applied(to: clean, reduction: framing.reduction).measured(as: .lens)
    // Longitudinal color beside strong edges.
    let camera = if let shared { shared } else { try kept(defringed(corrected)) }
    // The camera's crop, and scale.
    let scaled = try keptReduced(framing.applied(to: camera).measured(as: .resampling))
    // White balance, camera matrix or profile tables, exposure: linear BT.2020.
    let scene = ScenePipeline(scaled, color, peak: peak)
    // DetailStage: sharpening, detail, local contrast, haze, local tone.
    let detailed = try keptDetailed(detail.applied(to: scene.measured(as: .scene)))
    // ToneColorStage: light, color.
    let adjusted = toneColor.applied(to: detailed).measured(as: .look)
    let upright = orientation.applied(to: adjusted, minBandHeight: highBand)
      .measured(as: .orientation)
    // FinishStage: vignette, grain.
    let finished = finish.applied(to: upright).measured(as: .finish)
    // Tone curve, curves by points, look, output primaries, gamut mapping.
    // Crop, angle, perspective.
    let display = try shown(finished)
    return Stages(
      demosaiced: demosaiced, clean: clean, camera: camera, reduced: scaled, scene: scene,
      detailed: detailed,
      finished: finished, display: display)
  }

  /// `finished` as this plan shows it.
  private func shown(
    _ finished: any PixelSource<SceneLinear>
  ) throws(RAWError) -> any PixelSource<DisplayReferred> {
    try frame.applied(to: try blended(renderer.render(finished))).measured(as: .frame)
  }

  /// The picture behind each group of stages.
  package struct Stages {
    package let demosaiced: SensorPipeline
    package let clean: any PixelSource<CameraRGB>
    package let camera: any PixelSource<CameraRGB>
    let reduced: any PixelSource<CameraRGB>
    package let scene: ScenePipeline
    package let detailed: any PixelSource<SceneLinear>
    package let finished: any PixelSource<SceneLinear>
    package let display: any PixelSource<DisplayReferred>
  }

  /// The finished picture, rendered when it is read.
  package func rendition() throws(RAWError) -> RAWRendition {
    rendition(try stages().display)
  }

  private func rendition(_ display: any PixelSource<DisplayReferred>) -> RAWRendition {
    RAWRendition(
      rendition: display, sources: sources, fileHeadroom: fileHeadroom, warnings: warnings)
  }

  /// The pictures of this plan and of `other`, to be read side by side: what both have in common is
  /// made once, the whole scene where they only show it otherwise, else the camera's picture. Where
  /// these are the `last` pictures made of the file, which are then to be read once, the memory of
  /// the stored samples is given back on the way.
  package func renditions(
    with other: DevelopPlan, isLast: Bool = false
  ) throws(RAWError) -> (own: RAWRendition, other: RAWRendition) {
    let (own, second): (any PixelSource<DisplayReferred>, any PixelSource<DisplayReferred>)
    if sharesScene(with: other) {
      let scene = SharedSource(try stages().finished)
      (own, second) = (try shown(scene), try other.shown(scene))
    } else if sharesCamera(with: other) {
      let camera = SharedSource(try stages().camera)
      (own, second) = (try stages(of: camera).display, try other.stages(of: camera).display)
    } else {
      (own, second) = (try stages().display, try other.stages().display)
    }
    return (rendition(isLast ? try usingUp(own) : own), other.rendition(second))
  }

  /// `display`, whose reading gives back the memory of the stored samples that it has passed;
  /// whoever needs them later decodes them again.
  private func usingUp(
    _ display: any PixelSource<DisplayReferred>
  ) throws(RAWError) -> any PixelSource<DisplayReferred> {
    // Only where a row of the sensor belongs to no row far below it.
    guard orientation == .up, framing.isUnscaled, frame.isNeutral, lens.isEmpty else {
      return display
    }
    let samples = try picture.samples(sensor.opcodes, workers: workers).samples
    picture.forgetSamples(sensor.opcodes)
    return DownwardReading(display) { samples.forget(above: $0 - Self.rowsAbove) }
  }

  /// More rows than all stages together read above a rectangle.
  private static let rowsAbove = 1024

  /// Whether `other` shows the same scene.
  func sharesScene(with other: DevelopPlan) -> Bool {
    guard case .none = blend, case .none = other.blend, let origin else { return false }
    return origin == other.origin && picture === other.picture
  }

  /// Whether `other` makes its scene of the same picture of the camera.
  func sharesCamera(with other: DevelopPlan) -> Bool {
    cameraImage == other.cameraImage && picture === other.picture
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
    try picture.kept(corrected, cameraImage, keeps: keepsDemosaiced, workers: workers)
  }

  /// The camera's picture, under all that it depends on.
  private var cameraImage: Analysis { .image(cameraPicture) }

  var cameraPicture: CameraPicture {
    CameraPicture(sensor: sensor, noise: noise, lens: lensSelection, defringe: defringe)
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

package import HDRRender
package import ImageCore
package import RawData
package import RawSensor

/// All parameters of one rendering, resolved before its first pixel is computed, and its pipeline.
/// `RAWFilter.plan()` resolves them; after that nothing is measured and no default is unresolved.
package struct DevelopPlan: Sendable {
  /// Every property with its resolved value on this file. The white is ``white``.
  package let settings: RAWSettings
  /// Warnings about the file and its profile.
  package internal(set) var warnings: [String]

  // MARK: Stored samples to balanced camera RGB

  /// Opcodes 1 and 2, white balance as shot, highlights, demosaic, resolution.
  let sensor: SensorPlan
  /// Balanced value of a neutral with all channels saturated.
  package let clippedCeiling: Float
  /// Fraction of the photosites of each channel that are saturated, 0…1.
  package let clippedFraction: SIMD4<Float>
  var noise = NoiseStage.none
  /// The noise of the balanced samples; nil if no stage needs it.
  package internal(set) var noiseModel: NoiseModel?
  /// The spectrum of that noise after the demosaic; nil without noise reduction.
  var noiseSpectrum: NoiseSpectrum?
  /// Opcode list 3, or the profile of a lens database.
  let lens: LensStage
  /// The selection of opcodes and profile that ``lens`` was made from.
  let lensSelection: LensSelection
  /// Amount of defringing.
  var defringe: Float = 0
  /// Whether camera RGB is cached for the next rendering.
  var keepsDemosaiced = false
  /// Whether it is cached cropped and reduced, if that is smaller.
  var keepsReduced = false

  // MARK: Camera RGB to scene-linear BT.2020

  let framing: Framing
  /// The illuminant that is rendered neutral.
  package let white: Chromaticity
  let color: ScenePipeline.Color
  /// Brightest value of the scene before tone and color adjustments, 1.0 = reference white.
  package internal(set) var peak: Float = 1
  var detail = DetailStage()
  var toneColor = ToneColorStage()
  package let orientation: Orientation
  /// Crop, rotation and perspective.
  var frame: PictureFrame
  var finish = FinishStage()

  // MARK: Scene to display

  /// Point curves and a LUT after the tone curve.
  var displayLook = DisplayLook()
  /// Tone curve, ``displayLook``, primaries and gamut.
  package internal(set) var renderer: HDRRenderer
  /// Headroom of the file: of the rendering at `extendedDynamicRangeAmount` 1.
  package internal(set) var fileHeadroom: Float = 1
  var blend = Blend.none
  /// What the scene depends on besides the file; nil with a linear space filter, because functions
  /// cannot be compared.
  var origin: SceneOrigin?

  /// What the scene of a plan depends on: equal values mean equal pixels.
  struct SceneOrigin: Sendable, Hashable {
    /// Without `extendedDynamicRangeAmount`.
    var scene: RecordedScene
    var expansion: HighlightExpansion

    /// The same without settings of stages after detail.
    var detailed: SceneOrigin {
      var origin = self
      origin.scene.settings = scene.settings.upTo(.detail)
      // Scene-linear pictures clip differently; otherwise the boost affects only the expansion.
      if scene.settings.isDisplayReferred {
        origin.scene.settings.boostAmount = RAWSettings().boostAmount
      }
      return origin
    }
  }

  /// The rendition that is blended with this one.
  indirect enum Blend: Sendable {
    case none
    /// The rendition by the HDR profile of a pair.
    case highRange(DevelopPlan, weight: Float)
  }

  /// The source files, and the files named by the settings.
  var sources: Set<FileIdentity> = []

  let picture: RAWPicture
  let workers: Int
}

// MARK: - START READING here: all stages, in order

extension DevelopPlan {
  /// The pipeline, from stored samples to display-referred values. Each line is a stage or a group
  /// of stages that work on one tile; its file lists them. Creates sources only: pixels are
  /// computed when a source is read, except for a demosaiced picture that is to be cached.
  package func stages() throws(RAWError) -> Stages { try stages(of: nil) }

  /// The same, from another plan's camera RGB.
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
    let camera = if let shared { shared } else { try cached(defringed(corrected)) }
    // The camera's crop, and scale.
    let scaled = try keptReduced(framing.applied(to: camera).measured(as: .resampling))
    // White balance, camera matrix or profile tables, exposure: linear BT.2020.
    let scene = ScenePipeline(scaled, color, peak: peak)
    // DetailStage: sharpening, detail, local contrast, haze, local tone.
    let detailed = try keptDetailed(detail.applied(to: scene.measured(as: .scene)))
    // ToneColorStage: tone, color.
    let adjusted = toneColor.applied(to: detailed).measured(as: .look)
    let upright = orientation.applied(to: adjusted, minBandHeight: highBand)
      .measured(as: .orientation)
    // FinishStage: vignette, grain.
    let finished = finish.applied(to: upright).measured(as: .finish)
    // Tone curve, point curves, LUT, output primaries, gamut mapping.
    // Crop, angle, perspective.
    let display = try shown(finished)
    return Stages(
      demosaiced: demosaiced, clean: clean, camera: camera, reduced: scaled, scene: scene,
      detailed: detailed,
      finished: finished, display: display)
  }

  /// `finished` rendered for display and framed.
  private func shown(
    _ finished: any PixelSource<SceneLinear>
  ) throws(RAWError) -> any PixelSource<DisplayReferred> {
    try frame.applied(to: try blended(renderer.render(finished))).measured(as: .frame)
  }

  /// The picture after each group of stages.
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

  /// The finished picture, rendered on reading.
  package func rendition() throws(RAWError) -> RAWRendition {
    rendition(try stages().display)
  }

  private func rendition(_ display: any PixelSource<DisplayReferred>) -> RAWRendition {
    RAWRendition(
      rendition: display, sources: sources, fileHeadroom: fileHeadroom, warnings: warnings)
  }

  /// The renditions of this plan and of `other`, to be read side by side. Common stages are
  /// computed once: the scene if only the display rendering differs, else camera RGB. With
  /// `isLast`, they are the last pictures of the file and may be read only once; the memory of the
  /// stored samples is then released while reading.
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

  /// `display`, which releases the memory of stored samples as it is read; if they are needed
  /// later, they are decoded again.
  private func usingUp(
    _ display: any PixelSource<DisplayReferred>
  ) throws(RAWError) -> any PixelSource<DisplayReferred> {
    // Only if output rows depend on nearby sensor rows.
    guard orientation == .up, framing.isUnscaled, frame.isNeutral, lens.isEmpty else {
      return display
    }
    let samples = try picture.samples(sensor.opcodes, workers: workers).samples
    picture.forgetSamples(sensor.opcodes)
    return DownwardReading(display) { samples.forget(above: $0 - Self.rowsAbove) }
  }

  /// Upper bound of the rows that all stages together read above a rectangle.
  private static let rowsAbove = 1024

  /// Whether `other` has the same scene.
  func sharesScene(with other: DevelopPlan) -> Bool {
    guard case .none = blend, case .none = other.blend, let origin else { return false }
    return origin == other.origin && picture === other.picture
  }

  /// Whether `other` has the same camera RGB.
  func sharesCamera(with other: DevelopPlan) -> Bool {
    cameraImage == other.cameraImage && picture === other.picture
  }

  /// Maximum display value, as a multiple of reference white.
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

  private func cached(
    _ corrected: any PixelSource<CameraRGB>
  ) throws(RAWError) -> any PixelSource<CameraRGB> {
    try picture.cached(corrected, cameraImage, keeps: keepsDemosaiced, workers: workers)
  }

  /// The cache key of camera RGB.
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

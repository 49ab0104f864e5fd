import Foundation
import HDRRender
import ImageCore
package import RawData
import RawSensor

/// Resolves the parameters of a rendering, in the order of their dependencies.
extension RAWFilter {
  /// All parameters of the rendering by these settings. Decodes the picture and measures what is
  /// not cached yet; after that it is fast. `keepsDemosaiced`: whether the rendering caches camera
  /// RGB for the next one, 12 bytes a pixel, up to ``cacheLimitBytes``.
  ///
  /// Throws what `outputImage()` throws.
  package func plan(keepsDemosaiced: Bool = false) throws(RAWError) -> DevelopPlan {
    try check()
    keepClipMeasurements()
    // Detects a read error in the preview, which would otherwise look like a missing preview.
    return try picture.file.reading { () throws(RAWError) in
      try MeasuredStage.plan.measure { () throws(RAWError) in
        let adjusted = try adjustedAutomatically()
        var filter = try adjusted.withoutReferences()
        filter.settings = filter.settings.resolvedForScene
        try filter.fixSeriesWhite()
        var plan = try filter.pairPlan(keepsDemosaiced)
        plan.sources = sourceFiles
        plan.warnings += [
          try seriesWarning(), try filter.underexposureNote(), automaticNote(adjusted),
        ].compactMap { $0 }
        return plan
      }
    }
  }

  /// Reduces `extendedDynamicRangeAmount` if the picture would be brighter than `limit`, a multiple
  /// of reference white.
  package mutating func limitHeadroom(to limit: Float) throws(RAWError) {
    let plan = try plan()
    if plan.headroom > limit {
      extendedDynamicRangeAmount = Headroom.amount(of: plan.fileHeadroom, reaching: limit)
    }
  }

  /// The plan by the active profile, or by a pair of profiles for SDR and HDR.
  private func pairPlan(_ keepsDemosaiced: Bool) throws(RAWError) -> DevelopPlan {
    guard settings.isDisplayReferred, let pair = rangePair else {
      return try ownPlan(keepsDemosaiced)
    }
    // A pair of profiles: each range by its own profile, amounts between by blending.
    func end(_ profile: DNGProfile, amount: Float) throws(RAWError) -> DevelopPlan {
      var filter = self
      filter.settings.profileName = profile.name
      filter.settings.extendedDynamicRangeAmount = amount
      return try filter.ownPlan(keepsDemosaiced)
    }
    let amount = extendedDynamicRangeAmount
    let high = try end(pair.high, amount: 1)
    if amount >= 1 { return high }
    var plan = try end(pair.standard, amount: 0)
    plan.fileHeadroom = high.fileHeadroom
    if amount > 0 {
      // Framed once, after blending.
      var unframed = high
      unframed.frame = PictureFrame()
      plan.blend = .highRange(unframed, weight: amount)
    }
    return plan
  }

  /// The plan by the active profile only.
  private func ownPlan(_ keepsDemosaiced: Bool) throws(RAWError) -> DevelopPlan {
    let filter = try resolved()
    let tone = filter.profileTone
    let expansion = filter.highlightExpansion(tone)
    var plan = try filter.scenePlan(expansion: expansion.shown)
    plan.keepsDemosaiced = keepsDemosaiced
    plan.noise = filter.noiseStage
    plan.defringe = hasColor ? settings.defringeAmount : 0
    if !plan.noise.isNeutral { try filter.measureNoise(&plan) }
    plan.peak = try filter.peak(of: plan, expansion: expansion.measured)
    try filter.addDetail(to: &plan)
    plan.toneColor = ToneColorStage(
      settings.look, peak: plan.peak, tones: try filter.sceneTones(plan, tone: tone))
    plan.finish = FinishStage(settings.look, frame: plan.frame)
    plan.displayLook = settings.look.display(try lutContents())
    if settings.look.base == .camera, settings.isDisplayReferred, plan.displayLook.start == nil {
      let found = try cameraLook()
      plan.displayLook.start = found.table.map {
        DisplayLook.Lookup($0, space: .displayP3, amount: settings.boostAmount)
      }
      plan.warnings += [found.note].compactMap { $0 }
    }
    plan.renderer = HDRRenderer(
      RenderSettings(
        extendedDynamicRangeAmount: filter.extendedDynamicRangeAmount,
        boostAmount: settings.boostAmount, boostShadowAmount: settings.boostShadowAmount,
        toneLook: settings.look.base.tone, isGamutMappingEnabled: settings.isGamutMappingEnabled,
        primaries: outputPrimaries),
      scenePeak: plan.toneColor.peak, profile: tone, look: plan.displayLook)
    plan.fileHeadroom = plan.renderer.fileHeadroom
    plan.origin = filter.sceneOrigin(expansion: expansion.shown, peak: plan.peak)
    return plan
  }

  /// What the scene by these settings depends on.
  private func sceneOrigin(expansion: HighlightExpansion, peak: Float) -> DevelopPlan.SceneOrigin? {
    guard linearSpaceFilter == nil else { return nil }
    var scene = scene(peak: peak)
    scene.settings.extendedDynamicRangeAmount = nil
    return DevelopPlan.SceneOrigin(scene: scene, expansion: expansion)
  }

  /// Checks everything that does not need decoding.
  func check() throws(RAWError) {
    try settings.validate()
    try settings.requireReferences()
    if outputPrimaries == .camera, settings.resolvedForScene.isDisplayReferred {
      throw RAWError(
        .badSetting, .settings,
        "the camera's own channels are linear: camera RGB needs boostAmount 0, or look scene")
    }
    try requireProfile()
    try requireLensDatabase()
    _ = try lutContents()
    _ = try seriesEntry()
    (_, _) = (try frame, try chosen)
  }
}

// MARK: - Stored samples to scene

extension RAWFilter {
  /// The plan up to the scene, without noise reduction and detail stages, and not tone-mapped.
  /// `expansion` is applied to the file's own local tone map.
  func scenePlan(expansion: HighlightExpansion = .none) throws(RAWError) -> DevelopPlan {
    let info = picture.file.info
    var selection = lensSelection
    let white = try resolvedWhite()
    var sensor = try sensorPlan(selection.opcodes, method: sensorMethod)
    if sensor.settings.method.needsNoise {
      sensor.settings.noise = try picture.renderedNoise(
        opcodes: opcodes, profile: profile, workers: workers)
    }
    if isReduced && picture.lens(selection, balance: sensor.balance).isReducible {
      sensor.settings.resolution = .reduced
    }
    if let color = try lateralColorFit(sensor)?.color, !color.isEmpty {
      // Before the demosaic if possible and worthwhile, else in the lens's resampling.
      if SensorSettings.takesLateral(of: info.layout), sensor.settings.resolution == .full {
        sensor.settings.lateral = color
      } else {
        selection.lateral = color
      }
    }
    let lens = picture.lens(selection, balance: sensor.balance)
    let pipeline = try picture.pipeline(sensor, workers: workers)
    let framing = Framing(
      crop: cameraCrop, size: scaledSize, reduction: pipeline.reduction)
    var plan = DevelopPlan(
      settings: settings, warnings: warnings, sensor: sensor,
      clippedCeiling: pipeline.clippedCeiling, clippedFraction: pipeline.clippedFraction,
      lens: lens, lensSelection: picture.normalized(selection), framing: framing, white: white,
      color: try sceneColor(
        pipeline, white: white,
        placement: ProfileColor.Placement(size: framing.size, crop: cameraCrop, area: info.size),
        expansion: expansion),
      orientation: effectiveOrientation, frame: try frame,
      renderer: HDRRenderer(
        RenderSettings(boostAmount: 0, primaries: outputPrimaries), scenePeak: 1),
      picture: picture, workers: workers)
    plan.keepsReduced = keepsReduced
    return plan
  }

  /// How saturated photosites are treated. Scene-linear pictures are not clipped to neutral.
  func highlightMethod() -> SensorSettings.Highlights {
    if settings.isHighlightRecoveryEnabled { return .guided }
    return settings.isDisplayReferred ? .clipped : .kept
  }

  /// The noise of the photosites; nil for linear files.
  private func mosaicNoise() throws(RAWError) -> NoiseModel? {
    guard picture.file.info.layout != .linear else { return nil }
    return try picture.mosaicNoise(opcodes: opcodes, profile: profile, workers: workers)
  }

  /// The plan of the sensor stages for the rendering.
  func sensorPlan(
    _ opcodes: OpcodeSelection, resolution: SensorSettings.Resolution = .full,
    method: DemosaicMethod = .fast
  ) throws(RAWError) -> SensorPlan {
    let highlights = highlightMethod()
    var plan = picture.sensorPlan(
      opcodes, highlights, profile, defects: try defects(), resolution: resolution,
      method: method)
    if highlights == .clipped {
      plan.settings.clippedWhite = exp2(-(try resolvedBaselineExposure()))
    }
    guard highlights != .kept, let profile
    else { return plan }
    if let highlightsWhite {
      plan.settings.white = highlightsWhite
      return plan
    }
    let white = try resolvedWhite()
    plan.settings.white = try picture.clippingWhite(plan, profile, white: white, workers: workers)
    return plan
  }

  /// How hot and dead photosites are treated.
  func defects() throws(RAWError) -> SensorSettings.Defects {
    settings.isDefectCorrectionEnabled ? try measuredDefects() : .kept
  }

  /// The same for measurements, from which defects are always excluded.
  func measuredDefects() throws(RAWError) -> SensorSettings.Defects {
    try mosaicNoise().map { .byNoise($0) } ?? .kept
  }

  /// The file's opcodes that are applied.
  var opcodes: OpcodeSelection {
    OpcodeSelection(
      correctsLens: settings.isLensCorrectionEnabled, isPreview: settings.isDraftModeEnabled)
  }

  /// The lens correction: those opcodes, else a profile.
  var lensSelection: LensSelection {
    var selection = LensSelection(
      opcodes: opcodes, profile: settings.isLensCorrectionEnabled ? lensProfile : nil)
    selection.crop = cameraCrop
    selection.strengths.distortion = settings.lensDistortionAmount
    selection.strengths.lateralColor = settings.lensLateralColorAmount
    selection.strengths.vignetting = settings.lensVignettingAmount
    return selection
  }

  /// Whether the sensor's cells become pixels, at half the size or less.
  package var isReduced: Bool {
    let (size, crop) = (scaledSize, cameraCrop)
    return settings.isDraftModeEnabled
      || (2 * size.width <= crop.width && 2 * size.height <= crop.height)
  }

  /// The method that ``demosaicMethod`` resolves to for this file.
  var sensorMethod: DemosaicMethod {
    settings.demosaicMethod.used(for: picture.file.info.layout)
  }

  /// The conversion from the balanced camera values of `pipeline` to scene-linear values under
  /// `white`.
  func sceneColor(
    _ pipeline: SensorPipeline, white: Chromaticity, placement: ProfileColor.Placement,
    expansion: HighlightExpansion
  ) throws(RAWError) -> ScenePipeline.Color {
    var matrix = Matrix3.identity
    let isCamera = outputPrimaries == .camera
    if let profile {
      let asShot = profile.neutral(for: profile.asShotWhite)
      matrix =
        isCamera
        ? Matrix3(diagonal: asShot / profile.neutral(for: white))
        : profile.balancedToBT2020(balance: asShot, white: white)
    }
    let gain = exp2(sceneStops)
    let bias = Double(settings.shadowBias)
    let mapsGamut = settings.isDisplayReferred && settings.isGamutMappingEnabled && profile != nil
    return ScenePipeline.Color(
      clippedNeutral: clippedNeutral(pipeline, white: white), matrix: matrix * (gain / (1 - bias)),
      offset: -bias / (1 - bias),
      profile: isCamera
        ? nil : try profileColor(white: white, placement: placement, expansion: expansion),
      gamut: mapsGamut ? CameraGamut(matrix) : nil, filter: linearSpaceFilter)
  }

  /// The scene value of clipped highlights in `plan`; infinite if they are not clipped.
  private func clippedWhite(of plan: DevelopPlan) -> Float {
    guard plan.sensor.settings.highlights == .clipped, plan.clippedFraction.max() > 0
    else { return .infinity }
    let white = plan.clippedCeiling / plan.sensor.settings.white
    let scene = plan.color.matrix * SIMD3(Double(white.x), Double(white.y), Double(white.z))
    return Float(scene.max())
  }

  /// The brightest value of the scene of `plan`, with `expansion` of the file's own local tone map.
  func peak(of plan: DevelopPlan, expansion: HighlightExpansion) throws(RAWError) -> Float {
    if let clip { return clip.peak }
    if plan.color.filter != nil {
      // The filter's maximum can only be measured.
      let scene = try plan.stages().scene
      return try RAWError.translating(.color) { () throws(PixelError) in
        try scene.peak(workers: workers)
      }
    }
    if plan.color.profile != nil { return try profilePeak(white: plan.white, expansion: expansion) }
    let peak = try picture.peak(
      plan.sensor, lens: lensSelection, matrix: plan.color.matrix, workers: workers)
    return min(peak, clippedWhite(of: plan)) + Float(plan.color.offset)
  }
}

// MARK: - Noise and detail

extension RAWFilter {
  /// The amounts of the noise stages, resolved.
  private var noiseStage: NoiseStage {
    NoiseStage(
      despeckle: settings.despeckleAmount, luminance: settings.luminanceNoiseReductionAmount ?? 0,
      color: hasColor ? settings.colorNoiseReductionAmount ?? 0 : 0,
      moire: hasColor ? settings.moireReductionAmount : 0,
      method: NoiseReduction.Method(for: picture.file.info.layout))
  }

  /// Measures the noise for the noise stage of `plan`.
  private func measureNoise(_ plan: inout DevelopPlan) throws(RAWError) {
    let model = try picture.renderedNoise(
      opcodes: opcodes, profile: profile, workers: workers)
    plan.noiseModel = model
    guard plan.noise.needsSpectrum else { return }
    if let spectrum = clip?.spectrum {
      plan.noiseSpectrum = spectrum
      return
    }
    plan.noiseSpectrum = try picture.noiseSpectrum(plan.sensor, model: model, workers: workers)
  }

  /// Resolves the detail stages of `plan`: sharpening, detail and local contrast, local tone map.
  private func addDetail(to plan: inout DevelopPlan) throws(RAWError) {
    let scale = Float(scaledSize.width) / Float(nativeSize.width)
    let output = scale < 1 ? outputSharpening : .none
    if sharpnessAmount > 0 || output != .none || settings.detailAmount != 0 {
      let noise = try luminanceNoise(&plan, scale: scale)
      let blur =
        sharpnessAmount > 0
        ? SharpeningRadius.scaled(
          try picture.blur(opcodes: opcodes, profile: profile, workers: workers), by: scale) : 0
      let sharpening = try CaptureSharpening.Settings(
        amount: max(sharpnessAmount, output.amount),
        radius: min(
          (blur * blur + output.radius * output.radius).squareRoot(),
          CaptureSharpening.Settings.radii.upperBound),
        noise: noise, clipLevel: plan.clippedFraction.max() > 0 ? sceneGain : .infinity)
      let fine = try FineDetail.Settings(amount: settings.detailAmount, noise: noise)
      plan.detail.sharpening = sharpening.isNeutral ? nil : sharpening
      plan.detail.fine = fine.isNeutral ? nil : fine
    }
    try addMaps(to: &plan)
  }

  /// The scene before the detail stages, from the camera's picture that previews cache.
  private func recordedScene() throws(RAWError) -> ScenePipeline {
    let plan = try scenePlan()
    // If this fails, the next line fails with the same error.
    if keepsReduced { try? plan.keep(.reduced) }
    return try plan.stages().scene
  }

  /// The cache key of the scene by these settings, whose largest channel is `peak`.
  func scene(peak: Float) -> RecordedScene {
    RecordedScene(
      settings: settings, colorMatrix: colorMatrix, lensDatabase: lensDatabasePath,
      highlightsWhite: highlightsWhite, profileTables: profileTables,
      isCameraRGB: outputPrimaries == .camera, peak: peak)
  }

  /// Total exposure of the scene in stops: `exposure` plus baseline exposure.
  var sceneStops: Double { Double(settings.exposure) + Double(baselineExposure) }

  /// Scene-linear value of a balanced camera value of 1.
  private var sceneGain: Float { exp2(Float(sceneStops)) / (1 - settings.shadowBias) }

  /// Noise of the scene of `plan` at `scale` of the native size.
  private func luminanceNoise(
    _ plan: inout DevelopPlan, scale: Float
  ) throws(RAWError) -> LuminanceNoise {
    let model = try picture.renderedNoise(
      opcodes: opcodes, profile: profile, workers: workers)
    plan.noiseModel = model
    // The luminance of full-size pixels has half the variance of photosites, and less at reduced
    // size.
    let variance = 0.5 * scale * scale
    return try LuminanceNoise(
      slope: model.shot.y * variance * sceneGain,
      offset: model.read.y * variance * sceneGain * sceneGain)
  }

  /// Adds the maps that are measured on a small scene before the detail stages: local contrast,
  /// haze and local tone.
  private func addMaps(to plan: inout DevelopPlan) throws(RAWError) {
    let hasLocalContrast = settings.contrastAmount != 0
    let hasHaze = settings.dehazeAmount != 0
    let hasTone = !hasGainTableMap && localToneMapAmount > 0
    guard hasLocalContrast || hasHaze || hasTone else { return }
    var small = self
    small.settings = settings.recorded
    let side = Float(max(scaledSize.width, scaledSize.height))
    small.settings.scaleFactor *= min(Float(LuminanceProxy.longestSide) / side, 1)
    let scene = small.scene(peak: plan.peak)
    // Functions cannot be compared, so with a filter results are not cached.
    let cache = linearSpaceFilter == nil ? picture.cache : AnalysisCache()
    func luminance() throws(RAWError) -> LuminanceProxy {
      try cache.value(.sceneLuminance(scene)) { () throws(RAWError) in
        let recorded = try small.recordedScene()
        return try RAWError.translating(.color) { () throws(PixelError) in
          try LuminanceProxy(recorded, peak: scene.peak, workers: workers)
        }
      }
    }
    if hasLocalContrast {
      let pixelNoise = try luminanceNoise(&plan, scale: 1)
      let noise = try luminanceNoise(
        &plan, scale: Float(small.scaledSize.width) / Float(nativeSize.width))
      let gains = try cache.value(.localContrast(scene)) { () throws(RAWError) in
        let luminance = try luminance()
        return try RAWError.translating(.color) { () throws(PixelError) in
          try ContrastGains(luminance, noise: noise, pixelNoise: pixelNoise, workers: workers)
        }
      }
      plan.detail.localContrast = (
        try MedianContrast.Settings(amount: settings.contrastAmount), gains
      )
    }
    if hasHaze {
      let map = try cache.value(.haze(scene)) { () throws(RAWError) in
        let (luminance, recorded) = (try luminance(), try small.recordedScene())
        return try RAWError.translating(.color) { () throws(PixelError) in
          try HazeMap(recorded, luminance, workers: workers)
        }
      }
      plan.detail.haze = (try Dehaze.Settings(amount: settings.dehazeAmount), map)
    }
    if hasTone {
      let gains = try cache.value(.localTone(scene)) { () throws(RAWError) in
        let luminance = try luminance()
        return try RAWError.translating(.color) { () throws(PixelError) in
          try LocalToneGains(luminance)
        }
      }
      plan.detail.tone = (try LocalToneMap.Settings(amount: localToneMapAmount), gains)
    }
  }
}

extension RAWSettings {
  /// The settings that the scene before the detail stages depends on. Both renditions of a gain map
  /// use the same maps, and changing an amount of noise reduction or detail does not measure again.
  var recorded: RAWSettings { upTo(.exposure, without: [.noise, .defringe, .localTone]) }
}

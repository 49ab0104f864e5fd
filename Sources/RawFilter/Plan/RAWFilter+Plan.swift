import Foundation
import HDRRender
import ImageCore
package import RawData
import RawSensor

/// How the values of a rendering are resolved, in the order in which they depend on each other.
extension RAWFilter {
  /// Every number of the rendering that these settings ask for. Decodes the picture and measures in
  /// it what is not known yet; after that it costs little. `keepsDemosaiced`: whether the rendering
  /// leaves the camera's picture in memory for the next one, 12 bytes a pixel, up to
  /// ``cacheLimitBytes``.
  ///
  /// Throws what `outputImage()` throws.
  package func plan(keepsDemosaiced: Bool = false) throws(RAWError) -> DevelopPlan {
    try check()
    // A preview that was lost would not be missed.
    return try picture.file.reading { () throws(RAWError) in
      try MeasuredStage.plan.measure { () throws(RAWError) in
        var filter = try withoutReferences()
        filter.settings = filter.settings.resolvedForScene
        try filter.fixSeriesWhite()
        var plan = try filter.pairPlan(keepsDemosaiced)
        plan.sources = sourceFiles
        plan.warnings += [try seriesWarning(), try filter.underexposureNote()].compactMap { $0 }
        return plan
      }
    }
  }

  /// Uses less headroom where the picture would be brighter than `limit`, a multiple of reference
  /// white.
  package mutating func limitHeadroom(to limit: Float) throws(RAWError) {
    let plan = try plan()
    if plan.headroom > limit {
      extendedDynamicRangeAmount = Headroom.amount(of: plan.fileHeadroom, reaching: limit)
    }
  }

  /// The plan by the profile in use, or by those of both ranges.
  private func pairPlan(_ keepsDemosaiced: Bool) throws(RAWError) -> DevelopPlan {
    guard settings.isDisplayReferred, let pair = rangePair else {
      return try ownPlan(keepsDemosaiced)
    }
    // Profiles for both ranges: each end by its own, what lies between is blended.
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
      // Framed once, when both are one picture.
      var unframed = high
      unframed.frame = PictureFrame()
      plan.blend = .highRange(unframed, weight: amount)
    }
    return plan
  }

  /// The plan by the profile in use alone.
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

  /// What the scene of the plan by these settings depends on.
  private func sceneOrigin(expansion: HighlightExpansion, peak: Float) -> DevelopPlan.SceneOrigin? {
    guard linearSpaceFilter == nil else { return nil }
    var scene = scene(peak: peak)
    scene.settings.extendedDynamicRangeAmount = nil
    return DevelopPlan.SceneOrigin(scene: scene, expansion: expansion)
  }

  /// Throws for what is refused whatever the picture holds.
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
  /// The plan up to the scene as it was recorded: noise and blur stay, values are not tone-mapped.
  /// The local tone map of the file is opened by `expansion`.
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
      // Before the demosaic where that can be done and is worth it, else in the lens's resampling.
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

  /// What becomes of saturated photosites. Clipping to neutral belongs to the look: linear pictures
  /// hold the values as recorded.
  func highlightMethod() -> SensorSettings.Highlights {
    if settings.isHighlightRecoveryEnabled { return .guided }
    return settings.isDisplayReferred ? .clipped : .kept
  }

  /// The noise of the photosites of a mosaic.
  private func mosaicNoise() throws(RAWError) -> NoiseModel? {
    guard picture.file.info.layout != .linear else { return nil }
    return try picture.mosaicNoise(opcodes: opcodes, profile: profile, workers: workers)
  }

  /// How the camera's picture is made for the rendering.
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

  /// What becomes of photosites that are stuck high or low.
  func defects() throws(RAWError) -> SensorSettings.Defects {
    settings.isDefectCorrectionEnabled ? try measuredDefects() : .kept
  }

  /// The same for measurements, which defects never count in.
  func measuredDefects() throws(RAWError) -> SensorSettings.Defects {
    try mosaicNoise().map { .byNoise($0) } ?? .kept
  }

  /// Which of the file's opcodes are applied.
  var opcodes: OpcodeSelection {
    OpcodeSelection(
      correctsLens: settings.isLensCorrectionEnabled, isPreview: settings.isDraftModeEnabled)
  }

  /// What corrects the lens: those opcodes, else a profile.
  var lensSelection: LensSelection {
    var selection = LensSelection(
      opcodes: opcodes, profile: settings.isLensCorrectionEnabled ? lensProfile : nil)
    selection.crop = cameraCrop
    selection.strengths.distortion = settings.lensDistortionAmount
    selection.strengths.lateralColor = settings.lensLateralColorAmount
    selection.strengths.vignetting = settings.lensVignettingAmount
    return selection
  }

  /// Whether the sensor's cells become pixels of half the size, which is all that the picture
  /// needs.
  package var isReduced: Bool {
    let (size, crop) = (scaledSize, cameraCrop)
    return settings.isDraftModeEnabled
      || (2 * size.width <= crop.width && 2 * size.height <= crop.height)
  }

  /// What ``demosaicMethod`` comes to for this file.
  var sensorMethod: DemosaicMethod {
    settings.demosaicMethod.used(for: picture.file.info.layout)
  }

  /// From the balanced camera values of `pipeline` to scene-linear values under `white`.
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

  /// What clipped highlights are in the scene of `plan`: the white of the picture, above which
  /// nothing is told apart. Infinite where they are not clipped.
  private func clippedWhite(of plan: DevelopPlan) -> Float {
    guard plan.sensor.settings.highlights == .clipped, plan.clippedFraction.max() > 0
    else { return .infinity }
    let white = plan.clippedCeiling / plan.sensor.settings.white
    let scene = plan.color.matrix * SIMD3(Double(white.x), Double(white.y), Double(white.z))
    return Float(scene.max())
  }

  /// The brightest value of the scene of `plan`, with the file's local tone map opened by
  /// `expansion`.
  func peak(of plan: DevelopPlan, expansion: HighlightExpansion) throws(RAWError) -> Float {
    if plan.color.filter != nil {
      // Only the pixels themselves show how bright the filter makes them.
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

  /// Finds what the noise stage of `plan` must know.
  private func measureNoise(_ plan: inout DevelopPlan) throws(RAWError) {
    let model = try picture.renderedNoise(
      opcodes: opcodes, profile: profile, workers: workers)
    plan.noiseModel = model
    guard plan.noise.needsSpectrum else { return }
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

  /// The scene as it was recorded, of a picture that previews keep.
  private func recordedScene() throws(RAWError) -> ScenePipeline {
    let plan = try scenePlan()
    // What could not be kept fails below again.
    if keepsReduced { try? plan.keep(.reduced) }
    return try plan.stages().scene
  }

  /// The scene by these settings, whose largest channel is `peak`.
  func scene(peak: Float) -> RecordedScene {
    RecordedScene(
      settings: settings, colorMatrix: colorMatrix, lensDatabase: lensDatabasePath,
      highlightsWhite: highlightsWhite, profileTables: profileTables,
      isCameraRGB: outputPrimaries == .camera, peak: peak)
  }

  /// Stops by which the scene is exposed: those that are set, and those that belong to the file.
  var sceneStops: Double { Double(settings.exposure) + Double(baselineExposure) }

  /// Scene-linear value of a balanced camera value of 1.
  private var sceneGain: Float { exp2(Float(sceneStops)) / (1 - settings.shadowBias) }

  /// Noise of the scene of `plan` where it is `scale` of the native size.
  private func luminanceNoise(
    _ plan: inout DevelopPlan, scale: Float
  ) throws(RAWError) -> LuminanceNoise {
    let model = try picture.renderedNoise(
      opcodes: opcodes, profile: profile, workers: workers)
    plan.noiseModel = model
    // Half of the variance of photosites is left in the brightness of full-size pixels, and less
    // where several of them make one.
    let variance = 0.5 * scale * scale
    return try LuminanceNoise(
      slope: model.shot.y * variance * sceneGain,
      offset: model.read.y * variance * sceneGain * sceneGain)
  }

  /// Adds what is found on a small picture of the scene as it was recorded: local contrast, haze
  /// and the local tone map.
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
    // A function cannot be compared with that of the next rendering, so its results are not kept.
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
  /// What the scene as it was recorded depends on: the two ends of a gain map share one map, and an
  /// amount of noise or detail that moves measures nothing anew.
  var recorded: RAWSettings { upTo(.exposure, without: [.noise, .defringe, .localTone]) }
}

import ImageCore
import RawDecode
import RawSensor
import Synchronization

/// What copies of one ``RAWFilter`` share: the open file and its cached results.
final class RAWPicture: Sendable {
  let file: RawFile
  let cache = AnalysisCache()
  /// The picture that the exposure is taken from, and by how many stops its stored white is
  /// brighter; nil for single files.
  let reference: (picture: RAWPicture, stops: Float)?
  /// By how much the camera recorded darker than metered.
  let hiddenUnderexposure: HiddenUnderexposure?
  /// Other opened frames of the file, by number.
  private let frames = Mutex<[Int: RAWPicture]>([:])

  init(file: RawFile, reference: (picture: RAWPicture, stops: Float)? = nil) {
    (self.file, self.reference) = (file, reference)
    hiddenUnderexposure = file.hiddenUnderexposure
  }

  /// Frame `number` of the file, from 1 on, opened once.
  func frame(_ number: Int) throws(RAWError) -> RAWPicture {
    if number == file.frameNumber || file.hasOtherSamples { return self }
    return try frames.withLock { (frames) throws(RAWError) in
      if let known = frames[number] { return known }
      let frame = RAWPicture(file: try file.frame(number))
      frames[number] = frame
      return frame
    }
  }

  /// Full size of the part `crop` as stored, with square pixels.
  func nativeSize(_ crop: PixelRect) -> PixelSize { file.info.squareSize(of: crop) }

  /// How often pixels were decoded, and how often a demosaiced picture was cached.
  var counts: (decodes: Int, demosaics: Int) { (cache.found(.samples), cache.found(.image)) }
}

// MARK: - Parameters of stages

extension RAWPicture {
  /// The plan of the sensor stages.
  func sensorPlan(
    _ opcodes: OpcodeSelection, _ highlights: SensorSettings.Highlights, _ profile: CameraProfile?,
    defects: SensorSettings.Defects, resolution: SensorSettings.Resolution = .full,
    method: DemosaicMethod = .fast
  ) -> SensorPlan {
    SensorPlan(
      opcodes: sensorOpcodes(opcodes), balance: balance(profile),
      settings: SensorSettings(
        highlights: highlights, defects: defects, resolution: resolution, method: method,
        fourColorToRGB: fourColor(profile)?.channelMatrix ?? []))
  }

  /// `opcodes` restricted to those before the demosaic.
  func sensorOpcodes(_ opcodes: OpcodeSelection) -> OpcodeSelection {
    file.info.opcodes.normalized(opcodes, for: [.stored, .linear])
  }

  /// `lens` with opcodes restricted to lens corrections.
  func normalized(_ lens: LensSelection) -> LensSelection {
    var normal = lens
    normal.opcodes = file.info.opcodes.normalized(lens.opcodes, for: [.lens])
    return normal
  }

  /// Gains that make the neutral of `white`, nil as shot, gray, the smallest 1.
  func balance(_ profile: CameraProfile?, white: Chromaticity? = nil) -> SIMD4<Float> {
    guard let profile else { return SIMD4(repeating: 1) }
    if let fourColor = fourColor(profile, white: white) { return fourColor.gains }
    let gains = SIMD3<Float>(1 / profile.neutral(for: white ?? profile.asShotWhite))
    return SIMD4(gains, 1)
  }

  /// The white of saturated photosites of `plan` under `white`; as shot if nothing is saturated,
  /// because the picture is then independent of the white.
  func clippingWhite(
    _ plan: SensorPlan, _ profile: CameraProfile, white: Chromaticity, workers: Int
  ) throws(RAWError) -> SIMD4<Float> {
    guard white != profile.asShotWhite,
      try pipeline(plan, workers: workers).clippedFraction.max() > 0
    else { return .one }
    return balance(profile, white: white) / plan.balance
  }

  private func fourColor(
    _ profile: CameraProfile?, white: Chromaticity? = nil
  ) -> FourColorBalance? {
    profile.flatMap {
      FourColorBalance(
        reduction: $0.fourColorReduction, neutral: $0.neutral(for: white ?? $0.asShotWhite))
    }
  }

  /// The lens stage: opcode list 3, or a lens profile, for pictures of balance `balance`.
  func lens(_ selection: LensSelection, balance: SIMD4<Float>) -> LensStage {
    let lists = file.info.opcodes
    let isGray = file.info.layout == .monochrome
    var actions = lists.actions(.lens, selection.opcodes)
    if let profile = selection.profile {
      var frame = lists.frame(.lens)
      frame.size = lists.finalSize
      actions +=
        LensProfileCorrection(
          profile, frame: frame, crop: selection.crop ?? file.info.crop, isGray: isGray
        ).actions
    }
    let stage = LensStage(
      actions: selection.strengths.applied(to: actions), frame: lists.frame(.lens),
      balance: SIMD3(balance.x, balance.y, balance.z), isGray: isGray)
    return selection.lateral.map { stage.correcting($0) } ?? stage
  }
}

// MARK: - Cached results

extension RAWPicture {
  /// The decoded samples after opcode lists 1 and 2.
  func samples(
    _ opcodes: OpcodeSelection, workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> SensorData {
    let opcodes = sensorOpcodes(opcodes)
    return try cache.value(.samples(opcodes)) { () throws(RAWError) in
      try file.sensorData(opcodes: opcodes, workers: workers)
    }
  }

  /// Drops the cached samples of `opcodes`.
  func forgetSamples(_ opcodes: OpcodeSelection) { cache.forgetSamples(sensorOpcodes(opcodes)) }

  /// The sensor stages of `plan`, with their measurements of the whole picture.
  func pipeline(
    _ plan: SensorPlan, workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> SensorPipeline {
    try pipeline(plan, of: try samples(plan.opcodes, workers: workers), workers: workers)
  }

  /// The same of `samples`, the samples for the plan's opcodes.
  func pipeline(
    _ plan: SensorPlan, of samples: SensorData, workers: Int
  ) throws(RAWError) -> SensorPipeline {
    let analyzed = plan.forAnalysis
    let made = try cache.value(.sensor(analyzed)) { () throws(RAWError) in
      let like: SensorPipeline? = cache.known {
        if case .sensor(let other) = $0 {
          other.underAnyWhite == analyzed.underAnyWhite
        } else {
          false
        }
      }
      return try SensorPipeline(
        samples, balance: analyzed.balance, settings: analyzed.settings, like: like,
        workers: workers)
    }
    var pipeline = try made.at(plan.settings.resolution)
    if plan.settings.method != .fast {
      pipeline = pipeline.demosaicing(by: plan.settings.method, noise: plan.settings.noise)
    }
    return plan.settings.lateral.map { pipeline.correcting($0) } ?? pipeline
  }

  /// `source`, identified by `analysis`, in memory if it is cached already, or if `keeps` is true
  /// and it fits ``RAWFilter/cacheLimitBytes``. Else `source` itself.
  func cached<State: ImageState>(
    _ source: any PixelSource<State>, _ analysis: Analysis, keeps: Bool, workers: Int
  ) throws(RAWError) -> any PixelSource<State> {
    if let image: Image<State> = cache.known(analysis) { return image }
    guard keeps, source.size.area * 12 <= RAWFilter.cacheLimitBytes else { return source }
    return try cache.value(analysis) { () throws(RAWError) in
      try RAWError.translating(.sensor) { () throws(PixelError) in
        try Image(rendering: source, workers: workers)
      }
    }
  }

  /// The lateral color measured on the sensor's picture by `plan`; nil without colors to compare.
  func lateralColor(_ plan: SensorPlan, workers: Int) throws(RAWError) -> LateralColorFit? {
    // Saturated photosites are not compared, so the white does not matter.
    return try cache.value(.lateralColor(plan.forAnalysis.underAnyWhite)) { () throws(RAWError) in
      let pipeline = try pipeline(plan.forAnalysis, workers: workers)
      return try RAWError.translating(.sensor) { () throws(PixelError) in
        try pipeline.lateralColor(aspect: file.info.pixelAspect, workers: workers)
      }
    }
  }

  /// The profile for this file in the lens database at `path`.
  func lensProfile(_ path: String?) throws(RAWError) -> LensProfile? {
    try cache.value(.lensProfile(database: path)) { () throws(RAWError) in
      var profile = try LensQuery(file.metadata).flatMap { (query) throws(RAWError) in
        try LensDatabase.shared(path)?.profile(query)
      }
      if file.info.opcodes.correctShading { profile?.calibration.vignetting = nil }
      return profile?.calibration.isEmpty == true ? nil : profile
    }
  }

  /// The camera profile in the file at `path`.
  func cameraProfile(at path: String) throws(RAWError) -> CameraProfileFile {
    try cache.value(.cameraProfile(path: path)) { () throws(RAWError) in
      try CameraProfileFile(path: path, for: file)
    }
  }
}

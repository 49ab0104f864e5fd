import ImageCore
import RawDecode
import RawSensor
import Synchronization

/// What copies of one ``RAWFilter`` share: the open file and what has been found out about it.
final class RAWPicture: Sendable {
  let file: RawFile
  let cache = AnalysisCache()
  /// The picture whose exposure the rendering has, and how many stops brighter white is stored
  /// there; nil for single files.
  let reference: (picture: RAWPicture, stops: Float)?
  /// What the camera recorded darker than it metered.
  let hiddenUnderexposure: HiddenUnderexposure?
  /// Other frames of the file that were opened, by their numbers.
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

  /// Full size of the part `crop` as stored, its pixels made square.
  func nativeSize(_ crop: PixelRect) -> PixelSize { file.info.squareSize(of: crop) }

  /// How often pixels were decoded, and demosaiced to be kept, so far.
  var counts: (decodes: Int, demosaics: Int) { (cache.found(.samples), cache.found(.image)) }
}

// MARK: - What stages are made with

extension RAWPicture {
  /// How the camera's picture is made.
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

  /// `opcodes` as far as they concern what is before the demosaic.
  func sensorOpcodes(_ opcodes: OpcodeSelection) -> OpcodeSelection {
    file.info.opcodes.normalized(opcodes, for: [.stored, .linear])
  }

  /// `lens` with opcodes as far as they concern the lens.
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

  /// The white of saturated photosites of `plan` under `white`; that as shot where there are none,
  /// as the picture is the same under any.
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

  /// What opcode list 3, or a lens profile, does to pictures of balance `balance`.
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

// MARK: - What is found once

extension RAWPicture {
  /// The stored samples behind opcode lists 1 and 2: decoded.
  func samples(
    _ opcodes: OpcodeSelection, workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> SensorData {
    let opcodes = sensorOpcodes(opcodes)
    return try cache.value(.samples(opcodes)) { () throws(RAWError) in
      try file.sensorData(opcodes: opcodes, workers: workers)
    }
  }

  /// Keeps the stored samples behind `opcodes` no longer.
  func forgetSamples(_ opcodes: OpcodeSelection) { cache.forgetSamples(sensorOpcodes(opcodes)) }

  /// The sensor stages of `plan`, which have looked at the whole picture.
  func pipeline(
    _ plan: SensorPlan, workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> SensorPipeline {
    try pipeline(plan, of: try samples(plan.opcodes, workers: workers), workers: workers)
  }

  /// The same of `samples`, which are those of the plan's opcodes.
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

  /// `source`, which `analysis` names, in memory: where it is kept already, or is to be kept from
  /// now on and takes no more than ``RAWFilter/cacheLimitBytes``. Else `source` itself.
  func kept<State: ImageState>(
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

  /// The lateral color found on the sensor's picture by `plan`; nil where there are no colors to
  /// compare.
  func lateralColor(_ plan: SensorPlan, workers: Int) throws(RAWError) -> LateralColorFit? {
    // Saturated photosites are not compared, so the white under which they are rebuilt is not, too.
    return try cache.value(.lateralColor(plan.forAnalysis.underAnyWhite)) { () throws(RAWError) in
      let pipeline = try pipeline(plan.forAnalysis, workers: workers)
      return try RAWError.translating(.sensor) { () throws(PixelError) in
        try pipeline.lateralColor(aspect: file.info.pixelAspect, workers: workers)
      }
    }
  }

  /// The profile that the lens database at `path` has for this file.
  func lensProfile(_ path: String?) throws(RAWError) -> LensProfile? {
    try cache.value(.lensProfile(database: path)) { () throws(RAWError) in
      var profile = try LensQuery(file.metadata).flatMap { (query) throws(RAWError) in
        try LensDatabase.shared(path)?.profile(query)
      }
      if file.info.opcodes.evenOutLight { profile?.calibration.vignetting = nil }
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

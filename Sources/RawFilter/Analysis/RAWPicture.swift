import HDRRender
import ImageCore
import Synchronization

/// What copies of one ``RAWFilter`` share: the open file, its decoded numbers, the sensor stages and
/// the demosaiced picture. Each is made once, when first needed; only one demosaiced picture is kept.
final class RAWPicture: Sendable {
  let file: RawFile
  let state = Mutex(State())

  /// The settings that decide what the sensor stages produce.
  struct Key: Hashable {
    var isReduced: Bool
    /// Opcodes before the demosaic.
    var opcodes: OpcodeSelection
    var highlights: SensorSettings.Highlights
    var balance: SIMD4<Float>
  }

  /// With what is done from the demosaic on.
  struct PictureKey: Hashable {
    var key: Key
    var method: SensorSettings.Method
    var noise: NoiseStage
    var lens: OpcodeSelection
  }

  struct State {
    var sensor: (opcodes: OpcodeSelection, data: SensorData)?
    var pipelines: [Key: SensorPipeline] = [:]
    var demosaiced: (key: PictureKey, image: Image<CameraRGB>)?
    var noises: [NoiseKey: NoiseModel] = [:]
    var spectra: [SpectrumKey: NoiseSpectrum] = [:]
    var radii: [OpcodeSelection: Float] = [:]
    var peaks: [PeakKey: Float] = [:]
    var scenePeaks: [ScenePeakKey: Float] = [:]
    var whites: [WhiteKey: Chromaticity] = [:]
    var cameraProfiles: [String: CameraProfileFile] = [:]
    var baselineExposure: Float?
    /// By the path of the database.
    var lensProfiles: [String?: LensProfile?] = [:]
    var decodes = 0
    var demosaics = 0
  }

  struct PeakKey: Hashable {
    var key: Key
    var lens: OpcodeSelection
    var matrix: Matrix3
  }

  struct WhiteKey: Hashable {
    var opcodes: OpcodeSelection
    var profile: CameraProfile
  }

  /// A source of balanced camera RGB and what the colour stages must know of it.
  struct Camera {
    var source: any PixelSource<CameraRGB>
    /// What `source` is; nil behind corrections of the lens.
    var pipeline: SensorPipeline?
    /// Sensor pixels for one pixel of the source, per side.
    var reduction: Int
    /// Balanced value at which every channel is clipped.
    var clippedCeiling: Float
    /// Balanced value at which each channel saturates, before corrections of the lens.
    var saturation: SIMD3<Float>
    /// Share of clipped pixels of each channel.
    var clippedFraction: SIMD4<Float>
  }

  init(file: RawFile) { self.file = file }

  /// Full size of the picture as stored, its pixels made square.
  var nativeSize: PixelSize {
    let (crop, aspect) = (file.info.crop, file.info.pixelAspect)
    func stretched(_ side: Int, _ factor: Double) -> Int { Int((Double(side) * factor).rounded()) }
    return aspect >= 1
      ? PixelSize(width: stretched(crop.width, aspect), height: crop.height)
      : PixelSize(width: crop.width, height: stretched(crop.height, 1 / aspect))
  }

  /// How often pixels were decoded and demosaiced so far.
  var counts: (decodes: Int, demosaics: Int) {
    state.withLock { ($0.decodes, $0.demosaics) }
  }

  /// Gains that make the as-shot neutral grey, the smallest 1.
  private func balance(_ profile: CameraProfile?) -> SIMD4<Float> {
    guard let profile else { return SIMD4(repeating: 1) }
    if let fourColor = fourColor(profile) { return fourColor.gains }
    let gains = SIMD3<Float>(1 / profile.neutral(for: profile.asShotWhite))
    return SIMD4(gains, 1)
  }

  private func fourColor(_ profile: CameraProfile?) -> FourColorBalance? {
    profile.flatMap {
      FourColorBalance(
        reduction: $0.fourColorReduction, neutral: $0.neutral(for: $0.asShotWhite))
    }
  }

  /// The numbers behind opcode lists 1 and 2, decoded once as long as `opcodes` select the same.
  func sensor(
    _ opcodes: OpcodeSelection, workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> SensorData {
    let opcodes = file.info.opcodes.normalized(opcodes, for: [.stored, .linear])
    if let known = state.withLock({ $0.sensor }), known.opcodes == opcodes { return known.data }
    let decoded = try file.decode(opcodes: opcodes, workers: workers)
    return state.withLock { state in
      if let other = state.sensor, other.opcodes == opcodes { return other.data }
      state.sensor = (opcodes, decoded)
      // Others hold numbers that nobody asks for any more.
      state.pipelines = state.pipelines.filter { $0.key.opcodes == opcodes }
      state.decodes += 1
      return decoded
    }
  }

  func key(
    isReduced: Bool, _ opcodes: OpcodeSelection, _ highlights: SensorSettings.Highlights,
    _ profile: CameraProfile?
  ) -> Key {
    Key(
      isReduced: isReduced,
      opcodes: file.info.opcodes.normalized(opcodes, for: [.stored, .linear]),
      highlights: highlights, balance: balance(profile))
  }

  /// What opcode list 3, or a lens profile, does to pictures of balance `balance`.
  func lens(_ opcodes: OpcodeSelection, balance: SIMD4<Float>) -> LensStage {
    let lists = file.info.opcodes
    let isGrey = file.info.layout == .monochrome
    var actions = lists.actions(.lens, opcodes)
    if let profile = opcodes.lensProfile {
      var frame = lists.frame(.lens)
      frame.size = lists.finalSize
      actions +=
        LensProfileCorrection(profile, frame: frame, crop: file.info.crop, isGrey: isGrey).actions
    }
    return LensStage(
      actions: actions, frame: lists.frame(.lens),
      balance: SIMD3(balance.x, balance.y, balance.z), isGrey: isGrey)
  }

  /// The profile that the lens database at `path` has for this file, looked up once.
  func lensProfile(_ path: String?) throws(RAWError) -> LensProfile? {
    if let known = state.withLock({ $0.lensProfiles[path] }) { return known }
    var profile = try LensQuery(file.metadata).flatMap { (query) throws(RAWError) in
      try LensDatabase.shared(path)?.profile(query)
    }
    if file.info.opcodes.evenOutLight { profile?.calibration.vignetting = nil }
    if profile?.calibration.isEmpty == true { profile = nil }
    state.withLock { $0.lensProfiles[path] = .some(profile) }
    return profile
  }

  func pipeline(
    _ key: Key, profile: CameraProfile?, workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> SensorPipeline {
    // What the whole picture tells is the same at both resolutions.
    let resolution = key.isReduced ? SensorSettings.Resolution.reduced : .full
    var key = key
    key.isReduced = false
    if let made = state.withLock({ $0.pipelines[key] }) { return try made.at(resolution) }
    let made = try SensorPipeline(
      try sensor(key.opcodes, workers: workers), balance: key.balance,
      settings: settings(key, profile), workers: workers)
    state.withLock { $0.pipelines[key] = made }
    return try made.at(resolution)
  }

  /// What the sensor stages are asked to do.
  func settings(_ key: Key, _ profile: CameraProfile?) -> SensorSettings {
    SensorSettings(
      highlights: key.highlights, repairsDefects: true,
      resolution: key.isReduced ? .reduced : .full,
      fourColorToRGB: fourColor(profile)?.fold ?? [])
  }

  /// The camera's picture for these settings, opcodes applied: from memory when it was kept, else made
  /// when read.
  func camera(
    isReduced: Bool, opcodes: OpcodeSelection, highlights: SensorSettings.Highlights,
    method: SensorSettings.Method = .automatic, noise: NoiseStage = .none, profile: CameraProfile?,
    keepsDemosaiced: Bool, workers: Int
  ) throws(RAWError) -> Camera {
    let lens = lens(opcodes, balance: balance(profile))
    let key = key(isReduced: isReduced && lens.isReducible, opcodes, highlights, profile)
    let pipeline = try pipeline(key, profile: profile, workers: workers).demosaicing(by: method)
    let clean = try clean(pipeline, noise, key, method, profile: profile, workers: workers)
    let source = lens.applied(to: clean, reduction: pipeline.reduction)
    var camera = Camera(
      source: source, pipeline: lens.isEmpty ? pipeline : nil, reduction: pipeline.reduction,
      clippedCeiling: pipeline.clippedCeiling, saturation: pipeline.saturation,
      clippedFraction: pipeline.clippedFraction)
    let pictureKey = PictureKey(
      key: key, method: method, noise: noise,
      lens: file.info.opcodes.normalized(opcodes, for: [.lens]))
    if let kept = state.withLock({ $0.demosaiced }), kept.key == pictureKey {
      camera.source = kept.image
    } else if keepsDemosaiced, source.size.area * 12 <= RAWFilter.cacheLimitBytes {
      let image = Image(rendering: source, workers: workers)
      state.withLock {
        $0.demosaiced = (pictureKey, image)
        $0.demosaics += 1
      }
      camera.source = image
    }
    return camera
  }

  /// The largest channel that `matrix` makes of any pixel, measured on the sensor's own cells so that
  /// it does not depend on scale or caching. What draft mode leaves out of the opcodes counts.
  func peak(
    matrix: Matrix3, opcodes: OpcodeSelection = OpcodeSelection(),
    highlights: SensorSettings.Highlights, profile: CameraProfile?,
    workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> Float {
    let key = key(isReduced: false, opcodes, highlights, profile)
    let lensKey = file.info.opcodes.normalized(opcodes, for: [.lens])
    let peakKey = PeakKey(key: key, lens: lensKey, matrix: matrix)
    if let known = state.withLock({ $0.peaks[peakKey] }) { return known }
    let pipeline = try pipeline(key, profile: profile, workers: workers)
    let lens = lens(opcodes, balance: key.balance)
    let peak =
      lens.isEmpty
      ? pipeline.peak(of: matrix, workers: workers)
      : pipeline.peak(of: matrix, behind: lens, workers: workers)
    state.withLock { $0.peaks[peakKey] = peak }
    return peak
  }

  /// The white that `measure` found for `profile`, measured once.
  func measuredWhite(
    _ profile: CameraProfile, _ opcodes: OpcodeSelection,
    measure: () throws(RAWError) -> Chromaticity
  ) throws(RAWError) -> Chromaticity {
    let selected = file.info.opcodes.normalized(opcodes, for: [.stored, .linear])
    let key = WhiteKey(opcodes: selected, profile: profile)
    if let known = state.withLock({ $0.whites[key] }) { return known }
    let white = try measure()
    state.withLock { $0.whites[key] = white }
    return white
  }
}

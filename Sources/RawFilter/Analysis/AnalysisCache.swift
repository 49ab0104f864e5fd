import HDRRender
import ImageCore
import RawDecode
import RawSensor
import Synchronization

/// A scene before detail and tone stages, identified by everything that it depends on besides the
/// file.
struct RecordedScene: Sendable, Hashable {
  var settings: RAWSettings
  var colorMatrix: [Double]?
  var lensDatabase: String?
  /// The white of reused highlights; nil for the white in use.
  var highlightsWhite: SIMD4<Float>?
  var profileTables: ProfileTables
  /// Whether it is in camera RGB.
  var isCameraRGB: Bool
  /// Its largest channel.
  var peak: Float
}

/// What camera RGB after noise reduction, lens correction and defringe depends on.
struct CameraPicture: Sendable, Hashable {
  var sensor: SensorPlan
  var noise: NoiseStage
  var lens: LensSelection
  var defringe: Float

  /// Without the white in use, which affects only saturated photosites and their surroundings.
  var underAnyWhite: CameraPicture {
    var picture = self
    picture.sensor = sensor.underAnyWhite
    return picture
  }
}

/// A cached result about a file. A case names the result and holds everything that it depends on
/// besides the file: equal cases have bit-identical results.
enum Analysis: Sendable, Hashable {
  /// The stored samples after opcode lists 1 and 2.
  case samples(OpcodeSelection)
  /// The sensor stages with their measurements of the whole picture, at full resolution.
  case sensor(SensorPlan)
  /// The demosaiced picture after noise reduction, lens correction and defringe.
  case image(CameraPicture)
  /// The same, cropped and reduced.
  case reduced(CameraPicture, Framing)
  /// The scene after sharpening, detail, local contrast and local tone.
  case detailed(DevelopPlan.SceneOrigin)
  /// The noise of the balanced samples.
  case noise(OpcodeSelection, balance: SIMD4<Float>)
  /// The spectrum of that noise after the sensor stages.
  case noiseSpectrum(SensorPlan, NoiseModel)
  /// The lateral shift of red and blue from green.
  case lateralColor(SensorPlan)
  /// The blur of the capture.
  case blur(OpcodeSelection, balance: SIMD4<Float>)
  /// The range of values of blocks, after the sensor stages and the lens correction.
  case extrema(SensorPlan, lens: LensSelection)
  /// The brightest pixel of each color, after the same stages, in a part of their picture.
  case brightestColors(
    SensorPlan, lens: LensSelection, PixelRect, dependsOnPosition: Bool)
  /// The largest channel after a matrix.
  case peak(SensorPlan, lens: LensSelection, Matrix3)
  /// The largest channel after a profile's tables.
  case profilePeak(ProfilePeak)
  /// The illuminant estimated from the colors of the picture.
  case automaticWhite(OpcodeSelection, CameraProfile, SensorSettings.Defects)
  /// The illuminant under which the standard rendering by these settings matches the preview's
  /// colors.
  case previewWhite(CameraProfile, RAWSettings, profileTables: ProfileTables)
  /// The stops that match the brightness of the default rendering to the preview.
  case baselineExposure(ToneLook, Chromaticity, SensorSettings.Defects)
  /// The embedded preview whose lightness is matched.
  case matchedPreview
  /// The dark, middle and bright tones of a scene.
  case sceneTones(RecordedScene)
  /// Automatic values under these settings, except of the properties that keep theirs.
  case automaticAdjustment(
    RAWSettings, keeping: Set<String>, colorMatrix: [Double]?, profileTables: ProfileTables)
  /// The luminance of a reduced scene, and what is derived from it: local contrast gains, haze map
  /// and local tone map.
  case sceneLuminance(RecordedScene)
  case localContrast(RecordedScene)
  case haze(RecordedScene)
  case localTone(RecordedScene)
  /// A camera profile from a .dcp file.
  case cameraProfile(path: String)
  /// The camera look: the mapping from the standard rendering by these settings to the preview.
  case cameraLook(RAWSettings, colorMatrix: [Double]?, profileTables: ProfileTables)
  /// Why the preview is not trusted, likewise.
  case previewDoubt(RAWSettings, colorMatrix: [Double]?, profileTables: ProfileTables)
  /// The camera look of a series, by its text.
  case seriesLook(String)
  /// A LUT or camera look from a file.
  case lut(path: String)
  /// The profile for this file in the lens database at a path, nil for the system's.
  case lensProfile(database: String?)

  /// The cases without associated values.
  enum Kind: CaseIterable, Hashable {
    case samples, sensor, image, reduced, detailed, noise, noiseSpectrum, lateralColor, blur,
      extrema, brightestColors, peak, profilePeak
    case automaticWhite, previewWhite, baselineExposure, matchedPreview, sceneTones,
      automaticAdjustment, sceneLuminance, localContrast, haze, localTone
    case cameraProfile, cameraLook, previewDoubt, seriesLook, lut, lensProfile

    /// The stage that the computing time is counted as.
    var stage: MeasuredStage {
      switch self {
      case .samples: .decode
      case .image, .reduced, .detailed: .keptPicture
      default: .analysis
      }
    }

    /// Maximum number of results to keep: one if it is large; for sensor stages those of both
    /// profiles of a pair, for the picture and for analysis; for small results enough for every
    /// output of a recipe.
    var limit: Int {
      switch self {
      case .samples, .image, .baselineExposure: 1
      case .sceneLuminance, .localContrast, .haze, .localTone: 1
      case .lut, .cameraLook, .seriesLook, .detailed: 2
      case .sensor, .reduced, .extrema, .brightestColors: 4
      default: 16
      }
    }
  }

  var kind: Kind {
    switch self {
    case .samples: .samples
    case .sensor: .sensor
    case .image: .image
    case .reduced: .reduced
    case .detailed: .detailed
    case .noise: .noise
    case .noiseSpectrum: .noiseSpectrum
    case .lateralColor: .lateralColor
    case .blur: .blur
    case .extrema: .extrema
    case .brightestColors: .brightestColors
    case .peak: .peak
    case .profilePeak: .profilePeak
    case .automaticWhite: .automaticWhite
    case .previewWhite: .previewWhite
    case .baselineExposure: .baselineExposure
    case .sceneTones: .sceneTones
    case .automaticAdjustment: .automaticAdjustment
    case .sceneLuminance: .sceneLuminance
    case .localContrast: .localContrast
    case .haze: .haze
    case .localTone: .localTone
    case .cameraProfile: .cameraProfile
    case .cameraLook: .cameraLook
    case .previewDoubt: .previewDoubt
    case .matchedPreview: .matchedPreview
    case .seriesLook: .seriesLook
    case .lut: .lut
    case .lensProfile: .lensProfile
    }
  }

  /// The samples that the result retains.
  fileprivate var samples: OpcodeSelection? {
    switch self {
    case .samples(let opcodes): opcodes
    case .sensor(let plan), .extrema(let plan, _): plan.opcodes
    default: nil
    }
  }
}

/// Results about one file, keyed by ``Analysis``. Each kind has a limit, beyond which the least
/// recently used result is dropped. Failures are not cached. Thread-safe: two threads that miss the
/// same result both compute it, and both get the first one.
final class AnalysisCache: Sendable {
  private struct Entry {
    var result: any Sendable
    var lastUse: Int
  }

  private struct State {
    var entries: [Analysis: Entry] = [:]
    var uses = 0
    var found: [Analysis.Kind: Int] = [:]

    /// Drops the oldest result of `kind` if it exceeds the limit; with samples, also the results
    /// that retain them.
    mutating func trim(_ kind: Analysis.Kind) {
      let same = entries.filter { $0.key.kind == kind }
      guard same.count > kind.limit,
        let oldest = same.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
      else { return }
      entries[oldest] = nil
      if case .samples(let opcodes) = oldest { forgetSamples(opcodes) }
    }

    /// Drops all results that retain the samples of `opcodes`.
    mutating func forgetSamples(_ opcodes: OpcodeSelection) {
      entries = entries.filter { $0.key.samples != opcodes }
    }
  }

  /// Distinguishes an optional result that is nil from a missing one.
  private struct Box<Value: Sendable>: Sendable { let value: Value }

  private let state = Mutex(State())

  /// The cached result, else that of `find`, which is then cached.
  func value<Value: Sendable>(
    _ analysis: Analysis, find: () throws(RAWError) -> Value
  ) throws(RAWError) -> Value {
    if let known: Value = known(analysis) { return known }
    let found = try analysis.kind.stage.measure { () throws(RAWError) in try find() }
    return keep(found, analysis)
  }

  /// The cached result for `analysis`; nil if missing.
  func known<Value: Sendable>(_ analysis: Analysis) -> Value? {
    let found = state.withLock { state -> (any Sendable)? in
      state.uses += 1
      state.entries[analysis]?.lastUse = state.uses
      return state.entries[analysis]?.result
    }
    return (found as? Box<Value>)?.value
  }

  /// The most recently used result whose analysis satisfies `isWanted`; nil if missing.
  func known<Value: Sendable>(where isWanted: (Analysis) -> Bool) -> Value? {
    let found = state.withLock { state in
      state.entries.filter { isWanted($0.key) }.max { $0.value.lastUse < $1.value.lastUse }?.value
        .result
    }
    return (found as? Box<Value>)?.value
  }

  /// The most recently used analysis that satisfies `isWanted`; nil if missing.
  func latest(where isWanted: (Analysis) -> Bool) -> Analysis? {
    state.withLock { state in
      state.entries.filter { isWanted($0.key) }.max { $0.value.lastUse < $1.value.lastUse }?.key
    }
  }

  private func keep<Value: Sendable>(_ value: Value, _ analysis: Analysis) -> Value {
    let found = state.withLock { state -> any Sendable in
      if let other = state.entries[analysis]?.result { return other }
      let result = Box(value: value)
      state.uses += 1
      state.entries[analysis] = Entry(result: result, lastUse: state.uses)
      state.found[analysis.kind, default: 0] += 1
      state.trim(analysis.kind)
      return result
    }
    return (found as? Box<Value>)?.value ?? value
  }

  /// Caches `value` for `analysis`, unless there is a result already.
  func keep<Value: Sendable>(_ value: Value, under analysis: Analysis) { _ = keep(value, analysis) }

  /// Drops the samples of `opcodes` and all results that retain them.
  func forgetSamples(_ opcodes: OpcodeSelection) {
    state.withLock { $0.forgetSamples(opcodes) }
  }

  /// Number of cached results.
  var count: Int { state.withLock { $0.entries.count } }

  /// How many results of `kind` have been computed so far.
  func found(_ kind: Analysis.Kind) -> Int { state.withLock { $0.found[kind, default: 0] } }
}

import HDRRender
import ImageCore
import RawDecode
import RawSensor
import Synchronization

/// A scene as it was recorded, by all that it depends on beside the file.
struct RecordedScene: Sendable, Hashable {
  var settings: RAWSettings
  var colorMatrix: [Double]?
  var lensDatabase: String?
  /// The white of highlights that are reused; nil for that in use.
  var highlightsWhite: SIMD4<Float>?
  var profileTables: ProfileTables
  /// Whether its channels are those of the camera.
  var isCameraRGB: Bool
  /// Its largest channel.
  var peak: Float
}

/// What the camera's picture depends on, behind noise reduction, lens and defringe.
struct CameraPicture: Sendable, Hashable {
  var sensor: SensorPlan
  var noise: NoiseStage
  var lens: LensSelection
  var defringe: Float

  /// Without the white in use, on which nothing depends but saturated photosites and what is around
  /// them.
  var underAnyWhite: CameraPicture {
    var picture = self
    picture.sensor = sensor.underAnyWhite
    return picture
  }
}

/// Everything that is remembered of a file. A case names what was found and holds all that it
/// depends on beside the file itself: equal cases have equal results, to the bit.
enum Analysis: Sendable, Hashable {
  /// The stored samples behind opcode lists 1 and 2.
  case samples(OpcodeSelection)
  /// The sensor stages with what they know of the whole picture, at full resolution.
  case sensor(SensorPlan)
  /// The demosaiced picture behind noise reduction, lens and defringe.
  case image(CameraPicture)
  /// The same, cropped and reduced.
  case reduced(CameraPicture, Framing)
  /// The scene behind sharpening, detail, local contrast and local tone.
  case detailed(DevelopPlan.SceneOrigin)
  /// The noise of the balanced samples.
  case noise(OpcodeSelection, balance: SIMD4<Float>)
  /// The noise of what the sensor stages make of them.
  case noiseSpectrum(SensorPlan, NoiseModel)
  /// How far red and blue of the picture lie from green.
  case lateralColor(SensorPlan)
  /// The blur of the capture.
  case blur(OpcodeSelection, balance: SIMD4<Float>)
  /// The range of values in blocks of what the sensor stages and the lens make.
  case extrema(SensorPlan, lens: LensSelection)
  /// The largest channel that a matrix makes.
  case peak(SensorPlan, lens: LensSelection, Matrix3)
  /// The largest channel behind a profile's tables.
  case profilePeak(ProfilePeak)
  /// The illuminant estimated from the colors of the picture.
  case automaticWhite(OpcodeSelection, CameraProfile, SensorSettings.Defects)
  /// That under which the standard rendering by these settings has the preview's colors.
  case previewWhite(CameraProfile, RAWSettings, profileTables: ProfileTables)
  /// The stops that make the default rendering as bright as the preview.
  case baselineExposure(ToneLook, Chromaticity, SensorSettings.Defects)
  /// The picture by the camera or another program whose lightness is matched.
  case matchedPreview
  /// Where a scene has its darks, its middle and its lights.
  case sceneTones(RecordedScene)
  /// The luminance of a small picture of a scene, and what is made of it: the change that
  /// strengthens its local contrast, its haze, its local tone map.
  case sceneLuminance(RecordedScene)
  case localContrast(RecordedScene)
  case haze(RecordedScene)
  case localTone(RecordedScene)
  /// A camera profile of a file of its own.
  case cameraProfile(path: String)
  /// The mapping from the standard rendering by these settings to the preview.
  case cameraLook(RAWSettings, colorMatrix: [Double]?, profileTables: ProfileTables)
  /// What is to be doubted of the preview, likewise.
  case previewDoubt(RAWSettings, colorMatrix: [Double]?, profileTables: ProfileTables)
  /// A look of a series, by its text.
  case seriesLook(String)
  /// A look of a file of its own.
  case lut(path: String)
  /// What the lens database at a path, nil for the system's, has for this file.
  case lensProfile(database: String?)

  /// The cases without what they hold.
  enum Kind: CaseIterable, Hashable {
    case samples, sensor, image, reduced, detailed, noise, noiseSpectrum, lateralColor, blur,
      extrema, peak, profilePeak
    case automaticWhite, previewWhite, baselineExposure, matchedPreview, sceneTones,
      sceneLuminance, localContrast, haze, localTone
    case cameraProfile, cameraLook, previewDoubt, seriesLook, lut, lensProfile

    /// What the time counts as in which a result is found.
    var stage: MeasuredStage {
      switch self {
      case .samples: .decode
      case .image, .reduced, .detailed: .keptPicture
      default: .analysis
      }
    }

    /// Results that are kept at most: one of those that fill memory; of the sensor stages those of
    /// both profiles of a pair, for the picture and for measuring; of small ones enough for every
    /// output of a recipe.
    var limit: Int {
      switch self {
      case .samples, .image, .baselineExposure: 1
      case .sceneLuminance, .localContrast, .haze, .localTone: 1
      case .lut, .cameraLook, .seriesLook, .detailed: 2
      case .sensor, .reduced, .extrema: 4
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
    case .peak: .peak
    case .profilePeak: .profilePeak
    case .automaticWhite: .automaticWhite
    case .previewWhite: .previewWhite
    case .baselineExposure: .baselineExposure
    case .sceneTones: .sceneTones
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

  /// The samples that the result holds in memory as long as it is kept.
  fileprivate var samples: OpcodeSelection? {
    switch self {
    case .samples(let opcodes): opcodes
    case .sensor(let plan), .extrema(let plan, _): plan.opcodes
    default: nil
    }
  }
}

/// What has been found out about one file: each result under the ``Analysis`` that names it. Of
/// each kind the least recently used goes first when there are more than its limit, so a property
/// that moves all day fills no memory. Failures are not kept. May be used from any thread; two that
/// miss the same result both find it, and both get that of the first.
final class AnalysisCache: Sendable {
  private struct Entry {
    var result: any Sendable
    var lastUse: Int
  }

  private struct State {
    var entries: [Analysis: Entry] = [:]
    var uses = 0
    var found: [Analysis.Kind: Int] = [:]

    /// Drops what is too much of `kind`, and with samples all that holds them.
    mutating func trim(_ kind: Analysis.Kind) {
      let same = entries.filter { $0.key.kind == kind }
      guard same.count > kind.limit,
        let oldest = same.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
      else { return }
      entries[oldest] = nil
      if case .samples(let opcodes) = oldest { forgetSamples(opcodes) }
    }

    /// Drops all that holds the samples of `opcodes`.
    mutating func forgetSamples(_ opcodes: OpcodeSelection) {
      entries = entries.filter { $0.key.samples != opcodes }
    }
  }

  /// Keeps results that are optional apart from none.
  private struct Box<Value: Sendable>: Sendable { let value: Value }

  private let state = Mutex(State())

  /// The result kept under `analysis`, else what `find` finds.
  func value<Value: Sendable>(
    _ analysis: Analysis, find: () throws(RAWError) -> Value
  ) throws(RAWError) -> Value {
    if let known: Value = known(analysis) { return known }
    let found = try analysis.kind.stage.measure { () throws(RAWError) in try find() }
    return keep(found, analysis)
  }

  /// The result kept under `analysis`; nil where there is none.
  func known<Value: Sendable>(_ analysis: Analysis) -> Value? {
    let kept = state.withLock { state -> (any Sendable)? in
      state.uses += 1
      state.entries[analysis]?.lastUse = state.uses
      return state.entries[analysis]?.result
    }
    return (kept as? Box<Value>)?.value
  }

  /// A result kept under an analysis of which `isWanted` holds; nil where there is none.
  func known<Value: Sendable>(where isWanted: (Analysis) -> Bool) -> Value? {
    let kept = state.withLock { state in
      state.entries.filter { isWanted($0.key) }.max { $0.value.lastUse < $1.value.lastUse }?.value
        .result
    }
    return (kept as? Box<Value>)?.value
  }

  /// The analysis of the latest use of which `isWanted` holds; nil where no result of one is kept.
  func latest(where isWanted: (Analysis) -> Bool) -> Analysis? {
    state.withLock { state in
      state.entries.filter { isWanted($0.key) }.max { $0.value.lastUse < $1.value.lastUse }?.key
    }
  }

  private func keep<Value: Sendable>(_ value: Value, _ analysis: Analysis) -> Value {
    let kept = state.withLock { state -> any Sendable in
      if let other = state.entries[analysis]?.result { return other }
      let result = Box(value: value)
      state.uses += 1
      state.entries[analysis] = Entry(result: result, lastUse: state.uses)
      state.found[analysis.kind, default: 0] += 1
      state.trim(analysis.kind)
      return result
    }
    return (kept as? Box<Value>)?.value ?? value
  }

  /// Keeps `value` under `analysis`, unless another is kept there.
  func keep<Value: Sendable>(_ value: Value, under analysis: Analysis) { _ = keep(value, analysis) }

  /// Drops the samples of `opcodes` and all that holds them.
  func forgetSamples(_ opcodes: OpcodeSelection) {
    state.withLock { $0.forgetSamples(opcodes) }
  }

  /// Results that are kept now.
  var count: Int { state.withLock { $0.entries.count } }

  /// How many results of `kind` have been found so far.
  func found(_ kind: Analysis.Kind) -> Int { state.withLock { $0.found[kind, default: 0] } }
}

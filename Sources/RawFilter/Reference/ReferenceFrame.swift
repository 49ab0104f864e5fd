import Charts
import Foundation
import ImageCore
import RawDecode
import Synchronization

/// Measurements of another raw that gives white or exposure, cached per process until the file
/// changes.
struct ReferenceFrame: Sendable {
  /// The name of its camera.
  let camera: String
  /// Camera values of a neutral under its illuminant, at any scale; nil for raws without colors.
  let neutral: SIMD3<Double>?
  /// The chromaticity of its illuminant by its own camera's matrix.
  let white: Chromaticity
  /// Shutter, aperture and speed.
  let exposure: ExposureMetadata
  /// The exposure in stops: of its rendering, or the one that sets its patch to the level of its
  /// reflectance.
  let stops: Float

  /// The cache key.
  private struct Key: Hashable {
    var path: String
    var bytes: Int?
    var changed: Date?
    var patch: ReferencePatch?
    var measuresExposure: Bool
    var settings: RAWSettings
    var colorMatrix: [Double]?
  }

  private static let known = Mutex<[Key: ReferenceFrame]>([:])
  private static let maxFrames = 64

  /// The white of the raw at `path`: of its patch, or as shot.
  static func white(
    _ path: String, _ patch: ReferencePatch?, for filter: RAWFilter
  ) throws(RAWError) -> ReferenceFrame {
    try frame(path, patch, measuresExposure: false, for: filter)
  }

  /// The exposure of the raw at `path`: of its patch, or of the whole frame.
  static func exposure(
    _ path: String, _ patch: ReferencePatch?, for filter: RAWFilter
  ) throws(RAWError) -> ReferenceFrame {
    try frame(path, patch, measuresExposure: true, for: filter)
  }

  private static func frame(
    _ path: String, _ patch: ReferencePatch?, measuresExposure: Bool, for filter: RAWFilter
  ) throws(RAWError) -> ReferenceFrame {
    // The settings that affect the measurement, from the picture's.
    var settings = RAWSettings()
    settings.decoderVersion = filter.settings.decoderVersion
    settings.profilePath = filter.settings.profilePath
    settings.profileName = filter.settings.profileName
    settings.baselineExposure = filter.settings.baselineExposure
    settings.undoesUnderexposure = filter.settings.undoesUnderexposure
    settings.boostAmount = filter.settings.boostAmount > 0 ? 1 : 0
    settings.isLensCorrectionEnabled = filter.settings.isLensCorrectionEnabled
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let key = Key(
      path: path, bytes: attributes?[.size] as? Int,
      changed: attributes?[.modificationDate] as? Date,
      patch: patch, measuresExposure: measuresExposure, settings: settings,
      colorMatrix: filter.colorMatrix)
    return try known.withLock { (known) throws(RAWError) in
      if let frame = known[key] { return frame }
      if known.count >= maxFrames { known = [:] }
      let frame = try named(key, for: filter)
      known[key] = frame
      return frame
    }
  }

  private static func named(
    _ key: Key, for filter: RAWFilter
  ) throws(RAWError) -> ReferenceFrame {
    do { return try ReferenceFrame(key, like: filter) } catch {
      // The error is in this file, not in the picture that names it.
      throw error.naming(key.path)
    }
  }

  private init(_ key: Key, like other: RAWFilter) throws(RAWError) {
    var filter = try RAWFilter(
      url: URL(fileURLWithPath: key.path), limits: other.file.limits)
    filter.settings = key.settings
    if let name = filter.settings.profileName, filter.profile(named: name) == nil {
      filter.settings.profileName = nil
    }
    filter.colorMatrix = key.colorMatrix
    filter.lensDatabasePath = other.lensDatabasePath
    filter.workers = other.workers
    camera = filter.cameraName
    exposure = ExposureMetadata(filter.properties)
    let profile = filter.profile
    guard let patch = key.patch else {
      white = try filter.resolvedWhite()
      neutral = profile.map { [white] in $0.neutral(for: white) }
      stops = key.measuresExposure ? try filter.resolvedBaselineExposure() : 0
      return
    }
    let samples = try CameraSamples(filter)
    let (patchColor, reflectance): (SIMD3<Double>, Double)
    switch patch {
    case .area(let area):
      do { patchColor = try samples.mean(area) } catch {
        throw RAWError(.badSetting, .settings, "the patch \(area) " + error.text)
      }
      reflectance = Self.gray
      neutral = patchColor
    case .chart:
      let chart = try filter.chart(in: samples, instead: "a gray part as x,y,width,height")
      guard let fit = CameraMatrixFit(CameraMatrixFit.patches(chart.camera, .after2014)) else {
        throw RAWError(
          .badSetting, .color,
          "the colors of this ColorChecker cannot be those of a camera; "
            + "check that it is one, and evenly lit")
      }
      patchColor = chart.asLit[ColorChecker.neutral5]
      reflectance = ColorChecker.after2014.xyz[ColorChecker.neutral5].y
      neutral = fit.neutral
    }
    guard let profile, let neutral else {
      white = .d65
      stops = Float(log2(reflectance / max(patchColor.y, .leastNormalMagnitude)))
      return
    }
    white = profile.white(forNeutral: neutral)
    let scene = profile.cameraToBT2020(white: white) * patchColor
    let level = (scene * Primaries.bt2020.luminance).sum()
    stops = Float(log2(reflectance / max(level, .leastNormalMagnitude)))
  }

  /// Reflectance of a gray card.
  private static let gray = 0.18
}

/// Exposure metadata of a camera.
struct ExposureMetadata: Sendable, Hashable {
  let seconds: Double?
  let fNumber: Double?
  let speed: Double?

  init(_ metadata: CaptureMetadata) {
    func positive(_ value: Double?) -> Double? { value.flatMap { $0 > 0 ? $0 : nil } }
    seconds = positive(metadata.exposureTime)
    fNumber = positive(metadata.fNumber)
    speed = positive(metadata.isoSpeed.map(Double.init))
  }

  /// The stops by which this frame is brighter than `other`, of the same scene. A value that is
  /// missing in both, as with a lens without contacts, is assumed to be equal; `missing` names a
  /// value that only one of them has, nil if they can be compared.
  func stops(above other: ExposureMetadata) -> (stops: Double, missing: String?) {
    var stops = 0.0
    var missing: String?
    func add(_ mine: Double?, _ theirs: Double?, _ factor: Double, _ name: String) {
      switch (mine, theirs) {
      case (let mine?, let theirs?): stops += factor * log2(mine / theirs)
      case (nil, nil): break
      default: missing = missing ?? name
      }
    }
    add(seconds, other.seconds, 1, "shutter time")
    add(fNumber, other.fNumber, -2, "aperture")
    add(speed, other.speed, 1, "ISO speed")
    return (stops, missing)
  }

  /// Whether all values are missing.
  var isEmpty: Bool { seconds == nil && fNumber == nil && speed == nil }
}

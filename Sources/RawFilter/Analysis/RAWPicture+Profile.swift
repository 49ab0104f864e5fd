import ImageCore
import Synchronization

/// Camera profiles from files of their own, and what is measured behind the tables of a profile.
extension RAWPicture {
  /// Where the profile in use stands.
  enum ProfilePlace: Hashable {
    /// The file's, by its index.
    case stored(Int)
    /// In a file of its own.
    case file(path: String)
  }

  /// All that the brightest value depends on where a profile has tables.
  struct ScenePeakKey: Hashable {
    var profile: ProfilePlace
    var white: Chromaticity
    var opcodes: OpcodeSelection
    var highlights: SensorSettings.Highlights
    var baselineExposure: Float
    var exposure: Float
    var shadowBias: Float
    var localToneMapAmount: Float
    var opening: HighlightOpening
    var tables: ProfileTables
  }

  /// What `measure` found for `key`, measured once.
  func scenePeak(
    _ key: ScenePeakKey, measure: () throws(RAWError) -> Float
  ) throws(RAWError) -> Float {
    if let known = state.withLock({ $0.scenePeaks[key] }) { return known }
    let peak = try measure()
    state.withLock { $0.scenePeaks[key] = peak }
    return peak
  }

  /// The camera profile in the file at `path`, read once.
  func cameraProfile(at path: String) throws(RAWError) -> CameraProfileFile {
    if let known = state.withLock({ $0.cameraProfiles[path] }) { return known }
    let read = try CameraProfileFile(path: path, for: file)
    state.withLock { $0.cameraProfiles[path] = read }
    return read
  }
}

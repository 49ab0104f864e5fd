import ImageCore
public import RawDecode
import RawSensor

/// The profile of a lens database that corrects a file without corrections of its own.
public struct LensProfileInfo: Sendable, Hashable, Codable {
  /// The camera as the database names it.
  public var camera: String
  /// The lens as the database names it.
  public var lens: String
  /// What it corrects: `distortion`, `lateral color`, `vignetting`.
  public var corrections: [String]
  /// Version and date of the database.
  public var database: String
}

extension RAWFilter {
  /// Whether a lens profile may be used: the file has no corrections of its lens, and its pixels
  /// are as the sensor saw them. Pictures without a mosaic may have been corrected by whoever made
  /// them.
  private var wantsLensProfile: Bool {
    let info = picture.file.info
    return !info.opcodes.mentionLens && info.layout != .linear
  }

  /// Whether the lens can be corrected: by the file's own opcodes, or by a profile of the lens
  /// database.
  public var isLensCorrectionSupported: Bool {
    picture.file.info.opcodes.correctsLens || lensProfile != nil
  }

  /// Which profile of the lens database corrects this file; nil where it brings corrections of its
  /// own, or the database does not know its lens for sure.
  public var lensProfileInfo: LensProfileInfo? {
    guard let profile = lensProfile, let database = try? LensDatabase.shared(lensDatabasePath)
    else {
      return nil
    }
    let c = profile.calibration
    return LensProfileInfo(
      camera: profile.camera, lens: profile.lens,
      corrections: (c.distortion != nil ? ["distortion"] : [])
        + (c.lateralColor != nil ? ["lateral color"] : [])
        + (c.vignetting != nil ? ["vignetting"] : []),
      database: database.version)
  }

  /// Name of the lens in the database whose profile corrects this file; nil for none.
  public var lensProfileName: String? { lensProfile?.lens }

  /// Version and date of the lens database; nil when the system has none. Reads it, and fails when
  /// that at ``lensDatabasePath`` cannot be read.
  public func lensDatabaseVersion() throws(RAWError) -> String? {
    do { return try LensDatabase.shared(lensDatabasePath)?.version } catch {
      if lensDatabasePath != nil { throw error }
      return nil
    }
  }

  /// Whether lateral color is looked for: on mosaics of several colors that neither the file nor
  /// the profile in use corrects.
  public var isLateralColorCorrectionSupported: Bool {
    let info = picture.file.info
    guard case .mosaic = info.layout, !info.opcodes.mentionLens else { return false }
    return lensSelection.profile?.calibration.lateralColor == nil
  }

  /// How far red and blue lie from green, where that is looked for.
  func lateralColorFit(_ plan: SensorPlan) throws(RAWError) -> LateralColorFit? {
    guard settings.isLateralColorCorrectionEnabled, !settings.isDraftModeEnabled,
      isLateralColorCorrectionSupported
    else { return nil }
    return try picture.lateralColor(plan, workers: workers)
  }

  var lensProfile: LensProfile? { try? foundLensProfile() }

  /// Fails when ``lensDatabasePath`` names a database that cannot be read. One of the system that
  /// is missing or damaged is none.
  func requireLensDatabase() throws(RAWError) {
    guard lensDatabasePath != nil, settings.isLensCorrectionEnabled, wantsLensProfile else {
      return
    }
    _ = try foundLensProfile()
  }

  private func foundLensProfile() throws(RAWError) -> LensProfile? {
    guard wantsLensProfile else { return nil }
    return try picture.lensProfile(lensDatabasePath)
  }
}

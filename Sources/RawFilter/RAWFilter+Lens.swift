import ImageCore
public import RawDecode
import RawSensor

/// The profile from a lens database, for files without corrections of their own.
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
  /// Whether a lens profile may be used: the file has no lens corrections, and stores uncorrected
  /// pixels. Pictures without a mosaic may have been corrected already.
  private var wantsLensProfile: Bool {
    let info = picture.file.info
    return !info.opcodes.mentionLens && info.layout != .linear
  }

  /// Whether the lens can be corrected: by the file's own opcodes, or by a profile of the lens
  /// database.
  public var isLensCorrectionSupported: Bool {
    picture.file.info.opcodes.correctsLens || lensProfile != nil
  }

  /// The profile of the lens database that corrects this file; nil if the file has corrections of
  /// its own, or the lens is not identified with certainty.
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

  /// Version and date of the lens database; nil if the system has none. Reads it, and throws if the
  /// one at ``lensDatabasePath`` cannot be read.
  public func lensDatabaseVersion() throws(RAWError) -> String? {
    do { return try LensDatabase.shared(lensDatabasePath)?.version } catch {
      if lensDatabasePath != nil { throw error }
      return nil
    }
  }

  /// Whether lateral color is measured: on color mosaics that neither the file nor the active lens
  /// profile corrects.
  public var isLateralColorCorrectionSupported: Bool {
    let info = picture.file.info
    guard case .mosaic = info.layout, !info.opcodes.mentionLens else { return false }
    return lensSelection.profile?.calibration.lateralColor == nil
  }

  /// The lateral shift of red and blue from green, if it is measured.
  func lateralColorFit(_ plan: SensorPlan) throws(RAWError) -> LateralColorFit? {
    guard settings.isLateralColorCorrectionEnabled, !settings.isDraftModeEnabled,
      isLateralColorCorrectionSupported
    else { return nil }
    if let clip { return clip.lateral }
    return try picture.lateralColor(plan, workers: workers)
  }

  var lensProfile: LensProfile? { try? foundLensProfile() }

  /// Throws if the database at ``lensDatabasePath`` cannot be read. A missing or damaged system
  /// database is ignored.
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

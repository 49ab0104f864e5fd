import ImageCore
import RawDecode

/// White and exposure of another raw, for sets of pictures in one light: manuscripts, turntables,
/// paintings.
///
/// The white is that of the light: of one camera the camera's own values of a neutral, which its
/// matrix turns into a chromaticity, of another camera the chromaticity by its own matrix. The
/// exposure of a patch gives it the scene-linear level of what it reflects; without a patch, the
/// picture gets what the other one is rendered with. Both are corrected by the difference of
/// shutter, aperture and ISO speed between the frames, so that the same light has the same level,
/// and ``exposure`` adds to it. Known failure: lamps that flicker or age between the frames.
extension RAWFilter {
  /// The path of a raw that the white is taken from, as shot there, or from ``whitePatch``; nil for
  /// none. Setting it, or nil, replaces every other way to give the white.
  public var whiteFrom: String? {
    get { settings.whiteFrom }
    set { settings.neutral = newValue.map { .reference($0, whitePatch) } ?? .asShot }
  }

  /// The neutral patch of the raw at ``whiteFrom``; nil for its white as shot.
  public var whitePatch: ReferencePatch? {
    get { settings.whitePatch }
    set { if let whiteFrom { settings.neutral = .reference(whiteFrom, newValue) } }
  }

  /// The path of a raw whose exposure this picture gets; nil, the default, for none.
  public var exposureFrom: String? {
    get { settings.exposureFrom }
    set { settings.exposureFrom = newValue }
  }

  /// The patch of the raw at ``exposureFrom`` that gets the level of what it reflects: 18 % of
  /// white, or that of the ColorChecker's neutral 5; nil for the rendering of the whole frame.
  public var exposurePatch: ReferencePatch? {
    get { settings.exposurePatch }
    set { settings.exposurePatch = newValue }
  }

  /// This filter with the white and the exposure of other raws as numbers.
  func withoutReferences() throws(RAWError) -> RAWFilter {
    var filter = self
    if case .reference = settings.neutral {
      filter.settings.neutral = profile == nil ? .asShot : .chromaticity(try resolvedWhite())
    }
    if let path = settings.exposureFrom {
      let exposure = settings.exposure + (try referenceStops())
      // Exif may say any shutter time, and what lies so far off is black or white.
      let range = Adjustment.exposureRange
      guard range.contains(exposure) else {
        throw RAWError(
          .badSetting, .settings,
          "with it the exposure is \(exposure) stops, and takes \(range); see what this raw and "
            + "the picture say of shutter, aperture and ISO speed, or name another",
          path: path, setting: "exposureFrom")
      }
      filter.settings.exposure = exposure
      (filter.settings.exposureFrom, filter.settings.exposurePatch) = (nil, nil)
    }
    return filter
  }

  /// The white of the raw at `path`.
  func referenceWhite(
    _ path: String, _ patch: ReferencePatch?, _ profile: CameraProfile
  ) throws(RAWError) -> Chromaticity {
    let frame = try ReferenceFrame.white(path, patch, for: self)
    guard let neutral = frame.neutral else {
      throw RAWError(
        .badSetting, .settings, "this raw has no colors, so no white; name another one", path: path,
        setting: "whiteFrom")
    }
    return frame.camera == cameraName ? profile.white(forNeutral: neutral) : frame.white
  }

  /// The stops that the picture gets by the raw at ``exposureFrom``.
  private func referenceStops() throws(RAWError) -> Float {
    guard let path = settings.exposureFrom else { return 0 }
    let frame = try ReferenceFrame.exposure(path, settings.exposurePatch, for: self)
    let own = ExposureMetadata(properties)
    let (difference, missing) = frame.exposure.stops(above: own)
    if let missing {
      throw RAWError(
        .badSetting, .settings,
        "only one of this raw and the picture says its \(missing), so that their exposures cannot "
          + "be compared; name another raw as exposureFrom", path: path, setting: "exposureFrom")
    }
    if own.isEmpty, settings.exposurePatch == nil {
      throw RAWError(
        .badSetting, .settings,
        "neither this raw nor the picture says shutter, aperture or ISO speed; give exposurePatch",
        path: path, setting: "exposureFrom")
    }
    return frame.stops - (try resolvedBaselineExposure()) + Float(difference)
  }
}

extension RAWSettings {
  /// Throws where a patch is given without the raw that it is in.
  func requireReferences() throws(RAWError) {
    for (patch, file, isLacking) in [
      ("whitePatch", "whiteFrom", whitePatch != nil && whiteFrom == nil),
      ("exposurePatch", "exposureFrom", exposurePatch != nil && exposureFrom == nil),
    ] where isLacking {
      throw RAWError(
        .badSetting, .settings, "\(patch) needs \(file), the raw that it is a part of",
        setting: patch)
    }
  }

  /// The paths of the files that a development by these settings reads beside the raw.
  package var inputPaths: [String] {
    [profilePath, look.lutPath, series, whiteFrom, exposureFrom].compactMap { $0 }
  }
}

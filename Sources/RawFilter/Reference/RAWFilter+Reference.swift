import ImageCore
import RawDecode

/// White and exposure from another raw, for sets of pictures under one illumination: manuscripts,
/// turntables, paintings.
///
/// The white is the illuminant: for the same camera, camera values of a neutral, converted to a
/// chromaticity by this picture's matrix; for another camera, the chromaticity by its own matrix.
/// The exposure of a patch sets it to the scene-linear level of its reflectance; without a patch,
/// the picture gets the exposure of the other raw's rendering. Both are corrected for the
/// difference of shutter, aperture and ISO speed between the frames, so that the same scene
/// luminance has the same level; ``exposure`` adds to it. Known failure: lamps that flicker or age
/// between the frames.
extension RAWFilter {
  /// The path of a raw that the white is taken from, as shot or from ``whitePatch``; nil for none.
  /// Setting it, or nil, replaces other white settings.
  public var whiteFrom: String? {
    get { settings.whiteFrom }
    set { settings.neutral = newValue.map { .reference($0, whitePatch) } ?? .asShot }
  }

  /// The neutral patch of the raw at ``whiteFrom``; nil for its white as shot.
  public var whitePatch: ReferencePatch? {
    get { settings.whitePatch }
    set { if let whiteFrom { settings.neutral = .reference(whiteFrom, newValue) } }
  }

  /// The path of a raw that the exposure is taken from; nil, the default, for none.
  public var exposureFrom: String? {
    get { settings.exposureFrom }
    set { settings.exposureFrom = newValue }
  }

  /// The patch of the raw at ``exposureFrom`` that gets the level of its reflectance: 18 % of
  /// white, or of the ColorChecker's neutral 5; nil for the exposure of its rendering.
  public var exposurePatch: ReferencePatch? {
    get { settings.exposurePatch }
    set { settings.exposurePatch = newValue }
  }

  /// This filter with references resolved to a chromaticity and an exposure.
  func withoutReferences() throws(RAWError) -> RAWFilter {
    var filter = self
    if case .reference = settings.neutral {
      filter.settings.neutral = profile == nil ? .asShot : .chromaticity(try resolvedWhite())
    }
    if let path = settings.exposureFrom {
      let exposure = settings.exposure + (try referenceStops())
      // Exif may hold any shutter time; beyond the range the picture is black or white.
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

  /// The exposure in stops from the raw at ``exposureFrom``.
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
  /// Throws if a patch is given without its raw.
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

  /// The paths of the files that a development by these settings reads besides the raw.
  package var inputPaths: [String] {
    [profilePath, look.lutPath, series, whiteFrom, exposureFrom].compactMap { $0 }
  }
}

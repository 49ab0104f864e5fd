import Containers
import ImageCore

/// A standalone camera profile file (.dcp; DNG 1.7.1 chapter 6, "Camera Profiles"): a TIFF of
/// either byte order with magic 0x4352 and one directory with the profile's tags and the name of
/// its camera. It is read for one raw, whose CameraCalibration (if the signatures agree),
/// AnalogBalance and as-shot white apply as for an embedded profile.
package struct CameraProfileFile: Sendable {
  package let profile: DNGProfile
  /// Warnings to show.
  package let warnings: [String]

  /// Reads the profile at `path` for `raw`. Throws if it cannot be read, is not a profile, is
  /// truncated, has no colors, or has another number of colors than the raw.
  package init(path: String, for raw: RawFile) throws(RAWError) {
    let tiff = try Self.directories(at: path, raw.limits)
    let tag = { (number: UInt16) in tiff.first[number] }
    // Tags shared by all profiles of a DNG. DefaultBlackRender belongs to the embedded profile.
    let directories =
      raw.tags == nil ? [] : [raw.tiff?.first, raw.tiff.flatMap(DNGTags.rawDirectory)]
    let source = DNGProfile.Source(
      profile: tag,
      shared: { number in
        number == DNGTag.defaultBlackRender
          ? nil : directories.lazy.compactMap { $0?[number] }.first
      },
      fallbackName: "Camera profile", gainTableMap: raw.info.profiles.first?.gainTableMap,
      capture: raw.tags == nil ? raw.info.capture : nil)
    profile = try RAWError.translating(path: path) { () throws(TagFault) in
      try DNGProfile(source)
    }
    let channels = raw.info.layout.channelCount
    guard let camera = profile.camera else {
      throw RAWError(
        .damaged, .open,
        "this camera profile holds no usable ColorMatrix1; choose another one", path: path)
    }
    guard (camera.fourColorReduction.isEmpty ? 3 : 4) == channels else {
      throw RAWError(
        .unsupported, .open,
        "this camera profile does not have the \(channels) colors of the raw; choose one for "
          + "\(raw.info.cameraName)",
        path: path)
    }
    var warnings = DNGProfile.unappliedMasks([profile])
    if let model = tag(DNGTag.uniqueCameraModel)?.name,
      !CameraName(model).isAny(of: raw.cameraNames)
    {
      warnings.append(
        "the camera profile is made for \(model), the picture is from \(raw.info.cameraName); "
          + "colors may be wrong"
      )
    }
    self.warnings = warnings
  }

  private static func directories(
    at path: String, _ limits: DecodeLimits
  ) throws(RAWError) -> TIFFFile {
    let file: FileBytes
    do {
      file = try FileBytes(path: path, limits: limits.limitingFiles(to: FormatLimits.blockBytes))
    } catch {
      let reason =
        switch error.code {
        case .empty: "the camera profile is empty; install it again"
        case .tooLarge: "this is too large for a camera profile; name a .dcp file as profilePath"
        default: "no camera profile can be read there; name a .dcp file as profilePath"
        }
      throw RAWError(FormatError(error.code, reason, path: path), .open)
    }
    let profile = try RAWError.translating(.open) { () throws(FormatError) in
      try TIFFFile(file, magics: TIFFFile.profileMagics)
    }
    guard let tiff = profile else {
      throw RAWError(
        .unsupported, .open, "this is not a camera profile; name a .dcp file as profilePath",
        path: path)
    }
    guard !tiff.pointsOutside else {
      throw RAWError(
        .damaged, .open, "the camera profile ends early; install it again", path: path)
    }
    return tiff
  }
}

/// A normalized camera name: letters, digits and plus signs.
struct CameraName {
  private let key: String

  init(_ name: String) {
    key = String(name.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "+" })
  }

  /// Whether one of `names` is equal, with or without the maker prefix. An empty name matches any
  /// camera.
  func isAny(of names: [String]) -> Bool {
    if key.isEmpty { return true }
    return names.contains { name in
      let other = CameraName(name).key
      let (short, long) = key.count < other.count ? (key, other) : (other, key)
      // The prefix is a maker only if it has no digits: EOS 5D is not part of EOS 15D.
      return !short.isEmpty && long.hasSuffix(short)
        && !long.dropLast(short.count).contains(where: \.isNumber)
    }
  }
}

extension RawFile {
  /// The names of the camera in the file.
  fileprivate var cameraNames: [String] {
    let parts = [metadata.make, metadata.model].compactMap { $0 }
    return [info.cameraName, parts.joined(separator: " "), metadata.model ?? ""]
  }
}

extension SensorData.Layout {
  /// Colors per pixel, 3 or 4; 1 without colors.
  fileprivate var channelCount: Int {
    switch self {
    case .mosaic(let cfa): cfa.channelCount
    case .linear: 3
    case .monochrome: 1
    }
  }
}

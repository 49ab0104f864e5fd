import Formats
import HDRRender
import ImageCore

/// What the code values of a file mean: a color space, or the device of an ICC profile from a file,
/// which has a profile instead of primaries and a curve.
struct SampleSpace: Sendable, Hashable {
  /// The space that code values are in; with a ``profile``, the one that they are converted from.
  let colorSpace: ColorSpace
  /// The profile of the device, which files carry unchanged; nil for ``colorSpace`` itself.
  let profile: OutputProfile?
  private let conversion: ProfileSignal?

  /// A color space.
  init(_ colorSpace: ColorSpace) {
    (self.colorSpace, profile, conversion) = (colorSpace, nil, nil)
  }

  /// The device of `profile`, for pictures in ProPhoto RGB. Throws `WriteError`, `.badProfile`,
  /// where it is damaged or for no RGB samples.
  init(_ profile: OutputProfile) throws(WriteError) {
    conversion = try ProfileSignal(profile)
    (colorSpace, self.profile) = (ColorSpace(linear: .proPhoto), profile)
  }

  /// The device of the settings' profile, where they have one, else their space.
  init(_ settings: EncoderSettings) throws(WriteError) {
    guard let profile = settings.profile else {
      self.init(settings.space)
      return
    }
    try self.init(profile)
  }

  /// Equal where the color space and the profile are.
  static func == (a: SampleSpace, b: SampleSpace) -> Bool {
    a.colorSpace == b.colorSpace && a.profile == b.profile
  }
  /// Hashes color space and profile.
  func hash(into hasher: inout Hasher) {
    hasher.combine(colorSpace)
    hasher.combine(profile)
  }

  /// The primaries that a picture needs to be written in this space.
  var primaries: Primaries { colorSpace.primaries }
  /// The ICC profile of the file, of RGB or of gray.
  func iccProfile(
    isGray: Bool = false, adaptiveGainCurve: [UInt8]? = nil
  ) throws(WriteError) -> [UInt8] {
    if let profile { return profile.bytes }
    return try colorSpace.iccProfile(isGray: isGray, adaptiveGainCurve: adaptiveGainCurve)
  }
  /// From linear values to signal.
  var signal: any RowSignal { conversion ?? colorSpace.signal }
  /// From linear values to 16-bit code values.
  var rowEncoder: any RowEncoder {
    conversion.map { SignalEncoder(signal: $0) } ?? colorSpace.rowEncoder
  }
  /// ColourPrimaries and TransferCharacteristics of ITU-T H.273, 2 (unspecified) where they do not
  /// apply.
  var codePoints: (primaries: UInt16, transfer: UInt16) {
    profile == nil ? colorSpace.codePoints : (2, 2)
  }
  /// What Exif calls it.
  var exif: EXIF.ColorSpace {
    switch colorSpace {
    case .sRGB: .sRGB
    case .adobeRGB: .adobeRGB
    default: .uncalibrated
    }
  }
}

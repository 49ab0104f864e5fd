public import Formats
import HDRRender
public import ImageCore

/// What the code values of a file mean: a color space of this package, or the device of an ICC
/// profile from a file.
public struct SampleSpace: Sendable, Hashable {
  /// The space that code values are in; with a ``profile``, the one that they are converted from.
  public let colorSpace: ColorSpace
  /// The profile of the device, which files carry unchanged; nil for ``colorSpace`` itself.
  public let profile: OutputProfile?
  private let conversion: ProfileSignal?

  /// A color space.
  public init(_ colorSpace: ColorSpace) {
    (self.colorSpace, profile, conversion) = (colorSpace, nil, nil)
  }

  /// The device of `profile`, for pictures in ProPhoto RGB. Throws `WriteError`, `.badProfile`,
  /// where it is damaged or for no RGB samples.
  public init(_ profile: OutputProfile) throws(WriteError) {
    conversion = try ProfileSignal(profile)
    (colorSpace, self.profile) = (.linearProPhoto, profile)
  }

  /// Display P3.
  public static let displayP3 = SampleSpace(.displayP3)
  /// sRGB.
  public static let sRGB = SampleSpace(.sRGB)

  /// Equal where the color space and the profile are.
  public static func == (a: SampleSpace, b: SampleSpace) -> Bool {
    a.colorSpace == b.colorSpace && a.profile == b.profile
  }
  /// Hashes color space and profile.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(colorSpace)
    hasher.combine(profile)
  }

  /// The primaries that a picture needs to be written in this space.
  public var primaries: Primaries { colorSpace.primaries }
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
  /// ColourPrimaries and TransferCharacteristics of ITU-T H.273, 2 for what they cannot say.
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

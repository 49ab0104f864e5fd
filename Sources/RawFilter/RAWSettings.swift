public import ImageCore

/// The version of the rendering. A recipe that names one looks the same for ever.
public struct DecoderVersion: RawRepresentable, Sendable, Hashable, Codable {
  /// The version's name.
  public let rawValue: String
  /// The version named `rawValue`, which may be unknown here.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The first rendering.
  public static let version1 = DecoderVersion(rawValue: "1")
}

/// Which light is to look neutral.
public enum NeutralSetting: Sendable, Hashable, Codable {
  /// The white that the camera recorded.
  case asShot
  /// Correlated colour temperature, kelvin, 2000…50000, and tint, −150…150 (positive: magenta); a
  /// part that is nil stays as shot.
  case temperature(kelvin: Float?, tint: Float?)
  /// CIE xy chromaticity of the light.
  case chromaticity(Chromaticity)
  /// Whatever the picture shows at this native pixel, before orientation.
  case location(PixelPoint)
  /// The light that the colours of the picture speak for; as shot for files without colours.
  case automatic
}

/// Every adjustable property of ``RAWFilter`` as one value: what a recipe stores. `init()` is the
/// default look. When decoded, an absent key has its default.
public struct RAWSettings: Sendable, Hashable, Codable {
  /// Stops of light added, −20…20; +1 doubles.
  public var exposure: Float = 0
  /// Stops that belong to the file, −20…20; nil for the file's own value.
  public var baselineExposure: Float?
  /// Black offset taken off the shadows, −0.5…0.5 of reference white, which stays where it is.
  public var shadowBias: Float = 0
  /// Share of the global tone curve, 0 (linear) … 1.
  public var boostAmount: Float = 1
  /// Shadow part of the tone curve, 0 (dark) … 1 (neutral) … 2 (light); no effect at boost 0.
  public var boostShadowAmount: Float = 1
  /// Strength of the file's local tone map (ProfileGainTableMap), 0 off … 1 full; nil for the default of
  /// the file.
  public var localToneMapAmount: Float?
  /// Whether the file's own corrections of distortion, lateral colour and vignetting are applied.
  public var isLensCorrectionEnabled = true
  /// Which of the file's camera profiles is used, by name; nil for the file's own choice.
  public var profileName: String?
  /// The light that looks neutral.
  public var neutral: NeutralSetting = .asShot
  /// Whether clipped channels are rebuilt from the others; off clips them to neutral.
  public var isHighlightRecoveryEnabled = true
  /// Whether colours outside the output's gamut are brought inside; no effect at boost 0.
  public var isGamutMappingEnabled = true
  /// 0 standard dynamic range … 1 all the headroom that the file holds.
  public var extendedDynamicRangeAmount: Float = 0
  /// How the picture is turned; nil for the file's own orientation.
  public var orientation: Orientation?
  /// Output size as a share of the native size, above 0 and up to 1.
  public var scaleFactor: Float = 1
  /// Faster, without full demosaicing.
  public var isDraftModeEnabled = false
  /// The version of the rendering.
  public var decoderVersion: DecoderVersion = .version1

  /// The default look.
  public init() {}

  private enum CodingKeys: String, CodingKey {
    case exposure, baselineExposure, shadowBias, boostAmount, boostShadowAmount, neutral
    case localToneMapAmount, isLensCorrectionEnabled, profileName
    case isHighlightRecoveryEnabled, isGamutMappingEnabled, extendedDynamicRangeAmount
    case orientation, scaleFactor, isDraftModeEnabled, decoderVersion
  }

  /// Reads the settings; absent keys keep their default.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func read<T: Decodable>(_ key: CodingKeys, into target: inout T) throws {
      if let value = try values.decodeIfPresent(T.self, forKey: key) { target = value }
    }
    try read(.exposure, into: &exposure)
    baselineExposure = try values.decodeIfPresent(Float.self, forKey: .baselineExposure)
    try read(.shadowBias, into: &shadowBias)
    try read(.boostAmount, into: &boostAmount)
    try read(.boostShadowAmount, into: &boostShadowAmount)
    localToneMapAmount = try values.decodeIfPresent(Float.self, forKey: .localToneMapAmount)
    try read(.isLensCorrectionEnabled, into: &isLensCorrectionEnabled)
    profileName = try values.decodeIfPresent(String.self, forKey: .profileName)
    try read(.neutral, into: &neutral)
    try read(.isHighlightRecoveryEnabled, into: &isHighlightRecoveryEnabled)
    try read(.isGamutMappingEnabled, into: &isGamutMappingEnabled)
    try read(.extendedDynamicRangeAmount, into: &extendedDynamicRangeAmount)
    orientation = try values.decodeIfPresent(Orientation.self, forKey: .orientation)
    try read(.scaleFactor, into: &scaleFactor)
    try read(.isDraftModeEnabled, into: &isDraftModeEnabled)
    try read(.decoderVersion, into: &decoderVersion)
  }
}

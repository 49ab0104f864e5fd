public import ImageCore

/// The version of the rendering. A recipe that names one looks the same for ever.
public struct DecoderVersion: RawRepresentable, Sendable, Hashable, Codable {
  /// The version's name.
  public let rawValue: String
  /// The version named `rawValue`, which may be unknown here.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The first rendering: colour, tone and headroom; noise and blur as recorded unless asked otherwise.
  public static let version1 = DecoderVersion(rawValue: "1")
  /// Noise and the blur of the capture are taken out by default.
  public static let version2 = DecoderVersion(rawValue: "2")
  /// Every version known here, oldest first.
  public static let all = [version1, version2]
  /// What is used unless a version is named.
  public static let newest = version2
}

/// Which light is to look neutral.
public enum NeutralSetting: Sendable, Hashable {
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

/// How the colours that a sensor's filters leave out are found.
public enum DemosaicMethod: String, Sendable, Hashable, Codable, CaseIterable {
  /// `best` for Bayer, which costs little more, and for four colours, `fast` for others; version 1:
  /// `fast`.
  case automatic
  /// Ratio corrected for Bayer, one pass for X-Trans, bilinear for four colours.
  case fast
  /// With a second estimate of green for Bayer, three passes for X-Trans; four colours as Bayer.
  case best
  /// `best` where the picture exceeds its noise and smooth elsewhere, for Bayer: for pictures whose noise
  /// shall not be reduced any further.
  case dual
}

/// Every adjustable property of ``RAWFilter`` as one value: what a recipe stores. `init()` is the
/// default look.
public struct RAWSettings: Sendable, Hashable {
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
  /// Strength of local tone mapping, 0 off … 1 full: of the file's own map (ProfileGainTableMap) where
  /// it has one; nil for the default of the file.
  public var localToneMapAmount: Float?
  /// How the colours that a sensor's filters leave out are found.
  public var demosaicMethod = DemosaicMethod.automatic
  /// How much noise of brightness is taken out, 0…1; nil for what the picture's noise asks for.
  public var luminanceNoiseReductionAmount: Float?
  /// How much noise of colour is taken out, 0…1; nil for what the picture's noise asks for.
  public var colorNoiseReductionAmount: Float?
  /// How far single specks are flattened, 0…1.
  public var despeckleAmount: Float = 0
  /// How far false colour of fine patterns is taken out, 0…1.
  public var moireReductionAmount: Float = 0
  /// How much of the blur of the capture is taken back, 0…1; nil for the default of the version.
  public var sharpnessAmount: Float?
  /// How much fine detail is strengthened, 0…3.
  public var detailAmount: Float = 0
  /// How much local contrast is strengthened, 0…1.
  public var contrastAmount: Float = 0
  /// Whether distortion, lateral colour and vignetting are corrected.
  public var isLensCorrectionEnabled = true
  /// Which of the file's camera profiles is used, by name; nil for the file's own choice.
  public var profileName: String?
  /// The path of a camera profile (.dcp) that takes the place of those in the file; nil for none.
  public var profilePath: String?
  /// The light that looks neutral.
  public var neutral: NeutralSetting = .asShot
  /// Whether clipped channels are rebuilt from the others; off clips them to neutral.
  public var isHighlightRecoveryEnabled = true
  /// Whether colours outside the output's gamut are brought inside; no effect at boost 0.
  public var isGamutMappingEnabled = true
  /// 0 standard dynamic range … 1 all the headroom that the file holds; nil for what suits the output: 1
  /// where a recipe writes a file that holds light above reference white, else 0.
  public var extendedDynamicRangeAmount: Float?
  /// How the picture is turned; nil for the file's own orientation.
  public var orientation: Orientation?
  /// Output size as a share of the native size, above 0 and up to 1.
  public var scaleFactor: Float = 1
  /// Faster, without full demosaicing.
  public var isDraftModeEnabled = false
  /// The version of the rendering.
  public var decoderVersion: DecoderVersion = .newest

  /// The default look.
  public init() {}
}

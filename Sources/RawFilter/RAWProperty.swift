/// What there is to say of one adjustable property: said here, once. The help of the command, the
/// report of `rawdev info`, the schema of recipes and `Docs/properties.md` are made from this table.
public struct RAWProperty: Sendable, Hashable, Codable {
  /// What a value is.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// A number within `minimum`…`maximum`.
    case number
    /// On or off.
    case toggle
    /// A text.
    case name
    /// Two numbers.
    case pair
  }

  /// CIRAWFilter's name, which is the property's in Swift and in recipes.
  public let name: String
  /// What a value is.
  public let kind: Kind
  /// Smallest value; nil unless a number.
  public let minimum: Float?
  /// Largest value; nil unless a number.
  public let maximum: Float?
  /// The texts that it takes; empty for any.
  public let choices: [String]
  /// Unit of the number; empty for none.
  public let unit: String
  /// The value at which it does nothing.
  public let neutral: String
  /// The value unless set.
  public let standard: String
  /// What it does, in one sentence without its period.
  public let summary: String
  /// What else it depends on or changes; empty for nothing.
  public let interplay: String

  private init(
    _ name: String, _ kind: Kind, _ range: ClosedRange<Float>? = nil, choices: [String] = [],
    unit: String = "",
    neutral: String, standard: String, _ summary: String, interplay: String = ""
  ) {
    self.name = name
    self.kind = kind
    minimum = range?.lowerBound
    maximum = range?.upperBound
    self.choices = choices
    self.unit = unit
    self.neutral = neutral
    self.standard = standard
    self.summary = summary
    self.interplay = interplay
  }

  /// Its option on the command line, without the dashes.
  public var option: String {
    let isToggle = name.hasPrefix("is") && name.hasSuffix("Enabled")
    let stem = isToggle ? name.dropFirst(2).dropLast(7) : Substring(name)
    return stem.reduce(into: "") { text, letter in
      if letter.isUppercase {
        text += (text.isEmpty ? "" : "-") + letter.lowercased()
      } else {
        text.append(letter)
      }
    }
  }

  /// The values it takes, as text.
  public var range: String {
    guard let minimum, let maximum else { return choices.joined(separator: ", ") }
    func text(_ value: Float) -> String {
      value == value.rounded() ? String(Int(value)) : String(value)
    }
    return "\(text(minimum)) to \(text(maximum))" + (unit.isEmpty ? "" : " \(unit)")
  }

  /// One line for the command's help.
  public var help: String {
    summary + (range.isEmpty ? "" : ", \(range)") + ". (default: \(standard))"
  }
}

extension RAWProperty {
  private typealias Limits = RAWSettings.Limits

  /// The property called `name`.
  public static func named(_ name: String) -> RAWProperty? { all.first { $0.name == name } }

  /// Every adjustable property, in the order of the pipeline.
  public static let all: [RAWProperty] = [
    RAWProperty(
      "isDraftModeEnabled", .toggle, neutral: "off", standard: "off",
      "Faster, without full demosaicing",
      interplay: "Opcodes that a DNG marks as skippable for previews are left out."),
    RAWProperty(
      "isHighlightRecoveryEnabled", .toggle, neutral: "off", standard: "on",
      "Rebuild clipped channels from the others",
      interplay: "Off, they are clipped to neutral; at boostAmount 0 they stay as recorded."),
    RAWProperty(
      "demosaicMethod", .name, choices: DemosaicMethod.allCases.map(\.rawValue),
      neutral: "fast", standard: "automatic",
      "How colours that the sensor's filters leave out are found",
      interplay: """
        automatic is best for Bayer and four colours, fast for others; dual smooths what is no more \
        than noise of Bayer pictures and is for pictures whose noise is not reduced. No effect on \
        reduced and linear pictures.
        """),
    RAWProperty(
      "despeckleAmount", .number, Limits.despeckleAmount, neutral: "0", standard: "0",
      "Flatten single bright or dark specks",
      interplay: "Counts what noise does not explain; stars are specks too."),
    RAWProperty(
      "luminanceNoiseReductionAmount", .number, Limits.luminanceNoiseReductionAmount, neutral: "0",
      standard: "what the picture's noise asks for; version 1: 0",
      "Take out noise of brightness",
      interplay: "Noise is known from a DNG's NoiseProfile, else measured."),
    RAWProperty(
      "colorNoiseReductionAmount", .number, Limits.colorNoiseReductionAmount, neutral: "0",
      standard: "what the picture's noise asks for; version 1: 0", "Take out noise of colour",
      interplay: "No effect on pictures without colour."),
    RAWProperty(
      "moireReductionAmount", .number, Limits.moireReductionAmount, neutral: "0", standard: "0",
      "Take false colour out of fine patterns",
      interplay: "Takes real colour of very fine patterns too."),
    RAWProperty(
      "isLensCorrectionEnabled", .toggle, neutral: "off", standard: "on",
      "Apply the corrections of distortion, lateral colour and vignetting",
      interplay: """
        A DNG's own opcodes come first, then the lens's profile in lensfun's database, where lens and \
        camera are known for sure; a DNG's GainMap is always applied. Version 1 has no profiles.
        """),
    RAWProperty(
      "scaleFactor", .number, Limits.scaleFactor, neutral: "1", standard: "1",
      "Output size as a share of the native size",
      interplay: "Up to 0.5 the mosaic is reduced instead of demosaiced."),
    RAWProperty(
      "profileName", .name, neutral: "the file's choice", standard: "the file's choice",
      "Camera profile of a DNG, by its name",
      interplay: "Brings its own matrices, tables, tone curve and exposure offset."),
    RAWProperty(
      "profilePath", .name, neutral: "none", standard: "none",
      "Camera profile from a file of its own (.dcp), by its path",
      interplay: "Takes the place of the file's profiles; for any raw with colours."),
    RAWProperty(
      "neutralTemperature", .number, Limits.neutralTemperature, unit: "K", neutral: "as shot",
      standard: "as shot", "Temperature of the light that looks neutral; higher is warmer",
      interplay: "One white balance with neutralTint, neutralChromaticity and neutralLocation."),
    RAWProperty(
      "neutralTint", .number, Limits.neutralTint, neutral: "as shot", standard: "as shot",
      "Tint of that light; higher is more magenta", interplay: "See neutralTemperature."),
    RAWProperty(
      "neutralChromaticity", .pair, neutral: "as shot", standard: "as shot",
      "CIE x,y of the light that looks neutral", interplay: "See neutralTemperature."),
    RAWProperty(
      "neutralLocation", .pair, neutral: "as shot", standard: "as shot",
      "Native pixel x,y whose surroundings shall look neutral",
      interplay: "See neutralTemperature. Counted before orientation and scaling."),
    RAWProperty(
      "isAutomaticWhiteBalanceEnabled", .toggle, neutral: "off", standard: "off",
      "Find the white balance from the colours of the picture",
      interplay: "Replaces the other neutral properties; for files without a good white as shot."),
    RAWProperty(
      "baselineExposure", .number, Limits.baselineExposure, unit: "stops", neutral: "0",
      standard: "a DNG's own; for other raws what makes the default look as light as the preview",
      "Stops that belong to the file", interplay: "0 for scene-linear output."),
    RAWProperty(
      "localToneMapAmount", .number, Limits.localToneMapAmount, neutral: "0",
      standard: "1 where the file has a map, else 0",
      "Lift shadows and hold highlights locally",
      interplay: """
        A file's own map (ProfileGainTableMap) comes first: its gains are raised to this power. Others \
        are mapped behind sharpening; their mean brightness and headroom stay.
        """),
    RAWProperty(
      "exposure", .number, Limits.exposure, unit: "stops", neutral: "0", standard: "0",
      "Stops of light added", interplay: "Acts after the local tone map, before the tone curve."),
    RAWProperty(
      "shadowBias", .number, Limits.shadowBias, unit: "of reference white", neutral: "0",
      standard: "0", "Black offset taken off the shadows; white stays",
      interplay: "Acts on scene-linear light."),
    RAWProperty(
      "sharpnessAmount", .number, Limits.sharpnessAmount, neutral: "0",
      standard: "0.6; version 1: 0", "Take back the blur of the capture",
      interplay: "Its radius is measured in the file; noise and clipped light are left alone."),
    RAWProperty(
      "detailAmount", .number, Limits.detailAmount, neutral: "0", standard: "0",
      "Strengthen texture and small edges", interplay: "Noise is left alone."),
    RAWProperty(
      "contrastAmount", .number, Limits.contrastAmount, neutral: "0", standard: "0",
      "Strengthen local contrast", interplay: "Edges get no halo; mean brightness stays."),
    RAWProperty(
      "boostAmount", .number, Limits.boostAmount, neutral: "0", standard: "1",
      "Share of the tone curve",
      interplay: "At 0 the picture is scene-linear: no curve, no gamut mapping, nothing clipped."),
    RAWProperty(
      "boostShadowAmount", .number, Limits.boostShadowAmount, neutral: "1", standard: "1",
      "Shadow part of the tone curve; below 1 darker, above lighter",
      interplay: "No effect at boostAmount 0."),
    RAWProperty(
      "extendedDynamicRangeAmount", .number, Limits.extendedDynamicRangeAmount, neutral: "0",
      standard: "0; rawdev develop: 1 for outputs that can show it",
      "Share of the file's headroom to open",
      interplay: "The brightest value is headroom^amount; mid-tones stay."),
    RAWProperty(
      "isGamutMappingEnabled", .toggle, neutral: "off", standard: "on",
      "Bring colours inside the output's gamut", interplay: "No effect at boostAmount 0."),
    RAWProperty(
      "orientation", .number, 1...8, neutral: "1", standard: "the file's",
      "How the picture is turned, as Exif numbers it"),
    RAWProperty(
      "decoderVersion", .name, choices: DecoderVersion.all.map(\.rawValue), neutral: "1",
      standard: "2",
      "Version of the rendering", interplay: "A recipe that names one looks the same for ever."),
  ]
}

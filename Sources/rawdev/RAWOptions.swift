import ArgumentParser
import Develop
import Foundation
import ImageCore
import RawFilter

/// One option for each adjustable property, in the kebab case of its name; unset options keep the
/// property's default.
struct RAWOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "Stops of light added, -20 to 20. (default: 0)")
  var exposure: Float?

  @Option(
    parsing: .unconditional,
    help: """
      Stops that belong to the file. (default: a DNG's BaselineExposure; for other raws what makes \
      the default look as light as the embedded preview; 0 for scene-linear)
      """)
  var baselineExposure: Float?

  @Option(
    parsing: .unconditional, help: "Black offset taken off the shadows, -0.5 to 0.5. (default: 0)")
  var shadowBias: Float?

  @Option(
    parsing: .unconditional, help: "Share of the global tone curve, 0 (linear) to 1. (default: 1)")
  var boostAmount: Float?

  @Option(
    parsing: .unconditional, help: "Shadow part of the curve, 0 (dark) to 2 (light). (default: 1)")
  var boostShadowAmount: Float?

  @Option(
    parsing: .unconditional,
    help: "Strength of the file's local tone map, 0 to 1. (default: 1 where the file has one)")
  var localToneMapAmount: Float?

  @Flag(
    inversion: .prefixedNo,
    help: "Apply the file's corrections of distortion, lateral colour and vignetting. (default: on)"
  )
  var lensCorrection: Bool?

  @Option(
    name: [.customLong("profile"), .customLong("profile-name")],
    help:
      "Camera profile of the file, by name; rawdev info lists them. (default: the file's choice)")
  var profileName: String?

  @Option(
    parsing: .unconditional,
    help: "Temperature of the light that looks neutral, 2000 to 50000 K. (default: as shot)")
  var neutralTemperature: Float?

  @Option(
    parsing: .unconditional,
    help: "Tint of that light, -150 to 150, positive is magenta. (default: as shot)")
  var neutralTint: Float?

  @Option(help: "CIE x,y of the light that looks neutral.", transform: pair)
  var neutralChromaticity: [Double]?

  @Option(help: "Native pixel x,y whose surroundings shall look neutral.", transform: pair)
  var neutralLocation: [Double]?

  @Flag(inversion: .prefixedNo, help: "Rebuild clipped channels. (default: on)")
  var highlightRecovery: Bool?

  @Flag(inversion: .prefixedNo, help: "Bring colours inside the output's gamut. (default: on)")
  var gamutMapping: Bool?

  @Option(
    name: [.long, .customLong("edr")], parsing: .unconditional,
    help: """
      Share of the file's headroom to open, 0 to 1. (default: 1 for outputs that can show it, else 0)
      """)
  var extendedDynamicRangeAmount: Float?

  @Option(help: "Exif orientation, 1 to 8. (default: the file's)")
  var orientation: Int?

  @Option(
    parsing: .unconditional,
    help: "Output size as a share of the native size, up to 1. (default: 1)")
  var scaleFactor: Float?

  @Flag(
    name: [.customLong("draft-mode"), .customLong("draft")], help: "Faster, half resolution detail."
  )
  var draftMode = false

  @Option(help: "Version of the rendering. (default: 1)")
  var decoderVersion: String?

  @Option(
    parsing: .unconditional,
    help: """
      Nine comma-separated numbers, XYZ under D65 to camera values row by row, for cameras whose \
      colours are not known.
      """, transform: numbers)
  var colorMatrix: [Double]?

  func validate() throws {
    let whites = [
      neutralTemperature != nil || neutralTint != nil, neutralChromaticity != nil,
      neutralLocation != nil,
    ]
    if whites.count(where: { $0 }) > 1 {
      throw ValidationError(
        "give one of --neutral-temperature/--neutral-tint, --neutral-chromaticity, --neutral-location"
      )
    }
    if let orientation, Orientation(rawValue: orientation) == nil {
      throw ValidationError("--orientation takes 1 to 8")
    }
    if let colorMatrix, colorMatrix.count != 9 {
      throw ValidationError("--color-matrix takes nine comma-separated numbers")
    }
  }

  /// Puts the options that were given into `recipe`.
  func apply(to recipe: inout Recipe) {
    func set<T>(_ value: T?, _ path: WritableKeyPath<RAWSettings, T>) {
      if let value { recipe.raw[keyPath: path] = value }
    }
    set(exposure, \.exposure)
    recipe.raw.baselineExposure = baselineExposure ?? recipe.raw.baselineExposure
    set(shadowBias, \.shadowBias)
    set(boostAmount, \.boostAmount)
    set(boostShadowAmount, \.boostShadowAmount)
    recipe.raw.localToneMapAmount = localToneMapAmount ?? recipe.raw.localToneMapAmount
    set(lensCorrection, \.isLensCorrectionEnabled)
    recipe.raw.profileName = profileName ?? recipe.raw.profileName
    set(highlightRecovery, \.isHighlightRecoveryEnabled)
    set(gamutMapping, \.isGamutMappingEnabled)
    set(scaleFactor, \.scaleFactor)
    if draftMode { recipe.raw.isDraftModeEnabled = true }
    set(decoderVersion.map(DecoderVersion.init(rawValue:)), \.decoderVersion)
    recipe.raw.orientation =
      orientation.flatMap(Orientation.init(rawValue:)) ?? recipe.raw.orientation
    recipe.extendedDynamicRangeAmount =
      extendedDynamicRangeAmount ?? recipe.extendedDynamicRangeAmount
    if let xy = neutralChromaticity {
      recipe.raw.neutral = .chromaticity(Chromaticity(x: xy[0], y: xy[1]))
    } else if let xy = neutralLocation {
      recipe.raw.neutral = .location(
        PixelPoint(x: Int(clamping: xy[0]), y: Int(clamping: xy[1])))
    } else if neutralTemperature != nil || neutralTint != nil {
      recipe.raw.neutral = .temperature(kelvin: neutralTemperature, tint: neutralTint)
    }
  }
}

private func numbers(_ text: String) throws -> [Double] {
  try text.split(separator: ",").map {
    guard let value = Double($0.trimmingCharacters(in: .whitespaces)), value.isFinite else {
      throw ValidationError("\"\($0)\" is not a number")
    }
    return value
  }
}

private func pair(_ text: String) throws -> [Double] {
  let values = try numbers(text)
  guard values.count == 2 else { throw ValidationError("\"\(text)\" is not a pair x,y") }
  return values
}

extension Int {
  /// The whole part, as far as it fits.
  fileprivate init(clamping value: Double) { self = Int(Swift.min(Swift.max(value, -1e9), 1e9)) }
}

public import ArgumentParser
import Develop
import Foundation
import ImageCore
public import RawFilter
import Recipes

/// One option for each adjustable property, in the kebab case of its name, explained by
/// ``RAWProperty``; unset options keep the property's default.
struct RAWOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: help("exposure"))
  var exposure: Float?

  @Option(parsing: .unconditional, help: help("baselineExposure"))
  var baselineExposure: Float?

  @Option(parsing: .unconditional, help: help("shadowBias"))
  var shadowBias: Float?

  @Option(parsing: .unconditional, help: help("boostAmount"))
  var boostAmount: Float?

  @Option(parsing: .unconditional, help: help("boostShadowAmount"))
  var boostShadowAmount: Float?

  @Option(parsing: .unconditional, help: help("localToneMapAmount"))
  var localToneMapAmount: Float?

  @Option(help: help("demosaicMethod"))
  var demosaicMethod: DemosaicMethod?

  @Option(parsing: .unconditional, help: help("luminanceNoiseReductionAmount"))
  var luminanceNoiseReductionAmount: Float?

  @Option(parsing: .unconditional, help: help("colorNoiseReductionAmount"))
  var colorNoiseReductionAmount: Float?

  @Option(parsing: .unconditional, help: help("despeckleAmount"))
  var despeckleAmount: Float?

  @Option(parsing: .unconditional, help: help("moireReductionAmount"))
  var moireReductionAmount: Float?

  @Option(parsing: .unconditional, help: help("sharpnessAmount"))
  var sharpnessAmount: Float?

  @Option(parsing: .unconditional, help: help("detailAmount"))
  var detailAmount: Float?

  @Option(parsing: .unconditional, help: help("contrastAmount"))
  var contrastAmount: Float?

  @Flag(inversion: .prefixedNo, help: help("isLensCorrectionEnabled"))
  var lensCorrection: Bool?

  @Option(name: [.customLong("profile"), .customLong("profile-name")], help: help("profileName"))
  var profileName: String?

  @Option(name: [.long, .customLong("camera-profile")], help: help("profilePath"))
  var profilePath: String?

  @Option(parsing: .unconditional, help: help("neutralTemperature"))
  var neutralTemperature: Float?

  @Option(parsing: .unconditional, help: help("neutralTint"))
  var neutralTint: Float?

  @Option(help: help("neutralChromaticity"), transform: pair)
  var neutralChromaticity: [Double]?

  @Option(help: help("neutralLocation"), transform: pair)
  var neutralLocation: [Double]?

  @Flag(
    name: [.long, .customLong("auto-white-balance")], inversion: .prefixedNo,
    help: help("isAutomaticWhiteBalanceEnabled"))
  var automaticWhiteBalance: Bool?

  @Flag(inversion: .prefixedNo, help: help("isHighlightRecoveryEnabled"))
  var highlightRecovery: Bool?

  @Flag(inversion: .prefixedNo, help: help("isGamutMappingEnabled"))
  var gamutMapping: Bool?

  @Option(
    name: [.long, .customLong("edr")], parsing: .unconditional,
    help: help("extendedDynamicRangeAmount"))
  var extendedDynamicRangeAmount: Float?

  @Option(help: help("orientation"))
  var orientation: Int?

  @Option(parsing: .unconditional, help: help("scaleFactor"))
  var scaleFactor: Float?

  @Flag(
    name: [.customLong("draft-mode"), .customLong("draft")], help: help("isDraftModeEnabled"))
  var draftMode = false

  @Option(help: help("decoderVersion"))
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
      neutralLocation != nil, automaticWhiteBalance == true,
    ]
    if whites.count(where: { $0 }) > 1 {
      throw ValidationError(
        """
        give one of --neutral-temperature/--neutral-tint, --neutral-chromaticity, \
        --neutral-location, --automatic-white-balance
        """
      )
    }
    if let orientation, Orientation(rawValue: orientation) == nil {
      throw ValidationError("--orientation takes 1 to 8")
    }
    if let colorMatrix, colorMatrix.count != 9 {
      throw ValidationError("--color-matrix takes nine comma-separated numbers")
    }
  }

  /// The options that were given, as the `raw` part of a recipe.
  var values: [String: RecipeValue] {
    var values: [String: RecipeValue] = [:]
    func put(_ key: String, _ number: Float?) {
      // As it was typed, not as its nearest float.
      if let number { values[key] = .number(Double("\(number)") ?? Double(number)) }
    }
    func put(_ key: String, _ text: String?) { if let text { values[key] = .text(text) } }
    func put(_ key: String, _ toggle: Bool?) { if let toggle { values[key] = .bool(toggle) } }
    func put(_ key: String, _ pair: [Double]?) {
      if let pair { values[key] = .list(pair.map { .number($0) }) }
    }
    put("exposure", exposure)
    put("baselineExposure", baselineExposure)
    put("shadowBias", shadowBias)
    put("boostAmount", boostAmount)
    put("boostShadowAmount", boostShadowAmount)
    put("localToneMapAmount", localToneMapAmount)
    put("demosaicMethod", demosaicMethod?.rawValue)
    put("luminanceNoiseReductionAmount", luminanceNoiseReductionAmount)
    put("colorNoiseReductionAmount", colorNoiseReductionAmount)
    put("despeckleAmount", despeckleAmount)
    put("moireReductionAmount", moireReductionAmount)
    put("sharpnessAmount", sharpnessAmount)
    put("detailAmount", detailAmount)
    put("contrastAmount", contrastAmount)
    put("isLensCorrectionEnabled", lensCorrection)
    put("profileName", profileName)
    put("profilePath", profilePath)
    put("neutralTemperature", neutralTemperature)
    put("neutralTint", neutralTint)
    put("neutralChromaticity", neutralChromaticity)
    put("neutralLocation", neutralLocation?.map { $0.rounded(.towardZero) })
    put("isAutomaticWhiteBalanceEnabled", automaticWhiteBalance)
    put("isHighlightRecoveryEnabled", highlightRecovery)
    put("isGamutMappingEnabled", gamutMapping)
    put("extendedDynamicRangeAmount", extendedDynamicRangeAmount)
    put("orientation", orientation.map(Float.init))
    put("scaleFactor", scaleFactor)
    if draftMode { put("isDraftModeEnabled", true) }
    put("decoderVersion", decoderVersion)
    return values
  }
}

/// Help of the option `--lensfun-db` of several commands.
let lensDatabaseHelp: ArgumentHelp =
  "Folder of lensfun's XML files, or one file, for lenses that the raw has no corrections of. (default: the system's)"

extension DemosaicMethod: ExpressibleByArgument {}

private func help(_ property: String) -> ArgumentHelp? {
  RAWProperty.named(property).map { ArgumentHelp(stringLiteral: $0.help) }
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

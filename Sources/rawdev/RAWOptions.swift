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

  /// Puts the options that were given into `recipe`.
  func apply(to recipe: inout Recipe) {
    func set<T>(_ value: T?, _ path: WritableKeyPath<RAWSettings, T>) {
      if let value { recipe.raw[keyPath: path] = value }
    }
    func set<T>(_ value: T?, _ path: WritableKeyPath<RAWSettings, T?>) {
      if let value { recipe.raw[keyPath: path] = value }
    }
    set(exposure, \.exposure)
    set(baselineExposure, \.baselineExposure)
    set(shadowBias, \.shadowBias)
    set(boostAmount, \.boostAmount)
    set(boostShadowAmount, \.boostShadowAmount)
    set(localToneMapAmount, \.localToneMapAmount)
    set(demosaicMethod, \.demosaicMethod)
    set(luminanceNoiseReductionAmount, \.luminanceNoiseReductionAmount)
    set(colorNoiseReductionAmount, \.colorNoiseReductionAmount)
    set(despeckleAmount, \.despeckleAmount)
    set(moireReductionAmount, \.moireReductionAmount)
    set(sharpnessAmount, \.sharpnessAmount)
    set(detailAmount, \.detailAmount)
    set(contrastAmount, \.contrastAmount)
    set(lensCorrection, \.isLensCorrectionEnabled)
    set(profileName, \.profileName)
    set(profilePath, \.profilePath)
    set(highlightRecovery, \.isHighlightRecoveryEnabled)
    set(gamutMapping, \.isGamutMappingEnabled)
    set(scaleFactor, \.scaleFactor)
    if draftMode { recipe.raw.isDraftModeEnabled = true }
    set(decoderVersion.map(DecoderVersion.init(rawValue:)), \.decoderVersion)
    set(orientation.flatMap(Orientation.init(rawValue:)), \.orientation)
    set(extendedDynamicRangeAmount, \.extendedDynamicRangeAmount)
    if let xy = neutralChromaticity {
      recipe.raw.neutral = .chromaticity(Chromaticity(x: xy[0], y: xy[1]))
    } else if let xy = neutralLocation {
      recipe.raw.neutral = .location(
        PixelPoint(x: Int(clamping: xy[0]), y: Int(clamping: xy[1])))
    } else if neutralTemperature != nil || neutralTint != nil {
      recipe.raw.neutral = .temperature(kelvin: neutralTemperature, tint: neutralTint)
    } else if automaticWhiteBalance == true {
      recipe.raw.neutral = .automatic
    } else if automaticWhiteBalance == false, recipe.raw.neutral == .automatic {
      recipe.raw.neutral = .asShot
    }
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

extension Int {
  /// The whole part, as far as it fits.
  fileprivate init(clamping value: Double) { self = Int(Swift.min(Swift.max(value, -1e9), 1e9)) }
}

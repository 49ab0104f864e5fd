import Containers
import HDRRender

/// Camera Raw's tone, color and effects as the settings of the look. The names mean the same, and
/// amounts of 100 are 1 here; their formulas are not published, so all are approximate.
enum AdobeLook {
  /// A field that is a number of the look.
  struct Number {
    let field: String
    /// The key in `raw`.
    let name: String
    /// How many of the field's units are 1 of the key's.
    var scale = 100.0
  }

  /// Fields of the process of 2012 and newer.
  static let tone = ["Contrast", "Highlights", "Shadows", "Whites", "Blacks"].map {
    Number(field: $0 + "2012", name: $0.lowercased())
  }

  /// Fields of the process of 2012 and newer, and the last of those before.
  static func detail(isCurrent: Bool) -> [Number] {
    [
      Number(field: "Texture", name: "detailAmount"),
      Number(field: isCurrent ? "Clarity2012" : "Clarity", name: "contrastAmount"),
      Number(field: "Dehaze", name: "dehazeAmount"),
    ]
  }

  /// Fields of every process.
  static let color =
    [
      Number(field: "Saturation", name: "saturation"), Number(field: "Vibrance", name: "vibrance"),
    ]
    + ranges("HueAdjustment", "Hue") + ranges("SaturationAdjustment", "Saturation")
    + ranges("LuminanceAdjustment", "Luminance") + ranges("GrayMixer", "Gray")
    + [
      Number(field: "SplitToningShadowHue", name: "shadowHue", scale: 1),
      Number(field: "SplitToningShadowSaturation", name: "shadowSaturation"),
      Number(field: "ColorGradeShadowLum", name: "shadowLuminance"),
      Number(field: "ColorGradeMidtoneHue", name: "midtoneHue", scale: 1),
      Number(field: "ColorGradeMidtoneSat", name: "midtoneSaturation"),
      Number(field: "ColorGradeMidtoneLum", name: "midtoneLuminance"),
      Number(field: "SplitToningHighlightHue", name: "highlightHue", scale: 1),
      Number(field: "SplitToningHighlightSaturation", name: "highlightSaturation"),
      Number(field: "ColorGradeHighlightLum", name: "highlightLuminance"),
      Number(field: "ColorGradeGlobalHue", name: "globalHue", scale: 1),
      Number(field: "ColorGradeGlobalSat", name: "globalSaturation"),
      Number(field: "ColorGradeGlobalLum", name: "globalLuminance"),
      Number(field: "ColorGradeBlending", name: "gradingBlending"),
      Number(field: "SplitToningBalance", name: "gradingBalance"),
    ]

  static let finish = [
    Number(field: "PostCropVignetteAmount", name: "vignetteAmount"),
    Number(field: "PostCropVignetteMidpoint", name: "vignetteMidpoint"),
    Number(field: "PostCropVignetteRoundness", name: "vignetteRoundness"),
    Number(field: "PostCropVignetteFeather", name: "vignetteFeather"),
    Number(field: "GrainAmount", name: "grainAmount"),
    Number(field: "GrainSize", name: "grainSize"),
    Number(field: "GrainFrequency", name: "grainRoughness"),
  ]

  /// Up to 40 degrees for 100. Negative values enlarge the top and the left: they are for cameras
  /// that looked up or left (M. Evening, "Manual transforms"), here positive and negative.
  static let frame = [
    Number(field: "PerspectiveVertical", name: "verticalPerspective", scale: -2.5),
    Number(field: "PerspectiveHorizontal", name: "horizontalPerspective", scale: 2.5),
  ]

  /// Of the profile in use, up to all of it.
  static let lens = [
    Number(field: "LensProfileDistortionScale", name: "lensDistortionAmount"),
    Number(field: "LensProfileVignettingScale", name: "lensVignettingAmount"),
    Number(field: "LensProfileChromaticAberrationScale", name: "lensLateralColorAmount"),
  ]

  /// The primaries of the calibration, and the ranges of hues that each moves: hues by the same
  /// amount as in Camera Raw, saturation by half, as it grows with the saturation of the color.
  static let calibration: [(field: String, ranges: [(name: String, part: Double)])] = [
    ("Red", [("red", 1), ("magenta", 0.5), ("orange", 0.5)]),
    ("Green", [("green", 1), ("yellow", 0.5), ("aqua", 0.5)]),
    ("Blue", [("blue", 1), ("aqua", 0.5), ("purple", 0.5)]),
  ]

  /// Amounts of the parametric curve, and where its regions meet.
  static let parametric = ["Shadows", "Darks", "Lights", "Highlights"].map { "Parametric" + $0 }
  static let splits = ["Shadow", "Midtone", "Highlight"].map { "Parametric" + $0 + "Split" }

  /// Curves through points "x, y" of 0…255, of the process of 2012 and newer.
  static let curves = [
    ("ToneCurvePV2012", "toneCurve"), ("ToneCurvePV2012Red", "redToneCurve"),
    ("ToneCurvePV2012Green", "greenToneCurve"), ("ToneCurvePV2012Blue", "blueToneCurve"),
  ]

  private static func ranges(_ prefix: String, _ suffix: String) -> [Number] {
    ["Red", "Orange", "Yellow", "Green", "Aqua", "Blue", "Purple", "Magenta"].map {
      Number(field: prefix + $0, name: $0.lowercased() + suffix)
    }
  }
}

extension AdobeReading {
  mutating func takeLook() {
    if isCurrent { for number in AdobeLook.tone { take(number) } }
    for number in AdobeLook.detail(isCurrent: isCurrent) + AdobeLook.color + AdobeLook.finish
      + AdobeLook.frame + AdobeLook.lens
    {
      take(number)
    }
    takeCalibration()
    let parametric = parametricCurve()
    if isCurrent { for (field, name) in AdobeLook.curves { takeCurve(field, as: name) } }
    if let parametric { take(parametric) }
    if let value = fields["ConvertToGrayscale"] {
      switch value.truth {
      case true?:
        take(
          "ConvertToGrayscale", as: "raw.isBlackAndWhiteEnabled", .bool(true), isApproximate: true,
          note: "with other weights of the colors")
      case false?: leave("ConvertToGrayscale")
      case nil: ignore("ConvertToGrayscale", "it must be True or False")
      }
    }
  }

  private mutating func takeCurve(_ field: String, as name: String) {
    guard let value = fields[field], case .list(let items) = value else { return }
    guard !AdobeFields.isNeutral(field, value, among: fields) else { return leave(field) }
    let numbers = items.flatMap { item in AdobeFields.point(item).map { Double($0) ?? -1 } }
    let setting = RecipeValue.list(numbers.map { .number(($0 / 255 * 1e6).rounded() / 1e6) })
    guard numbers.count == 2 * items.count,
      RecipeKey.at(RecipePath(keys: "raw", name))?.refusal(setting) == nil
    else { return ignore(field, "it must have points of 0 to 255") }
    take(
      field, as: "raw.\(name)", setting, isApproximate: true,
      note: "the same points, after another tone curve")
  }

  /// Takes the calibration of primaries as changes of the ranges of hues about each.
  private mutating func takeCalibration() {
    for (primary, ranges) in AdobeLook.calibration {
      for (field, suffix, scale) in [("Hue", "Hue", 100.0), ("Saturation", "Saturation", 200)] {
        guard let amount = number(primary + field, in: -100...100), amount != 0 else { continue }
        for (name, part) in ranges.reversed() {
          let key = name + suffix
          var now = 0.0
          if case .number(let known)? = settings.recipe["raw"]?[key] { now = known }
          let value = min(max(now + part * amount / scale, -1), 1)
          settings.set("raw.\(key)", .number((value * 1e6).rounded() / 1e6))
        }
        let key = ranges[0].name + suffix
        take(
          primary + field, as: "raw.\(key)", settings.recipe["raw"]?[key] ?? .number(0),
          isApproximate: true,
          note: "as "
            + ranges.map(\.name).joined(separator: ", ") + " of the mixer, added to its values")
      }
    }
  }

  /// The parametric curve, where it has an effect.
  private mutating func parametricCurve() -> AdobeParametricCurve? {
    let amounts = AdobeLook.parametric.map { number($0, in: -100...100) ?? 0 }
    guard amounts.contains(where: { $0 != 0 }) else { return nil }
    let splits = zip(AdobeLook.splits, [25.0, 50, 75]).map { field, usual in
      fields[field] == nil ? usual : number(field, in: 1...99)
    }
    guard let low = splits[0], let middle = splits[1], let high = splits[2], low < middle,
      middle < high
    else {
      for field in AdobeLook.splits { ignore(field, "the splits must rise") }
      return nil
    }
    for field in AdobeLook.splits { leave(field) }
    return AdobeParametricCurve(
      amounts: SIMD4(amounts[0], amounts[1], amounts[2], amounts[3]) / 100,
      splits: SIMD3(low, middle, high) / 100)
  }

  /// Applies a parametric curve before the point curve that was read already.
  private mutating func take(_ parametric: AdobeParametricCurve) {
    var pointCurve = PointCurve()
    if case .list(let list)? = settings.recipe["raw"]?["toneCurve"] {
      let numbers = list.compactMap { if case .number(let number) = $0 { number } else { nil } }
      pointCurve.points = stride(from: 0, to: numbers.count - 1, by: 2).map {
        SIMD2(numbers[$0], numbers[$0 + 1])
      }
    }
    let numbers = parametric.points.flatMap { [$0.x, (pointCurve($0.y) * 1e6).rounded() / 1e6] }
    for field in AdobeLook.parametric where number(field, in: -100...100) ?? 0 != 0 {
      take(
        field, as: "raw.toneCurve", .list(numbers.map { .number($0) }), isApproximate: true,
        note: "as points of a curve, with those of ToneCurvePV2012; Adobe's formula is unknown")
    }
  }

  /// Applies a number of the look. Its neutral value, which most fields have, is set without being
  /// reported: a sidecar describes the complete look.
  private mutating func take(_ number: AdobeLook.Number) {
    let key = "raw.\(number.name)"
    guard let value = fields[number.field],
      let own = RecipeKey.at(RecipePath(keys: "raw", number.name))
    else { return }
    let ends = [own.minimum ?? 0, own.maximum ?? 0].map { $0 * number.scale }.sorted()
    guard let amount = self.number(number.field, in: ends[0]...ends[1]) else { return }
    // 0 added, so that no 0 is negative.
    let setting = RecipeValue.number(amount / number.scale + 0)
    if AdobeFields.isNeutral(number.field, value, among: fields) {
      leave(number.field)
      settings.set(key, setting)
    } else {
      take(
        number.field, as: key, setting, isApproximate: true, note: "the same scale, another method")
    }
  }
}

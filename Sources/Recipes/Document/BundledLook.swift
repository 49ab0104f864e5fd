/// A look that is included in the program: a recipe of values for `raw` that suit any picture.
///
/// Looks change neither exposure nor the tone sliders, vibrance and white, which are adjusted to
/// each picture, by hand or automatically: their contrast is that of a tone curve.
public struct BundledLook: Sendable, Hashable {
  /// Its name after ``prefix``.
  public let name: String
  /// Its name for people.
  public let title: String
  /// What it is for, one sentence.
  public let summary: String
  /// The values of properties that it sets.
  public let values: [String: RecipeValue]

  /// What names of looks begin with in `--recipe` and `extends`.
  public static let prefix = "look:"

  /// Its name in `--recipe` and `extends`.
  public var recipeName: String { Self.prefix + name }

  /// The look of this name in `--recipe`; nil for an unknown one.
  public static func named(_ name: String) -> BundledLook? { all.first { $0.recipeName == name } }

  /// The look as a recipe.
  public var document: RecipeDocument {
    get throws(RecipeError) {
      let text = RecipeValue.map([
        "schema": 1, "name": .text(title), "description": .text(summary), "raw": .map(values),
      ]).yaml
      return try RecipeDocument(text: text, path: "recipe \(recipeName)")
    }
  }

  /// Its values, and the neutral ones of all properties that other looks set: choosing one look
  /// after another leaves nothing of the first.
  package var completeValues: [String: RecipeValue] {
    Self.neutralValues.merging(values) { $1 }
  }

  private static let neutralValues: [String: RecipeValue] = {
    let names = Set(all.flatMap(\.values.keys))
    guard case .map(let raw)? = (try? Recipe().values)?["raw"] else { return [:] }
    return raw.filter { names.contains($0.key) }
  }()

  private init(
    _ name: String, _ title: String, _ summary: String, _ values: [String: RecipeValue]
  ) {
    (self.name, self.title, self.summary, self.values) = (name, title, summary, values)
  }

  /// All of them, as menus list them.
  public static let all = [
    BundledLook(
      "natural", "Natural", "A little less contrast and saturation.",
      [
        "toneCurve": [0, 0, 0.25, 0.265, 0.75, 0.745, 1, 1], "saturation": -0.05,
        "contrastAmount": 0.05,
      ]),
    BundledLook(
      "vivid", "Vivid", "More contrast, and strong colors.",
      [
        "toneCurve": [0, 0, 0.25, 0.22, 0.75, 0.79, 1, 1], "saturation": 0.12,
        "contrastAmount": 0.15,
      ]),
    BundledLook(
      "soft", "Soft", "Low contrast, and soft structures.",
      [
        "toneCurve": [0, 0.02, 0.25, 0.28, 0.75, 0.75, 1, 0.99], "saturation": -0.08,
        "contrastAmount": -0.25,
      ]),
    BundledLook(
      "portrait", "Portrait", "Brighter and less saturated skin, and less texture.",
      [
        "toneCurve": [0, 0, 0.25, 0.27, 0.75, 0.77, 1, 1], "contrastAmount": -0.1,
        "detailAmount": -0.2, "redSaturation": -0.06, "orangeSaturation": -0.08,
        "orangeLuminance": 0.12,
      ]),
    BundledLook(
      "landscape", "Landscape", "Clear structures, and strong greens and blues.",
      [
        "contrastAmount": 0.25, "dehazeAmount": 0.12, "saturation": 0.08, "greenSaturation": 0.12,
        "aquaSaturation": 0.1, "blueSaturation": 0.12, "blueLuminance": -0.12,
      ]),
    BundledLook(
      "black-and-white", "Black and white", "Grays as bright as the colors.",
      ["isBlackAndWhiteEnabled": .bool(true), "toneCurve": [0, 0, 0.25, 0.23, 0.75, 0.77, 1, 1]]),
    BundledLook(
      "black-and-white-strong", "Black and white, strong",
      "Dark skies and strong contrast, as by a red filter.",
      [
        "isBlackAndWhiteEnabled": .bool(true), "redGray": 0.25, "orangeGray": 0.15,
        "aquaGray": -0.2, "blueGray": -0.35, "contrastAmount": 0.3,
        "toneCurve": [0, 0, 0.25, 0.18, 0.75, 0.82, 1, 1], "grainAmount": 0.15,
      ]),
    BundledLook(
      "faded", "Faded", "Pale blacks and whites, as of an old print.",
      [
        "toneCurve": [0, 0.07, 0.25, 0.28, 0.75, 0.73, 1, 0.95], "saturation": -0.2,
        "shadowHue": 210, "shadowSaturation": 0.12, "highlightHue": 45, "highlightSaturation": 0.08,
      ]),
    BundledLook(
      "warm-evening", "Warm evening", "The light of a low sun.",
      [
        "saturation": 0.04, "globalHue": 40, "globalSaturation": 0.1, "shadowHue": 20,
        "shadowSaturation": 0.05, "highlightHue": 45, "highlightSaturation": 0.14,
      ]),
    BundledLook(
      "cool-morning", "Cool morning", "Blue shadows, and little saturation.",
      [
        "toneCurve": [0, 0.02, 0.25, 0.27, 0.75, 0.77, 1, 1], "saturation": -0.08,
        "globalHue": 220, "globalSaturation": 0.12, "shadowHue": 215, "shadowSaturation": 0.15,
      ]),
    BundledLook(
      "film-grain", "Film grain", "Grain, and the tones of a print on paper.",
      [
        "toneCurve": [0, 0.02, 0.25, 0.23, 0.75, 0.77, 1, 0.985], "saturation": -0.05,
        "grainAmount": 0.35, "grainSize": 0.3, "shadowHue": 200, "shadowSaturation": 0.06,
        "highlightHue": 50, "highlightSaturation": 0.06,
      ]),
  ]
}

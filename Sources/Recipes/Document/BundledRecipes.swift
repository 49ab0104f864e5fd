/// A recipe that is included in the program.
public struct BundledRecipe: Sendable, Hashable {
  /// Its name in `--recipe` and `extends`.
  public let name: String
  /// The document, in YAML.
  public let text: String

  /// The recipe of this name; nil for an unknown name.
  public static func named(_ name: String) -> BundledRecipe? { all.first { $0.name == name } }

  /// The recipe, parsed.
  public var document: RecipeDocument {
    get throws(RecipeError) { try RecipeDocument(text: text, path: "recipe \(name)") }
  }

  /// Its description: one sentence.
  public var summary: String {
    if case .text(let text)?? = try? document.values["description"] { text } else { "" }
  }

  /// All of them, by name.
  public static let all = [
    BundledRecipe(
      name: "archive",
      text: """
        schema: 1
        name: Archive
        description: A 16-bit TIFF for editing and an HLG HEIF for viewing, with all headroom.
        outputs:
          archive:
            format: tiff
            colorSpace: bt2100-hlg
            tiffCompression: zstd
            metadata: all
          view:
            format: heif-hlg
            quality: 0.95
            chroma: "444"
            metadata: all

        """),
    BundledRecipe(
      name: "hdr-delivery",
      text: """
        schema: 1
        name: HDR delivery
        description: An HLG HEIF for HDR screens and a gain-map JPEG that every viewer shows.
        outputs:
          hdr:
            format: heif-hlg
            quality: 0.9
          web:
            format: jpeg-gainmap
            maxSize: 2048
            quality: 0.9
            metadata: noLocation
            name: "web/{stem}"

        """),
    BundledRecipe(
      name: "linear",
      text: """
        schema: 1
        name: Linear
        description: Scene-linear float for other programs, without any look or noise reduction.
        raw:
          boostAmount: 0
          baselineExposure: 0
          localToneMapAmount: 0
          luminanceNoiseReductionAmount: 0
          colorNoiseReductionAmount: 0
          sharpnessAmount: 0
          isGamutMappingEnabled: false
        outputs:
          linear:
            format: tiff-float

        """),
    BundledRecipe(
      name: "plain",
      text: """
        schema: 1
        name: Plain
        description: As dcraw - fast demosaic, no noise reduction, sharpening or lens correction.
        raw:
          demosaicMethod: fast
          luminanceNoiseReductionAmount: 0
          colorNoiseReductionAmount: 0
          sharpnessAmount: 0
          localToneMapAmount: 0
          isLensCorrectionEnabled: false
        outputs:
          plain:
            format: tiff
            colorSpace: srgb
            tiffCompression: none

        """),
    BundledRecipe(
      name: "proof",
      text: """
        schema: 1
        name: Proof
        description: A small JPEG to choose from, made fast and without location.
        raw:
          isDraftModeEnabled: true
        outputs:
          proof:
            format: jpeg-sdr
            maxSize: 1024
            quality: 0.8
            metadata: noLocation

        """),
    BundledRecipe(
      name: "scene",
      text: """
        schema: 1
        name: Scene
        description: Scene-linear values in ACEScg, an OpenEXR for effects and compositing.
        raw:
          look: scene
        outputs:
          scene:
            format: exr
            colorSpace: acescg

        """),
    BundledRecipe(
      name: "web",
      text: """
        schema: 1
        name: Web
        description: A gain-map JPEG of 2048 pixels for web pages, without location.
        outputs:
          web:
            format: jpeg-gainmap
            maxSize: 2048
            quality: 0.9
            metadata: noLocation

        """),
  ]
}

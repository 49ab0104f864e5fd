import Formats
import HDRRender
import ImageCore
import RawFilter

extension RecipeKey {
  /// The key at `path`, as `raw.exposure` or `outputs.web.quality`.
  public static func at(_ path: RecipePath) -> RecipeKey? { KeyTree.recipe[path]?.key }

  /// Every key of a recipe: of the document, of the development, of the rendering, of an output.
  public static let all =
    document + rules
    + RAWProperty.all.compactMap { Adjustment.named($0.name) }.map { RecipeKey($0) } + render
    + outputs

  /// Keys that decide what a picture looks like and what is written.
  public static var effective: [RecipeKey] {
    all.filter { $0.path.contains(".") && !$0.path.hasPrefix("rules.") }
  }

  private static let document = [
    RecipeKey(
      "schema", .integer, 0...Double(RecipeDocument.newestSchema), standard: "1",
      "Version of the form of the document", "A larger one needs a newer rawdev."),
    RecipeKey("name", .text, standard: "none", "What people call it"),
    RecipeKey("description", .text, standard: "none", "What it is for"),
    RecipeKey(
      "extends", .texts, standard: "none", "Recipes that this one builds on, weakest first",
      "Paths relative to this file, and names of recipes that come with rawdev."),
    RecipeKey(
      "root", .toggle, standard: "off", "Look for no defaults in the folders around this one",
      "Counts in .rawdev/defaults.yaml only."),
    RecipeKey(
      "rules", .rules, standard: "none", "Values for pictures of some cameras, speeds and lenses",
      "Counts in .rawdev/defaults.yaml only."),
  ]

  private static let rules = [
    RecipeKey(
      "rules.match.camera", .text, standard: "any",
      "Maker and model, or model alone; * stands for any text, ? for one character",
      "Upper and lower case are the same. Patterns that begin with * need quotes."),
    RecipeKey(
      "rules.match.iso", .range, from: 0, standard: "any", "ISO speed, or lowest and highest"),
    RecipeKey("rules.match.lens", .text, standard: "any", "Name of the lens, as camera"),
  ]

  private static let render = [
    RecipeKey(
      "render.headroomLimit", .number, from: 1, unit: "times reference white",
      standard: "all that is opened", "Brightest light of the picture",
      "1 is standard dynamic range. The lesser of this and an output's own counts."),
    RecipeKey(
      "render.crop", .numbers, 0...1, count: 4, standard: "the whole picture",
      "Left, top, right and bottom of the part to keep, as shares of the upright picture",
      "With an angle, shares of the unturned picture on axes that turn with the frame."),
    RecipeKey(
      "render.angle", .number, -45...45, unit: "degrees", standard: "0",
      "Turn the picture clockwise about its center",
      "Without a crop the largest frame of the picture's shape is kept."),
  ]

  private static func output(
    _ name: String, _ kind: Kind, _ range: ClosedRange<Double>? = nil, from minimum: Double? = nil,
    count: Int? = nil, choices: [String] = [], unit: String = "", standard: String,
    _ summary: String, _ interplay: String = ""
  ) -> RecipeKey {
    RecipeKey(
      "outputs.*.\(name)", kind, range, from: minimum, count: count, choices: choices, unit: unit,
      standard: standard, summary, interplay)
  }

  private static let outputs =
    [
      output(
        "format", .text, choices: OutputFormat.allCases.map(\.rawValue),
        standard: OutputFormat.heifHLG.rawValue, "Kind of file"),
      output(
        "name", .text, standard: "the raw's own name",
        "Template of the file's name, without extension, as web/{stem}", "See the templates."),
      output(
        "maxSize", .integer, 16...Double(PixelSize.largestSide), unit: "pixels",
        standard: "all pixels",
        "Most pixels of the longer side", "Smaller pictures stay as they are."),
      output(
        "quality", .number, 0...1, standard: "the format's own",
        "Quality of HEIF, AVIF, JPEG, JPEG XL",
        "1 is a JPEG XL without loss."),
      output(
        "metadata", .text, choices: MetadataPolicy.allCases.map(\.rawValue), standard: "all",
        "What of the raw's metadata goes into the file",
        "noLocation leaves out GPS and the raw's XMP; minimal keeps camera, lens, exposure, date, rights."
      ),
      output(
        "extendedDynamicRangeAmount", .number, 0...1,
        standard:
          "raw.extendedDynamicRangeAmount, else 1 for formats that can show it and 0 for others",
        "Share of the file's headroom to open, for this output"),
      output(
        "headroomLimit", .number, from: 1, unit: "times reference white",
        standard: "render.headroomLimit", "Brightest light of this output"),
      output(
        "chroma", .text, choices: ChromaSubsampling.allCases.map(\.rawValue), standard: "420",
        "Chroma resolution of HEIF, AVIF, JPEG"),
      output(
        "sdrBits", .integer, choices: ["8", "10", "16"], standard: "the most; 8 beside a gain map",
        "Bits of a HEIF or AVIF (8, 10) or PNG (8, 16) of standard range"),
      output(
        "hdrBits", .integer, choices: ["10", "12"], standard: "10", "Bits of an AVIF of high range"),
      output(
        "tiffCompression", .text, choices: TIFFCompressionChoice.allCases.map(\.rawValue),
        standard: "deflate", "Compression of a TIFF, without loss"),
      output(
        "tiffSpace", .text, choices: TIFFSpace.allCases.map(\.rawValue), standard: "display-p3",
        "Color space of a 16-bit TIFF"),
      output(
        "thumbnail", .integer, 16...1024, unit: "pixels", standard: "none",
        "Longer side of a small version within a HEIF or AVIF"),
      output(
        "gainMap.base", .text, choices: GainMapChoice.Base.allCases.map(\.rawValue),
        standard: "sdr",
        "The picture that readers without gain maps show", "pq and hlg in HEIF and AVIF only."),
      output(
        "gainMap.channels", .integer, choices: ["1", "3"], standard: "1",
        "A gain of luminance, or one of each color"),
      output(
        "gainMap.scale", .text, choices: GainMapCreation.Scale.allCases.map(\.rawValue),
        standard: "half",
        "Size of the map beside the picture"),
      output(
        "light.contentLight.maximumNits", .number, from: 0, unit: "cd/m²", standard: "measured",
        "MaxCLL: largest channel of the brightest pixel", "With averageNits."),
      output(
        "light.contentLight.averageNits", .number, from: 0, unit: "cd/m²", standard: "measured",
        "MaxFALL: mean of the pixels' largest channels", "With maximumNits."),
    ]
    + ["Red", "Green", "Blue", "White"].map { color in
      output(
        "light.masteringDisplay.\(color.lowercased())", .point, standard: "none",
        "\(color) of the display that the picture was made on", "All six belong together.")
    } + [
      output(
        "light.masteringDisplay.maximumNits", .number, from: 0, unit: "cd/m²", standard: "none",
        "Brightest light of that display"),
      output(
        "light.masteringDisplay.minimumNits", .number, from: 0, unit: "cd/m²", standard: "none",
        "Darkest light of that display"),
      output(
        "light.contentVolume.primaries", .points, count: 3, standard: "none",
        "Red, green and blue that the picture stays within"),
      output(
        "light.contentVolume.minimumNits", .number, from: 0, unit: "cd/m²", standard: "none",
        "Darkest light of the picture"),
      output(
        "light.contentVolume.maximumNits", .number, from: 0, unit: "cd/m²", standard: "none",
        "Brightest light of the picture"),
      output(
        "light.contentVolume.averageNits", .number, from: 0, unit: "cd/m²", standard: "none",
        "Mean light of the picture"),
      output(
        "light.ambient.lux", .number, from: 0, unit: "lux", standard: "none",
        "Light of the room that the picture was made in", "With color."),
      output("light.ambient.color", .point, standard: "none", "Its color", "With lux."),
      output(
        "light.diffuseWhiteNits", .number, from: 0, unit: "cd/m²", standard: "none",
        "Light of reference white on the display that the picture was made on"),
    ]
}

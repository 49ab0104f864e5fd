import Formats
import Foundation
import HDRRender
import ImageCore
import RawFilter
import Recipes
import Testing

@Suite struct RecipeTests {
  private func again(_ recipe: Recipe) throws -> Recipe {
    try JSONDecoder().decode(Recipe.self, from: JSONEncoder().encode(recipe))
  }

  @Test func survivesJSON() throws {
    var recipe = Recipe()
    recipe.raw.exposure = -0.25
    recipe.raw.neutral = .temperature(kelvin: 4300, tint: -7)
    recipe.raw.scaleFactor = 0.5
    recipe.raw.extendedDynamicRangeAmount = 0.75
    recipe.output.format = .tiff
    recipe.output.quality = 0.5
    recipe.output.chroma = .yuv444
    recipe.output.sdrBits = 8
    recipe.output.hdrBits = 12
    recipe.output.tiffCompression = .zstd
    recipe.output.exrCompression = .dwab
    recipe.output.exrLevel = 80
    recipe.output.exrLayout = .tiles
    recipe.output.exrTileSize = 32
    recipe.output.colorSpace = .bt2100PQ
    recipe.output.iccProfile = "a.icc"
    recipe.output.intent = .perceptual
    recipe.output.thumbnail = 320
    recipe.output.light.diffuseWhiteNits = 203
    recipe.output.light.ambient = .init(lux: 5, color: .d65)
    #expect(try again(recipe) == recipe)
    #expect(try again(Recipe()) == Recipe())
    #expect(recipe != Recipe())
  }

  @Test func absentKeysKeepTheirDefault() throws {
    func recipe(_ text: String) throws -> Recipe {
      try JSONDecoder().decode(Recipe.self, from: Data(text.utf8))
    }
    #expect(try recipe("{}") == Recipe())
    #expect(try recipe(#"{"outputs": {"main": {}}, "raw": {}}"#) == Recipe())
    var wanted = Recipe()
    wanted.output.format = .heifPQ
    wanted.raw.exposure = 1
    #expect(
      try recipe(#"{"outputs": {"main": {"format": "heif-pq"}}, "raw": {"exposure": 1}}"#) == wanted
    )
    #expect(throws: (any Error).self) {
      try recipe(#"{"outputs": {"main": {"format": "heif-xyz"}}}"#)
    }
    #expect(throws: (any Error).self) {
      try recipe(#"{"raw": {"extendedDynamicRangeAmount": "much"}}"#)
    }
  }

  /// Metadata that a container cannot hold are refused, not dropped.
  @Test func hdrMetadataAndThumbnailsNeedAContainerThatHoldsThem() throws {
    var output = Recipe.Output()
    output.thumbnail = 320
    output.light.ambient = .init(lux: 5, color: .d65)
    try output.validate()
    output.format = .jpeg
    #expect(throws: RecipeError.self) { try output.validate() }
    output.thumbnail = nil
    #expect(throws: RecipeError.self) { try output.validate() }
    output.format = .png
    #expect(throws: RecipeError.self) { try output.validate() }
    output.light = .init()
    output.light.contentLight = .init(maximumNits: 900, averageNits: 100)
    try output.validate()
    output.format = .heifHLG
    output.thumbnail = 8
    #expect(throws: RecipeError.self) { try output.validate() }
  }

  @Test func namesInJSONAreThoseOfTheCommandLine() throws {
    let text = String(decoding: try JSONEncoder().encode(Recipe()), as: UTF8.self)
    for name in [#""heif-hlg""#, #""420""#, #""deflate""#, #""display-p3""#] {
      #expect(text.contains(name), "\(name) is not in \(text)")
    }
  }

  /// IDs of files and journals are made of this text: a new name for a setting does not change it,
  /// and settings that are nil do not occur.
  @Test func canonicalTextHasFormerNames() throws {
    var output = Recipe.Output()
    let text = try output.canonicalText
    #expect(text.contains(#""tiffSpace":"display-p3""#))
    for name in ["colorSpace", "iccProfile", "intent"] { #expect(!text.contains(name)) }
    let data = Data(text.utf8)
    #expect(try JSONDecoder().decode(Recipe.Output.self, from: data) == output)
    output.colorSpace = .adobeRGB
    let again = Data(try output.canonicalText.utf8)
    #expect(try JSONDecoder().decode(Recipe.Output.self, from: again) == output)
  }

  @Test func colorSpaceIsThatOfTheFile() throws {
    var output = Recipe.Output()
    output.colorSpace = .proPhoto
    for format in OutputFormat.allCases where format.isDeveloped {
      output.format = format
      let isWide = format.transfer == .standard && !format.descriptor.isFloat
      #expect(output.primaries == (isWide ? .proPhoto : .bt2020), "\(format)")
      #expect(throws: Never.self) { try output.encoding.validate() }
    }
    // What only a TIFF holds leaves other files in the default.
    output.colorSpace = .bt2100PQ
    output.format = .jpeg
    #expect(output.primaries == .displayP3)
    output.format = .tiff
    #expect(output.encoding.space == .bt2100PQ && output.encoding.bits == 16)
    (output.colorSpace, output.sdrBits) = (.adobeRGB, 8)
    #expect(output.encoding.space == .adobeRGB && output.encoding.bits == 8)
    output.colorSpace = .linearBT2020
    #expect(throws: RecipeError.self) { try output.validate() }
  }

  @Test func floatsAreLinear() throws {
    for space in ColorSpace.allCases {
      for format in OutputFormat.allCases where format.descriptor.isFloat {
        var output = Recipe.Output()
        (output.format, output.colorSpace) = (format, space)
        try output.validate()
        try output.encoding.validate()
        let primaries = space.isLinear ? space.primaries : .bt2020
        #expect(output.primaries == primaries)
        #expect(output.encoding.space == ColorSpace(linear: primaries))
      }
      var output = Recipe.Output()
      (output.format, output.colorSpace) = (.tiff, space)
      if space.isOfFloats {
        let error = #expect(throws: RecipeError.self) { try output.validate() }
        #expect(error?.message.contains("floats") == true)
      } else {
        try output.validate()
        try output.encoding.validate()
      }
    }
  }

  @Test func sceneIsForLinearFiles() throws {
    for format in OutputFormat.allCases {
      var recipe = Recipe()
      recipe.raw.look.base = .scene
      recipe.output.format = format
      if !format.isDeveloped {
        try recipe.validateScene()
      } else if format.descriptor.isFloat {
        try recipe.validateScene()
        #expect(recipe.settings(for: recipe.output).boostAmount == 0)
      } else {
        let error = #expect(throws: RecipeError.self) { try recipe.validateScene() }
        #expect(error?.message.contains("write exr") == true)
      }
    }
    var linear = Recipe()
    linear.raw.look.base = .scene
    (linear.output.format, linear.output.colorSpace) = (.tiff, .linearDisplayP3)
    try linear.validateScene()
    // The word is no path, from whichever folder the document is.
    let document = try RecipeDocument(
      text: "raw: {look: scene}\noutputs: {a: {format: exr, floatBits: 32}}", path: "/x/r.yaml")
    let recipe = try Recipe(LayeredRecipe([RecipeLayer(.recipe, "r", document)]))
    #expect(recipe.raw.isScene && recipe.output.encoding.bits == 32)
    let wrong = try RecipeDocument(text: "outputs: {a: {format: exr, floatBits: 24}}")
    #expect(wrong.problems().count == 1)
  }

  @Test func profilesAreForPlainSDR() throws {
    var output = Recipe.Output()
    output.iccProfile = "a/printer.icc"
    for format in OutputFormat.allCases {
      output.format = format
      let isTaken =
        format.transfer == .standard && !format.hasGainMap && !format.descriptor.isFloat
        && format.isDeveloped
      if isTaken {
        try output.validate()
        #expect(output.primaries == .proPhoto && output.coding == "SDR, printer.icc")
      } else {
        #expect(throws: RecipeError.self, "\(format)") { try output.validate() }
      }
    }
    output.format = .tiff
    output.colorSpace = .sRGB
    #expect(throws: RecipeError.self) { try output.validate() }
  }

  @Test func headroomSuitsTheOutput() {
    var recipe = Recipe()
    for format in OutputFormat.allCases {
      for space in ColorSpace.allCases {
        recipe.output.format = format
        recipe.output.colorSpace = space
        let isHDR =
          switch format {
          case .heifHLG, .heifPQ, .png, .pngHLG, .jxl, .jxlHLG: true
          case .tiffFloat, .exr, .npy, .planes: true
          case .avif, .avifHLG, .avifGainMap, .heicGainMap, .jpegGainMap, .jxlGainMap: true
          case .avifSDR, .heifSDR, .pngSDR, .jxlSDR, .jpeg, .dng: false
          case .tiff: space == .bt2100PQ || space == .bt2100HLG
          }
        #expect(recipe.settings(for: recipe.output).extendedDynamicRangeAmount == (isHDR ? 1 : 0))
      }
    }
  }

  @Test func requestedHeadroomIsPreserved() {
    for format in OutputFormat.allCases {
      var recipe = Recipe()
      recipe.output.format = format
      recipe.raw.extendedDynamicRangeAmount = 0.6
      #expect(recipe.settings(for: recipe.output).extendedDynamicRangeAmount == 0.6)
      recipe.output.extendedDynamicRangeAmount = 0.3
      #expect(recipe.settings(for: recipe.output).extendedDynamicRangeAmount == 0.3)
      recipe.output.extendedDynamicRangeAmount = 0
      #expect(recipe.settings(for: recipe.output).extendedDynamicRangeAmount == 0)
    }
  }

  @Test func settingsOutsideTheirRangeAreNamed() throws {
    try Recipe().validate()
    func refusal(_ change: (inout Recipe) -> Void) -> String {
      var recipe = Recipe()
      change(&recipe)
      do { try recipe.validate() } catch { return "\(error.code) \(error)" }
      return "accepted"
    }
    #expect(refusal { $0.output.quality = 1.5 }.contains("quality"))
    #expect(refusal { $0.output.quality = .nan }.contains("quality"))
    #expect(refusal { $0.output.sdrBits = 12 }.contains("bits"))
    #expect(refusal { $0.output.hdrBits = 8 }.contains("bits"))
    #expect(refusal { $0.raw.exposure = .infinity }.contains("badSetting"))
    #expect(refusal { $0.raw.extendedDynamicRangeAmount = 2 }.contains("badSetting"))
  }
}

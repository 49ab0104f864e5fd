import Containers
import Foundation
import ImageCore
import RawDecode
import RawFilter
import Recipes
import SyntheticRaw
import SystemPackage
import TestSupport
import Testing

@testable import Develop

/// DNGs among the outputs of recipes.
@Suite struct DeveloperDNGTests {
  private func recipe(_ samples: DNGChoice.Samples = .stored) -> Recipe {
    var recipe = Recipe()
    recipe.output.format = .dng
    recipe.output.dng.samples = samples
    return recipe
  }

  private func made(_ raw: SmallRaw, _ recipe: Recipe) throws -> Data {
    let output = raw.file("out.dng")
    try? FileManager.default.removeItem(atPath: output)
    _ = try Developer(recipe: recipe).develop(raw.path, to: .replacing(output))
    return try #require(FileManager.default.contents(atPath: output))
  }

  @Test func severalOutputsOfOneRecipe() throws {
    let raw = try SmallRaw()
    var recipe = Recipe()
    let names = ["archive", "web", "print"]
    recipe.outputs = Dictionary(uniqueKeysWithValues: names.map { ($0, Recipe.Output()) })
    recipe.outputs["archive"]?.format = .dng
    recipe.outputs["print"]?.format = .tiff
    let paths = ["archive": "a.dng", "web": "a.heic", "print": "a.tif"].mapValues(raw.file)
    let sample = PictureSample()
    let reports = try Developer(recipe: recipe).develop(
      try Developer.open(raw.path), named: raw.path, to: paths.mapValues { .replacing($0) },
      sample: sample)
    #expect(reports.map(\.name) == ["archive", "print", "web"])
    #expect(reports.map(\.format) == ["dng", "tiff", "heif-hlg"])
    #expect(reports[0].coding == "stored samples, lossless-jpeg, verified")
    #expect(reports[0].contentHeadroom == 0 && reports[2].contentHeadroom > 1)
    #expect(raw.names == ["a.dng", "a.heic", "a.tif", "small.dng"])
    // The sample is from the first developed output.
    #expect(sample.statistics != nil)
    var single = recipe
    single.outputs["archive"] = nil
    let alone = raw.file("b.heic")
    _ = try Developer(recipe: single).develop(
      try Developer.open(raw.path), named: raw.path, to: ["web": .replacing(alone)])
    let both = try [paths["web"] ?? "", alone].map { try Data(contentsOf: URL(filePath: $0)) }
    #expect(both[0].count == both[1].count)
  }

  @Test func itIsWhatTheConverterWrites() throws {
    let raw = try SmallRaw()
    for samples in DNGChoice.Samples.allCases {
      var converter = DNGConverter(workers: 2)
      converter.samples = samples
      let path = raw.file("converted.dng")
      _ = try converter.convert(raw.path, to: .replacing(path))
      #expect(try Data(contentsOf: URL(filePath: path)) == made(raw, recipe(samples)))
    }
  }

  /// Color stages and later ones are no part of any DNG.
  @Test(arguments: DNGChoice.Samples.allCases)
  func propertiesOfColorHaveNoEffect(samples: DNGChoice.Samples) throws {
    let raw = try SmallRaw(peak: 4)
    var changed = recipe(samples)
    let plain = try made(raw, changed)
    changed.raw.exposure = 1.5
    changed.raw.contrastAmount = 0.7
    changed.raw.scaleFactor = 0.3
    changed.raw.orientation = .left
    changed.output.maxSize = 40
    #expect(try made(raw, changed) == plain)
    changed.raw.luminanceNoiseReductionAmount = 0.9
    #expect(try (made(raw, changed) == plain) == (samples != .scene))
    changed.raw.isHighlightRecoveryEnabled = false
    #expect(try (made(raw, changed) == plain) == (samples == .stored))
    #expect(changed.effective.raw.exposure == RAWSettings().exposure)
    changed.outputs["web"] = Recipe.Output()
    #expect(changed.effective == changed)
  }

  @Test func sidecarsDescribeIt() throws {
    let raw = try SmallRaw()
    var description = XMPDescription(.basic, .dublinCore)
    description.add(.basic, "Rating", "4")
    description.add(.dublinCore, "rights", .languages, ["© Somebody"])
    var developer = Developer(recipe: recipe())
    developer.sidecarDescription = XMPWriter.packet(descriptions: [description.text])
    _ = try developer.develop(raw.path, to: .replacing(raw.file("out.dng")))
    let written = try RawFile.open(path: raw.file("out.dng"))
    let packet = XMPPacket(lenient: try #require(written.metadata.xmp))
    #expect(packet[.basic, "Rating"]?.text == "4")
    #expect(packet[.media, "DerivedFrom"] != nil)
    #expect(written.metadata[.image, 0x8298] == .ascii("© Somebody"))
    #expect(written.metadata.model == (try RawFile.open(path: raw.path)).metadata.model)
  }

  /// The preview that a DNG gets here is no rendering of the camera's, whose brightness counts.
  @Test func aPreviewThatIsDrawnChangesNoExposure() throws {
    let folder = try TestFolder()
    var plain = SimulatedSensor().expose(size: PixelSize(width: 120, height: 88)) { x, _ in
      SIMD3(repeating: Float(x) / 60)
    }
    plain.baselineExposure = nil
    let raw = folder.file("plain.dng")
    try folder.write(plain.bytes, to: "plain.dng")
    _ = try DNGConverter().convert(raw, to: .replacing(folder.file("with-preview.dng")))
    let (source, written) = (
      try Developer.open(raw), try Developer.open(folder.file("with-preview.dng"))
    )
    #expect(source.previewImage == nil && source.rawFile.info.baselineExposure == 0)
    #expect(try #require(written.previewImage).isOwn)
    #expect(try written.resolvedBaselineExposure() == source.resolvedBaselineExposure())
  }

  @Test func previewsAreSampledWhereNothingIsDeveloped() throws {
    let raw = try SmallRaw()
    _ = try DNGConverter().convert(raw.path, to: .replacing(raw.file("with-preview.dng")))
    let sample = PictureSample()
    _ = try Developer(recipe: recipe()).develop(
      try Developer.open(raw.file("with-preview.dng")), named: "x",
      to: [Recipe.onlyOutput: .replacing(raw.file("out.dng"))], sample: sample)
    #expect(try #require(try sample.thumbnail(side: 64)).count > 200)
    #expect(sample.statistics?.aboveWhiteShare == 0)
  }

  @Test func notesNameWhatHasNoEffect() throws {
    func notes(_ text: String) throws -> [String] {
      let resolver = try RecipeResolver(recipes: [try RecipeDocument(text: text)])
      let planner = RecipePlanner(resolver, workingFolder: "/")
      let raw = try SmallRaw()
      return try planner.plan(
        RawSource(path: .init(raw.path), relativePath: "a.dng"), Developer.open(raw.path)
      ).resolved.notes
    }
    let dng = "outputs: {a: {format: dng}}"
    #expect(try notes(dng).isEmpty)
    let one = try notes("{raw: {exposure: 1}, \(dng)}")
    #expect(one.count == 1 && one[0].contains("exposure has no effect"))
    let web = "outputs: {a: {format: dng}, b: {format: jpeg-sdr}}"
    #expect(try notes("{raw: {exposure: 1}, \(web)}").isEmpty)
    let scene = "outputs: {a: {format: dng, dng: {samples: scene}}}"
    #expect(try notes("{raw: {luminanceNoiseReductionAmount: 0.5}, \(scene)}").isEmpty)
  }

  @Test func bracketsAreRefused() throws {
    let raw = try SmallRaw()
    let resolver = try RecipeResolver(
      recipes: [try RecipeDocument(text: "outputs: {a: {format: dng}}")])
    var source = RawSource(path: .init(raw.path), relativePath: "a.dng")
    source.frames = [source.path, "/b.dng"]
    let error = #expect(throws: PlanError.self) {
      try RecipePlanner(resolver, workingFolder: "/").plan(source, Developer.open(raw.path))
    }
    #expect(error?.message.contains("merged bracket") == true)
  }
}

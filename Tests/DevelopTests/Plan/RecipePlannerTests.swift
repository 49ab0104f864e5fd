import Codecs
import Foundation
import RawFilter
import Recipes
import SystemPackage
import TestSupport
import Testing

@testable import Develop

@Suite struct RecipePlannerTests {
  private func plan(
    _ yaml: String, _ source: RawSource, info: SourceInfo = .made(), in folder: TestFolder,
    choice: RecipePlanner.OutputChoice? = nil
  ) throws -> RecipePlanner.Plan {
    let resolver = try RecipeResolver(recipes: [try RecipeDocument(text: yaml)])
    return try RecipePlanner(resolver, outputs: choice, workingFolder: FilePath(folder.path)).plan(
      source, info)
  }

  /// Paths of outputs by name.
  private func paths(
    _ yaml: String, _ relativePath: FilePath = "b/a.CR2", out: String? = nil,
    shared: Bool = false, info: SourceInfo = .made()
  ) throws -> [String: String] {
    let folder = try TestFolder()
    let path = FilePath(folder.path).pushing(relativePath)
    // Sidecars are searched next to the raw.
    let parents = sequence(first: path.removingLastComponent()) { path in
      path == FilePath(folder.path) ? nil : path.removingLastComponent()
    }
    for parent in Array(parents).reversed() {
      let result = parent.withPlatformString { mkdir($0, 0o777) }
      try #require(result == 0 || errno == EEXIST)
    }
    var source = RawSource(path: path, relativePath: relativePath)
    (source.output, source.isNameShared) = (out, shared)
    return try plan(yaml, source, info: info, in: folder).outputs.mapValues(\.text)
  }

  @Test func foldersAreMirrored() throws {
    let jpeg = "outputs: {main: {format: jpeg-sdr}}"
    #expect(try paths(jpeg) == ["main": "b/a.jpg"])
    #expect(try paths(jpeg, "a.CR2") == ["main": "a.jpg"])
    #expect(try paths(jpeg, "b/c/a.x.CR2") == ["main": "b/c/a.x.jpg"])
    #expect(try paths(jpeg, "a.CR2", shared: true) == ["main": "a.CR2.jpg"])
    #expect(try paths("outputs: {main: {name: 'web/{stem}-x'}}") == ["main": "b/web/a-x.heic"])
    #expect(try paths("outputs: {main: {name: '{folder}-web/{stem}'}}") == ["main": "b-web/a.heic"])
    let model = SourceInfo.made(model: "X/1")
    let info = try paths("outputs: {main: {name: '{date:%Y}/{camera}-{iso}'}}", info: model)
    #expect(info == ["main": "b/2026/Fake X_1-100.heic"])
  }

  /// The XMP of the raw itself is used, also when it comes from a journal.
  @Test func settingsInTheRawCount() throws {
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" \
      crs:ProcessVersion="15.4"
      crs:Exposure2012="+1.00" crs:HasSettings="True"/></rdf:RDF></x:xmpmeta>
      """
    var info = SourceInfo.made()
    info.packedXMP = Data(try #require(ZlibStream.deflate(Array(packet.utf8))))
    info = try JSONDecoder().decode(SourceInfo.self, from: JSONEncoder().encode(info))
    let folder = try TestFolder()
    let source = RawSource(path: FilePath(folder.file("a.dng")), relativePath: "a.dng")
    #expect(try plan("schema: 1", source, info: info, in: folder).recipe.raw.exposure == 1)
    #expect(try plan("schema: 1", source, in: folder).recipe.raw.exposure != 1)
  }

  @Test func bytesOfNamesStay() throws {
    let relativePath = FilePath(bytes: [0xFF, 0x2F, 0xFE, 0x20] + Array(".CR2".utf8))
    let path = try #require(try paths("outputs: {main: {format: jpeg-sdr}}", relativePath)["main"])
    #expect(FilePath(text: path).bytes == [0xFF, 0x2F, 0xFE, 0x20] + Array(".jpg".utf8))
  }

  @Test func outputsOfOneKindAreToldApart() throws {
    let two =
      "outputs: {main: null, big: {format: jpeg-sdr}, small: {format: jpeg-sdr, maxSize: 100}}"
    #expect(try paths(two) == ["big": "b/a-big.jpg", "small": "b/a-small.jpg"])
    let kinds = "outputs: {main: null, hdr: {format: heif-hlg}, web: {format: jpeg-sdr}}"
    #expect(try paths(kinds) == ["hdr": "b/a.heic", "web": "b/a.jpg"])
    let named =
      "outputs: {main: null, big: {format: jpeg-sdr}, small: {format: jpeg-sdr, name: 's/{stem}'}}"
    #expect(try paths(named) == ["big": "b/a.jpg", "small": "b/s/a.jpg"])
    // A path from a manifest is for all outputs.
    for recipe in [two, named] {
      #expect(
        try paths(recipe, out: "set/1") == ["big": "set/1-big.jpg", "small": "set/1-small.jpg"])
    }
    #expect(try paths(kinds, out: "set/1.x") == ["hdr": "set/1.x.heic", "web": "set/1.x.jpg"])
  }

  @Test(arguments: [
    "outputs: {main: {format: jpeg-sdr, name: x}, web: {format: jpeg-sdr, name: x}}",
    "outputs: {main: {format: jpeg-sdr}, web: {format: jpeg-sdr, name: '{stem}'}}",
  ]) func outputsOfOneNameAreRefused(yaml: String) {
    let error = #expect(throws: PlanError.self) { try paths(yaml) }
    #expect(error?.code == .sameOutput)
    #expect(error?.message.contains("main") ?? false && error?.message.contains("web") ?? false)
  }

  @Test(arguments: ["../x", "/x", "a/../../x", "", ".", "/", "a/.."])
  func pathsOutsideTheFolderAreRefused(out: String) {
    let error = #expect(throws: PlanError.self) { try paths("{}", out: out) }
    #expect(error?.code == .badSetting)
  }

  @Test(arguments: ["a/", "a/../"]) func longPathsAreRefused(part: String) {
    let out = String(repeating: part, count: 3000) + "b"
    let error = #expect(throws: PlanError.self) { try paths("{}", out: out) }
    #expect(error?.code == .badSetting && error?.message.utf8.count ?? 999 < 200)
  }

  @Test func pathsBelowTheFolderAreAccepted() throws {
    #expect(try paths("{}", out: "a/../b/./x") == ["main": "b/x.heic"])
  }

  @Test func manifestsBringRecipes() throws {
    let folder = try TestFolder()
    try folder.write("raw: {exposure: 2}", to: "mine.yaml")
    try folder.write("raw: {contrastAmount: 0.25}", to: "a.CR2.rawdev.yaml")
    var source = RawSource(path: FilePath(folder.file("a.CR2")), relativePath: "a.CR2")
    let base = "raw: {exposure: 1, contrastAmount: 0.75}"
    #expect(try plan(base, source, in: folder).recipe.raw.exposure == 1)
    source.recipe = .named("mine.yaml")
    var recipe = try plan(base, source, in: folder).recipe
    // Overrides named recipes, and is overridden by the sidecar.
    #expect(recipe.raw.exposure == 2 && recipe.raw.contrastAmount == 0.25)
    source.recipe = .values(.map(["raw": .map(["exposure": .number(3), "nonsense": .number(1)])]))
    let plan = try plan(base, source, in: folder)
    recipe = plan.recipe
    #expect(recipe.raw.exposure == 3 && recipe.raw.contrastAmount == 0.25)
    #expect(plan.resolved.warnings.contains { $0.contains("nonsense") })
    for bad: SourceRecipe in [
      .named("none.yaml"), .values(.map(["raw": .map(["exposure": .text("x")])])),
    ] {
      source.recipe = bad
      #expect(throws: RecipeError.self) { try self.plan(base, source, in: folder) }
    }
  }

  @Test func optionsMayChooseOutputs() throws {
    let folder = try TestFolder()
    let source = RawSource(path: FilePath(folder.file("a.CR2")), relativePath: "a.CR2")
    let found = try plan(
      "outputs: {web: {format: jpeg-sdr}}", source, in: folder,
      choice: { outputs in
        #expect(outputs.keys.sorted().contains("web"))
        var output = Recipe.Output()
        output.format = .png
        return ["only": output]
      })
    #expect(found.outputs == ["only": "a.png"])
    #expect(throws: (any Error).self) { try plan("{}", source, in: folder, choice: { _ in [:] }) }
  }
}

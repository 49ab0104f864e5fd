import Foundation
import TestSupport
import Testing

@testable import Recipes

@Suite struct FolderDefaultsTests {
  private let folder: TestFolder
  init() throws {
    folder = try TestFolder()
    try folder.write("root: true\nraw: {exposure: 0}\n", to: "a/.rawdev/defaults.yaml")
  }

  private func path(_ name: String) -> [UInt8] { Array((folder.path + "/" + name).utf8) }

  private func layers(_ name: String, _ info: PictureInfo = PictureInfo()) throws
    -> [RecipeLayer]
  {
    try FolderDefaults().layers(folder: path(name), info: info)
  }

  private func failure(_ name: String) -> RecipeError? {
    do {
      _ = try layers(name)
      return nil
    } catch { return error as? RecipeError }
  }

  @Test func nearestWins() throws {
    try folder.write("{\"raw\": {\"exposure\": 2}}", to: "a/b/c/.rawdev/defaults.json")
    #expect(LayeredRecipe(try layers("a/b/c/d")).values.line == "{raw: {exposure: 2}}")
    #expect(LayeredRecipe(try layers("a/b")).values.line == "{raw: {exposure: 0}}")
    let names = try layers("a/b/c").map(\.source)
    #expect(names.map { $0.hasPrefix("defaults \(folder.path)/a") } == [true, true])
    #expect(names.last?.hasSuffix("defaults.json") == true)
  }

  @Test func rootEndsTheSearch() throws {
    try folder.write("raw: {x: 1}\n", to: ".rawdev/defaults.yaml")
    #expect(try layers("a/b").count == 1)
    try folder.write("root: maybe\n", to: "a/.rawdev/defaults.yaml")
    #expect(failure("a/b")?.code == .badSetting)
  }

  @Test func twoFilesForOneFolderAreAnError() throws {
    try folder.write("", to: "a/.rawdev/defaults.json")
    let error = failure("a/b")
    #expect(error?.path?.hasSuffix("defaults.yaml") == true)
    #expect(error?.message.contains("defaults.json") == true)
  }

  @Test func folderDefaultsExtendOtherRecipes() throws {
    try folder.write(
      "extends: ../base.yaml\nroot: true\nraw: {exposure: 1}\n", to: "a/.rawdev/defaults.yaml")
    try folder.write(
      "raw: {exposure: 5, x: 5}\nrules: [{match: {iso: 100}, raw: {x: 9}}]", to: "a/base.yaml")
    let layers = try layers("a", PictureInfo(iso: 100))
    #expect(layers.map(\.kind) == [.cameraISO, .folder, .folder])
    #expect(LayeredRecipe(layers).values.line == "{raw: {exposure: 1, x: 5}}")
  }

  @Test func eachFileIsReadOnce() throws {
    let defaults = FolderDefaults()
    for _ in 0..<10_000 { _ = try defaults.layers(folder: path("a/b/c")) }
    // Three names in each of a/b/c, a/b and a.
    #expect(defaults.reads == 9)
    _ = try defaults.layers(folder: path("a/b"))
    #expect(defaults.reads == 9)
    try folder.write("root: true\nraw: {exposure: 7}\n", to: "a/.rawdev/defaults.yaml")
    #expect(
      LayeredRecipe(try defaults.layers(folder: path("a"))).values.line == "{raw: {exposure: 0}}")
    defaults.forget()
    #expect(
      LayeredRecipe(try defaults.layers(folder: path("a"))).values.line == "{raw: {exposure: 7}}")
  }

  @Test func threadsShareOneReading() async throws {
    let defaults = FolderDefaults()
    let folder = path("a/b")
    let counts = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<50 { group.addTask { (try? defaults.layers(folder: folder).count) ?? -1 } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 1, count: 50))
    #expect(defaults.reads == 6)
  }

  @Test func circularLinksEnd() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/a/self", withDestinationPath: ".")
    #expect(try layers("a/self/self/self").count >= 1)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/a/loop", withDestinationPath: "loop")
    #expect(failure("a/loop")?.code == .cannotRead)
  }

  @Test func foldersThatAreNoUTF8() throws {
    let name = path("a/caf") + [0xE9]
    #expect(mkdir(name.map(CChar.init(truncatingIfNeeded:)) + [0], 0o700) == 0)
    #expect(try FolderDefaults().layers(folder: name).count == 1)
  }

  @Test func foldersDeeperThanPathsAreNoTrap() throws {
    let deep = path("a/" + (0..<2030).map { _ in "d" }.joined(separator: "/"))
    #expect(try FolderDefaults().layers(folder: deep).count == 1)
  }

  @Test func unreadableDefaultsAreNamed() throws {
    try folder.write("raw: [\n", to: "a/b/.rawdev/defaults.yaml")
    #expect(failure("a/b")?.path?.hasSuffix("/a/b/.rawdev/defaults.yaml") == true)
    try FileManager.default.removeItem(atPath: folder.path + "/a/b/.rawdev/defaults.yaml")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/a/b/.rawdev/defaults.yaml", withIntermediateDirectories: true)
    #expect(failure("a/b")?.code == .cannotRead)
  }
}

import Formats
import ImageCore
import RawFilter
import Readers
import Recipes
import TestSupport
import Testing

@testable import Develop

/// The advice of messages is a separate value, and reaches the command unchanged.
@Suite struct RemedyTests {
  @Test func stayWhereAnErrorIsPassedOn() {
    let raw = RAWError(
      .unsupported, .open, "no; install", setting: "frame", remedies: [.installDecoder])
    let read = ReadError(.damaged, "no; drop it", remedies: [.dropGainMap])
    let write = WriteError(.exists, "exists; name another", remedies: [.allowReplacement])
    let recipe = RecipeError(.badSetting, "old; migrate it", remedies: [.migrateRecipe])
    let all: [(any Error, [Remedy])] = [
      (raw, raw.remedies), (read, read.remedies), (write, write.remedies),
      (recipe, recipe.remedies), (DevelopError.raw(raw), raw.remedies),
    ]
    for (error, remedies) in all {
      let passed = DevelopError(error, path: "a.raw")
      #expect(passed.remedies == remedies && !remedies.isEmpty)
    }
    guard case .raw(let named) = DevelopError(raw, path: "a.raw") else {
      Issue.record("another error")
      return
    }
    #expect(named.path == "a.raw" && named.setting == "frame")
    #expect(raw.naming("b").naming("c").path == "b")
    #expect(write.at("b").remedies == [.allowReplacement])
    #expect(DevelopError.cancelled(path: "a").remedies.isEmpty)
  }

  @Test func ofAFileThatIsThere() throws {
    let folder = try TestFolder()
    let path = try folder.write([1, 2, 3] as [UInt8], to: "a.png")
    for existing in [ExistingFiles.refuse, .replaceOwn] {
      let target = OutputDestination.file(path: path, existing: existing)
      let error = #expect(throws: WriteError.self) { try target.check(.any()) }
      #expect(error?.remedies == [.allowReplacement], "\(existing)")
    }
  }

  @Test func eachOnceInOneOrder() {
    #expect(Remedy.each([.listRecipes, .allowTime, .listRecipes]) == [.allowTime, .listRecipes])
    #expect(Remedy.each([]) == [])
  }
}

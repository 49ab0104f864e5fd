import Foundation
import Recipes
import TestSupport
import Testing

@Suite struct RecipeChainTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func chain(_ names: String...) throws -> [String] {
    let documents = try names.map { try RecipeDocument(contentsOf: folder.path + "/" + $0) }
    return try RecipeChain.documents(documents).map {
      (($0.path ?? "") as NSString).lastPathComponent
    }
  }

  private func failure(_ name: String) -> RecipeError? {
    do {
      _ = try chain(name)
      return nil
    } catch { return error as? RecipeError }
  }

  @Test func eachComesAfterWhatItExtends() throws {
    try folder.write("extends: [sub/b.yaml, web]\n", to: "a.yaml")
    try folder.write("extends: ../c.json\n", to: "sub/b.yaml")
    try folder.write("{\"name\": \"c\"}", to: "c.json")
    #expect(try chain("a.yaml") == ["c.json", "b.yaml", "recipe web", "a.yaml"])
  }

  @Test func aDiamondCountsOnce() throws {
    try folder.write("extends: [b.yaml, c.yaml]\n", to: "a.yaml")
    try folder.write("extends: [d.yaml]\n", to: "b.yaml")
    try folder.write("extends: [./d.yaml]\n", to: "c.yaml")
    try folder.write("name: d\n", to: "d.yaml")
    #expect(try chain("a.yaml") == ["d.yaml", "b.yaml", "c.yaml", "a.yaml"])
    // A recipe that the caller names stays at the caller's position.
    #expect(try chain("b.yaml", "c.yaml") == ["d.yaml", "b.yaml", "c.yaml"])
    #expect(try chain("b.yaml", "d.yaml") == ["d.yaml", "b.yaml", "d.yaml"])
  }

  @Test func circlesAreShownCompletely() throws {
    try folder.write("name: a\nextends: [b.yaml]\n", to: "a.yaml")
    try folder.write("extends: [c.yaml]\n", to: "b.yaml")
    try folder.write("extends: [b.yaml]\n", to: "c.yaml")
    let error = failure("a.yaml")
    #expect(error?.code == .cyclicExtends)
    #expect(error?.path?.hasSuffix("/c.yaml") == true)
    let message = try #require(error?.message)
    let range = try #require(message.range(of: "circle: "))
    let names = message[range.upperBound...].split(separator: ";")[0].split(separator: " extends ")
    #expect(names.map { ($0 as NSString).lastPathComponent } == ["b.yaml", "c.yaml", "b.yaml"])
    try folder.write("extends: me.yaml\n", to: "me.yaml")
    #expect(failure("me.yaml")?.code == .cyclicExtends)
    // The same file by another name.
    try folder.write("extends: other.yaml\n", to: "link.yaml")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/other.yaml", withDestinationPath: "link.yaml")
    #expect(failure("link.yaml")?.code == .cyclicExtends)
  }

  @Test func rowsEnd() throws {
    for index in 0..<40 { try folder.write("extends: \(index + 1).yaml\n", to: "\(index).yaml") }
    try folder.write("", to: "40.yaml")
    #expect(failure("0.yaml")?.message.contains("more than 32") == true)
    #expect(try chain("9.yaml").count == 32)
  }

  @Test func aMissingBaseIsAnErrorOfTheRecipeThatExtendsIt() throws {
    try folder.write("name: a\nextends: [web, gone.yaml]\n", to: "a.yaml")
    let error = failure("a.yaml")
    #expect(error?.code == .cannotRead)
    #expect(error?.line == 2)
    #expect(error?.path?.hasSuffix("a.yaml") == true)
    #expect(error?.message.contains("gone.yaml") == true)
    try folder.write("extends: wep\n", to: "b.yaml")
    #expect(failure("b.yaml")?.message.contains("hdr-delivery") == true)
    for odd in ["1", "[1]", "{a: b}", "[[a]]"] {
      try folder.write("extends: \(odd)\n", to: "c.yaml")
      #expect(failure("c.yaml")?.code == .badSetting)
    }
  }

  @Test func bundledRecipesAreSound() throws {
    #expect(BundledRecipe.all.map(\.name) == BundledRecipe.all.map(\.name).sorted())
    for recipe in BundledRecipe.all {
      let document = try recipe.document
      #expect(document.values["name"] != nil)
      #expect(recipe.summary.hasSuffix("."))
      #expect(try RecipeChain.document(named: recipe.name) == document)
      // Written as the program writes it.
      #expect(try RecipeDocument(text: document.values.yaml).values == document.values)
    }
  }
}

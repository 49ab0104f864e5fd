import Foundation
import TestSupport
import Testing

@testable import Recipes

@Suite struct RecipeDocumentTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func failure(_ path: String) -> RecipeError? {
    do {
      _ = try RecipeDocument(contentsOf: path)
      return nil
    } catch { return error }
  }

  @Test func readsFiles() throws {
    let path = try folder.write("raw: {exposure: 1}\n", to: "a.yaml")
    let document = try RecipeDocument(contentsOf: path)
    #expect(document.values == .map(["raw": .map(["exposure": .number(1)])]))
    #expect(document.path == path)
    #expect(try document.schema == 1)
    #expect(try document.extends == [])
  }

  @Test func saysWhyAFileCannotBeRead() throws {
    #expect(failure(folder.path + "/none.yaml")?.code == .cannotRead)
    #expect(failure(folder.path)?.message.contains("ordinary") == true)
    let latin = try folder.write(
      Array("name: a\ndescription: caf".utf8) + [0xE9, 0x0A], to: "l.yaml")
    #expect(failure(latin)?.line == 2)
    #expect(failure(latin)?.message.contains("UTF-8") == true)
    let wide = try folder.write([0xFF, 0xFE, 0x61, 0x00], to: "w.yaml")
    #expect(failure(wide)?.message.contains("UTF-8") == true)
    let large = try folder.write(Array(repeating: 0x20, count: 1 << 20 + 1), to: "x.yaml")
    #expect(failure(large)?.message.contains("1 MiB") == true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/loop.yaml", withDestinationPath: "loop.yaml")
    #expect(failure(folder.path + "/loop.yaml")?.code == .cannotRead)
    #expect(mkfifo(folder.path + "/pipe.yaml", 0o600) == 0)
    #expect(failure(folder.path + "/pipe.yaml")?.code == .cannotRead)
    #expect(failure("a\0b.yaml")?.code == .cannotRead)
  }

  @Test func readsNamesThatAreNoUTF8() throws {
    let name = folder.bytes + Array("/caf".utf8) + [0xE9] + Array(".yaml".utf8)
    let file = name.map(CChar.init(truncatingIfNeeded:)) + [0]
    let stream = try #require(fopen(file, "w"))
    fputs("name: x\n", stream)
    fclose(stream)
    let document = try RecipeDocument(contentsOf: name)
    #expect(document.file == name)
    #expect(document.path?.hasSuffix("/caf\u{FFFD}.yaml") == true)
  }

  @Test func refusesNewerForms() throws {
    let path = try folder.write("name: x\nschema: 2\n", to: "a.yaml")
    #expect(failure(path)?.code == .newerSchema)
    #expect(failure(path)?.line == 2)
    #expect(failure(path)?.description.hasPrefix("\(path):2: schema is 2") == true)
    for odd in ["x", "1.5", "-1", "[1]", "true"] {
      try folder.write("schema: \(odd)\n", to: "a.yaml")
      #expect(failure(path)?.code == .badSetting)
    }
  }

  @Test func absolutePathsKeepLinksAndTakeOutDots() {
    func absolute(_ path: String) -> String { DocumentFile.absolute(Array(path.utf8)).text }
    #expect(absolute("/a/./b//c/") == "/a/b/c")
    #expect(absolute("/") == "/")
    let here = FileManager.default.currentDirectoryPath
    #expect(absolute("") == here)
    #expect(absolute(".") == here)
    #expect(absolute("x/y") == here + "/x/y")
    #expect(
      absolute(folder.path + "/..") == absolute((folder.path as NSString).deletingLastPathComponent)
    )
    #expect(Array("/a/b".utf8).folder?.text == "/a")
    #expect(Array("/a".utf8).folder?.text == "/")
    #expect(Array("/".utf8).folder == nil)
    #expect(Array("a".utf8).folder?.text == ".")
  }
}

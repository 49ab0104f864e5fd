import Develop
import Foundation
import Recipes
import SystemPackage
import TestSupport
import Testing

@testable import Batch

@Suite struct ManifestTests {
  private func read(_ text: String, folder: FilePath = "/raws") throws -> [RawSource] {
    try Manifest.sources(in: Data(text.utf8), folder: folder, name: "list.jsonl")
  }

  private static let long = String(repeating: "a/../", count: 1000)

  @Test func writtenIsRead() throws {
    let folder = try TestFolder()
    for name in ["a.dng", "b/new\nline.dng", "b/x.CR2", "b/x.NEF", "q\"uote.dng"] {
      try folder.write(name, to: name)
    }
    try TestFolder.write(
      [1], to: FilePath(bytes: folder.root.bytes + [0x2F, 0xFF] + Array(".dng".utf8)))
    var sources = try SourceList(["."], workingFolder: folder.root).sources
    sources[0].recipe = .named("web")
    sources[1].recipe = .values(.map(["raw": .map(["exposure": .number(0.5)])]))
    sources[1].output = "sets/one"
    let lines = try Manifest.lines(sources, relativeTo: folder.root)
    #expect(lines.split(separator: 10).count == 6)
    try TestFolder.write(Array(lines), to: folder.at("list.jsonl"))
    let back = try Manifest.sources(at: "list.jsonl", workingFolder: folder.root)
    #expect(back == sources)
  }

  @Test func pathsStartAtTheManifest() throws {
    let sources = try read(
      #"{"in": "a/b.dng"}"# + "\n\n \t\r\n" + #"{"id": "2", "in": "/other/c.dng", "out": "x/y"}"#
        + "\r\n" + #"{"in": "../d.dng", "recipe": "web"}"#)
    #expect(sources.map(\.path) == ["/raws/a/b.dng", "/other/c.dng", "/d.dng"])
    #expect(sources.map(\.relativePath) == ["a/b.dng", "c.dng", "d.dng"])
    #expect(sources.map(\.id) == ["a/b.dng", "2", "d.dng"])
    #expect(sources.map(\.output) == [nil, "x/y", nil] && sources[2].recipe == .named("web"))
  }

  @Test(arguments: [
    "nonsense", "{}", "[]", #"{"in": 3}"#, #"{"in": "a.dng""#, #"{"in": "a.dng", "recipe": 3}"#,
    #"{"in": "/"}"#, #"{"in": ""}"#, #"{"in": "a.dng"} {"in": "b.dng"}"#, "\u{FFFD}",
    #"{"in": "ok.dng"}"#, #"{"in": "\#(long)b.dng"}"#, #"{"in": "b.dng", "place": "\#(long)b"}"#,
  ]) func badLinesAreNamed(line: String) {
    let text = #"{"in": "ok.dng"}"# + "\n\n" + line + "\n" + #"{"in": "z.dng"}"#
    let error = #expect(throws: BatchError.self) { try read(text) }
    #expect(error?.code == .badManifest)
    #expect(error?.message.hasPrefix("line 3: ") ?? false)
    #expect(error?.description.hasPrefix("list.jsonl: line 3: ") ?? false)
  }

  @Test func deepLinesAreNamedAsSuch() {
    let deep = String(repeating: "[", count: 70) + String(repeating: "]", count: 70)
    let error = #expect(throws: BatchError.self) {
      try read(#"{"in": "a.dng", "recipe": {"raw": \#(deep)}}"#)
    }
    #expect(error?.code == .badManifest)
    #expect(error?.message.contains("nest values less") ?? false)
  }

  @Test func aMissingManifestIsNamed() throws {
    let folder = try TestFolder()
    let error = #expect(throws: BatchError.self) {
      try Manifest.sources(at: "none.jsonl", workingFolder: folder.root)
    }
    #expect(error?.code == .cannotRead && error?.path == "none.jsonl")
  }

  @Test func manifestsMayHaveAnyName() throws {
    let folder = try TestFolder()
    let name = FilePath(bytes: [0xFE, 0x0A])
    try TestFolder.write(Array(#"{"in": "a.dng"}"#.utf8), to: folder.root.pushing(name))
    let sources = try Manifest.sources(at: name, workingFolder: folder.root)
    #expect(sources.map(\.path) == [folder.at("a.dng")])
  }

  @Test func sharedNamesAreMarked() throws {
    let sources = try read(
      #"{"in": "a.CR2"}"# + "\n" + #"{"in": "a.DNG"}"# + "\n" + #"{"in": "b.DNG"}"#)
    #expect(sources.map(\.isNameShared) == [true, true, false])
  }
}

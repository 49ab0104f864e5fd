import Foundation
import Recipes
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Tuning

/// Stars and picks, in sidecars and in XMP.
@Suite struct EditKeeperMarksTests {
  private let files: TestFolder
  private let keeper: EditKeeper

  init() throws {
    files = try TestFolder()
    for name in ["a", "b", "c"] { try files.write("no raw: \(name)", to: name + ".dng") }
    keeper = EditKeeper(
      try TuningFolder(FilePath(files.path)), journals: nil, pause: .seconds(100_000)
    ) { _ in }
  }

  private func id(_ name: String) throws -> PictureID {
    try #require(keeper.entries(from: 0, count: 99).first { $0.name == name + ".dng" }).id
  }

  private func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: files.file(name))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private func sidecar(_ name: String) -> String? { text(name + ".dng.rawdev.yaml") }

  private func entry(_ name: String) throws -> TuningFolder.Entry {
    try #require(keeper.entry(try id(name)))
  }

  /// Reads what the list shows.
  private func read() async throws {
    _ = try keeper.folder.refresh()
    _ = keeper.entries(from: 0, count: 99)
    while keeper.folder.state.withLock(\.isReading) { try await Task.sleep(for: .milliseconds(1)) }
  }

  private static func packet(_ rating: String) -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
    xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="\(rating)"/></rdf:RDF></x:xmpmeta>
    """
  }

  @Test func theyAreInTheSidecarAtOnce() async throws {
    let ids = try [id("a"), id("b")]
    #expect(await keeper.mark(ids, .rating(4)).isEmpty)
    #expect(sidecar("a") == "schema: 1\nrating: 4\n" && sidecar("b") == sidecar("a"))
    #expect(sidecar("c") == nil)
    #expect(try entry("a").rating == 4 && entry("c").rating == nil)
    #expect(await keeper.mark([ids[0]], .pick(.picked)).isEmpty)
    #expect(sidecar("a") == "schema: 1\nrating: 4\npick: picked\n")
    #expect(try entry("a").pick == .picked && !entry("a").hasSettings)
    // Also after the folder is read again.
    try await read()
    #expect(try entry("a").rating == 4 && entry("a").pick == .picked)
    #expect(await keeper.mark(ids, .rating(nil)).isEmpty)
    #expect(sidecar("a") == "schema: 1\npick: picked\n")
    // Nothing at all is no sidecar.
    #expect(sidecar("b") == nil)
    #expect(await keeper.mark(ids, .pick(nil)).isEmpty)
    #expect(sidecar("a") == nil)
    #expect(try entry("a").pick == nil)
  }

  @Test func allElseStays() async throws {
    let text = "# Mine.\nunknown: 1   # yes\nraw:\n  # More.\n  exposure: 1\n"
    try files.write(text, to: "a.dng.rawdev.yaml")
    #expect(await keeper.mark([try id("a")], .rating(0)).isEmpty)
    #expect(sidecar("a") == text + "rating: 0\n")
    #expect(await keeper.mark([try id("a")], .rating(nil)).isEmpty)
    #expect(sidecar("a") == text)
    try files.write("{\"raw\": {\"exposure\": 1}}", to: "b.dng.rawdev.json")
    #expect(await keeper.mark([try id("b")], .pick(.rejected)).isEmpty)
    let json = try #require(self.text("b.dng.rawdev.json"))
    #expect(try RecipeDocument(text: json).values["pick"] == "rejected")
    #expect(sidecar("b") == nil)
  }

  /// Edits and marks are written by turns, and neither loses the other.
  @Test func editsAndMarksDoNotConflict() async throws {
    let id = try id("a")
    _ = try keeper.record(
      .init(key: "1", title: "Set", from: [:], own: ["exposure": 1]), on: id)
    #expect(await keeper.mark([id], .rating(5)).isEmpty)
    #expect(sidecar("a") == "schema: 1\nrating: 5\n")
    await keeper.saveAll()
    #expect(sidecar("a") == "schema: 1\nrating: 5\nraw:\n  exposure: 1\n")
    await withTaskGroup { group in
      for index in 1...20 {
        group.addTask { _ = await keeper.mark([id], .rating(index % 6)) }
        group.addTask {
          _ = try? keeper.record(
            .init(
              key: "k\(index)", title: "Set", from: [:], own: ["shadowBias": .number(0.1)]), on: id)
          await keeper.saveAll()
        }
      }
    }
    await keeper.saveAll()
    let document = try RecipeDocument(text: try #require(sidecar("a")))
    #expect(document.values["raw"]?["exposure"] == 1 && document.values["rating"] != nil)
    #expect(document.values["raw"]?["shadowBias"] == 0.1)
    #expect(keeper.pending.isEmpty)
    // What the edit sets goes; the marks stay.
    let edit = try keeper.edit(id)
    _ = try keeper.record(.init(key: "end", title: "Reset", from: edit.own, own: [:]), on: id)
    await keeper.saveAll()
    #expect(sidecar("a")?.contains("raw") == false && sidecar("a")?.contains("rating") == true)
  }

  /// A decision about a conflict is possible after marks changed the sidecar.
  @Test func conflictsAreAboutTheSidecarOfNow() async throws {
    let id = try id("a")
    try files.write("raw: {exposure: 1}\n", to: "a.dng.rawdev.yaml")
    let edit = try keeper.edit(id)
    _ = try keeper.record(
      .init(key: "1", title: "Set", from: edit.own, own: ["exposure": 2]), on: id)
    try files.write("raw: {exposure: 3}\n", to: "a.dng.rawdev.yaml")
    await keeper.saveAll()
    #expect(keeper.pending.first?.keeping == .conflict)
    #expect(await keeper.mark([id], .rating(1)).isEmpty)
    let conflict = try #require(keeper.pending.first?.conflict)
    keeper.save(id, EditDecision(.mine, revision: conflict.revision))
    #expect(sidecar("a") == "raw: {exposure: 2}\nrating: 1\n" && keeper.pending.isEmpty)
  }

  @Test func aDamagedSidecarStays() async throws {
    for text in ["raw: [\n", "schema: 99\n", "output: {format: jpeg}\n"] {
      try files.write(text, to: "a.dng.rawdev.yaml")
      #expect(await keeper.mark([try id("a"), try id("b")], .rating(1)).count == 1)
      #expect(sidecar("a") == text && sidecar("b") == "schema: 1\nrating: 1\n")
    }
    try FileManager.default.removeItem(atPath: files.file("c.dng"))
    _ = try keeper.folder.refresh()
    let gone = PictureID("0000000000000001-0000000000000002")
    #expect(await keeper.mark([try #require(gone)], .rating(1)).count == 1)
  }

  @Test func whatTheXMPGivesIsTakenBack() async throws {
    try files.write(Self.packet("-1"), to: "a.xmp")
    try files.write(Self.packet("3"), to: "b.xmp")
    try await read()
    #expect(try entry("a").pick == .rejected && entry("b").rating == 3)
    #expect(await keeper.mark([try id("a")], .pick(nil)).isEmpty)
    #expect(await keeper.mark([try id("b")], .rating(nil)).isEmpty)
    #expect(
      sidecar("a") == "schema: 1\npick: null\n" && sidecar("b") == "schema: 1\nrating: null\n")
    #expect(try entry("a").pick == nil && entry("b").rating == nil)
    #expect(text("a.xmp") == Self.packet("-1"))
  }

  // MARK: XMP

  @Test func theXMPGetsThemOnRequest() async throws {
    try files.write(Self.packet("1"), to: "a.xmp")
    let ids = try [id("a"), id("b"), id("c")]
    _ = await keeper.mark([ids[0]], .rating(5))
    _ = await keeper.mark([ids[1]], .pick(.rejected))
    #expect(text("a.xmp") == Self.packet("1") && text("b.dng.xmp") == nil)
    let (paths, failed) = await keeper.writeXMP(ids)
    #expect(failed.isEmpty)
    #expect(text("a.xmp") == Self.packet("5"))
    #expect(text("b.dng.xmp")?.contains("xmp:Rating=\"-1\"") == true)
    // Nothing is to be said of the third.
    #expect(text("c.dng.xmp") == nil && paths[ids[2]] == nil)
    #expect(
      [paths[ids[0]], paths[ids[1]]].map { $0?.lastComponent?.string } == ["a.xmp", "b.dng.xmp"])
    // The same again changes nothing.
    let before = try FileManager.default.attributesOfItem(atPath: files.file("a.xmp"))
    _ = await keeper.writeXMP(ids)
    let after = try FileManager.default.attributesOfItem(atPath: files.file("a.xmp"))
    #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
  }

  @Test func aDamagedXMPStays() async throws {
    for text in ["<x", "", "<a/>", Self.packet("1").replacing("</rdf:RDF>", with: "")] {
      try files.write(text, to: "a.xmp")
      _ = await keeper.mark([try id("a")], .rating(2))
      #expect(await keeper.writeXMP([try id("a")]).failed.count == 1)
      #expect(self.text("a.xmp") == text)
    }
  }

  @Test func linksOutOfTheFolderAreNotFollowed() async throws {
    let other = try TestFolder()
    try other.write(Self.packet("1"), to: "a.xmp")
    try FileManager.default.createSymbolicLink(
      atPath: files.file("a.xmp"), withDestinationPath: other.file("a.xmp"))
    _ = await keeper.mark([try id("a")], .rating(2))
    #expect(await keeper.writeXMP([try id("a")]).failed.count == 1)
    let there = FileManager.default.contents(atPath: other.file("a.xmp"))
    #expect(there == Data(Self.packet("1").utf8))
  }
}

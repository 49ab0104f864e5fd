import Foundation
import Recipes
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Tuning

/// The pictures that a keeper reported.
private final class ReportedPictures: Sendable {
  private let all = Mutex<Set<String>>([])
  var names: Set<String> { all.withLock(\.self) }

  func add(_ news: EditKeeper.News) {
    if case .edit(let status) = news { all.withLock { _ = $0.insert(status.name) } }
  }
}

/// How edits come into sidecars. Nothing here waits for a pause: they are saved when it is said so.
@Suite struct EditKeeperTests {
  private let files: TestFolder
  private let state: TestFolder
  init() throws {
    (files, state) = (try TestFolder(), try TestFolder())
    for name in ["a", "b", "c"] { try files.write("no raw: \(name)", to: name + ".dng") }
  }

  private func keeper(_ reported: @escaping @Sendable (EditKeeper.News) -> Void = { _ in }) throws
    -> EditKeeper
  {
    EditKeeper(
      try TuningFolder(FilePath(files.path)), journals: FilePath(state.path),
      pause: .seconds(100_000), notify: reported)
  }

  private func id(_ name: String, _ keeper: EditKeeper) throws -> PictureID {
    try #require(keeper.folder.entries(from: 0, count: 99).first { $0.name == name + ".dng" }).id
  }

  private func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: files.file(name + ".dng.rawdev.yaml"))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private func write(_ text: String, to name: String) throws {
    try files.write(text, to: name + ".dng.rawdev.yaml")
  }

  /// Does what a page does that knows the values of now.
  @discardableResult private func set(
    _ own: [String: RecipeValue], on name: String, _ keeper: EditKeeper, isHeld: Bool = false
  ) throws -> Edit {
    let id = try id(name, keeper)
    return try keeper.record(
      EditKeeper.Gesture(
        key: UUID().uuidString, title: "Set", from: try keeper.edit(id).own, own: own,
        isHeld: isHeld), on: id)
  }

  @Test func aGestureIsJournaledAndSaved() async throws {
    let keeper = try keeper()
    try set(["exposure": 1], on: "a", keeper)
    #expect(text("a") == nil && keeper.pending.map(\.name) == ["a.dng"])
    await keeper.saveAll()
    #expect(text("a") == "schema: 1\nraw:\n  exposure: 1\n" && keeper.pending.isEmpty)
    try set([:], on: "a", keeper)
    await keeper.saveAll()
    #expect(text("a") == nil)
    let edit = try keeper.edit(id("a", keeper))
    #expect(edit.steps.map(\.title) == ["Opened", "Set", "Set"] && edit.at == 2)
  }

  /// The server ends before anything is saved, and files are added, replaced and renamed.
  @Test func theNextStartGoesOn() async throws {
    do {
      let keeper = try keeper()
      try set(["exposure": 1], on: "a", keeper)
      try set(["exposure": 2], on: "b", keeper)
      try set(["exposure": 3], on: "c", keeper, isHeld: true)
    }
    try files.write("new", to: "0.dng")
    try FileManager.default.moveItem(atPath: files.file("a.dng"), toPath: files.file("d.dng"))
    let next = try keeper()
    await next.saveAll()
    #expect(text("b") == "schema: 1\nraw:\n  exposure: 2\n")
    #expect(files.names == ["0.dng", "b.dng", "b.dng.rawdev.yaml", "c.dng", "d.dng"])
    // The edit of a missing file belongs to no picture; the user has to decide.
    #expect(next.pending.map(\.name) == ["a.dng", "c.dng"])
    #expect(next.pending.map(\.keeping) == [.failed, .journal])
    await next.saveAll(isForced: true)
    #expect(text("c") == "schema: 1\nraw:\n  exposure: 3\n")
    next.discard(next.pending[0].id)
    #expect(next.pending.isEmpty)
    #expect(try next.edit(id("b", next)).steps.count == 2)
  }

  @Test func anotherPictureIsRefused() async throws {
    let keeper = try keeper()
    let id = try id("a", keeper)
    try set(["exposure": 1], on: "a", keeper)
    try files.write("another raw", to: "a.dng")
    #expect(throws: TuningFolder.AnotherPicture.self) { try keeper.edit(id) }
    let gesture = EditKeeper.Gesture(key: "k", title: "t", from: [:], own: ["exposure": 2])
    #expect(throws: TuningFolder.AnotherPicture.self) { try keeper.record(gesture, on: id) }
    await keeper.saveAll()
    #expect(text("a") == nil && keeper.pending[0].error?.contains("another picture") == true)
  }

  @Test func whatIsSentTwiceIsOneStep() throws {
    let keeper = try keeper()
    let id = try id("a", keeper)
    let gesture = EditKeeper.Gesture(key: "k", title: "t", from: [:], own: ["exposure": 1])
    let first = try keeper.record(gesture, on: id)
    try set(["exposure": 2], on: "a", keeper)
    #expect(try keeper.record(gesture, on: id).own == ["exposure": 2])
    #expect(first.steps.count == 2)
    #expect(try keeper.edit(id).steps.count == 3)
  }

  @Test func twoPagesAreMergedByProperty() throws {
    let keeper = try keeper()
    let id = try id("a", keeper)
    func page(_ key: String, _ own: [String: RecipeValue]) throws -> Edit {
      try keeper.record(.init(key: key, title: "t", from: [:], own: own), on: id)
    }
    _ = try page("1", ["exposure": 1])
    #expect(try page("2", ["vibrance": 0.5]).own == ["exposure": 1, "vibrance": 0.5])
    do {
      _ = try page("3", ["exposure": 2, "contrast": 0.5])
      Issue.record("it was adopted")
    } catch EditRefusal.changed(let names, let edit) {
      #expect(names == ["exposure"] && edit.own == ["exposure": 1, "vibrance": 0.5])
    }
    #expect(try page("4", ["exposure": 1]).steps.count == 3)
  }

  @Test func valuesThatCannotBeAreRefused() throws {
    let keeper = try keeper()
    for own: [String: RecipeValue] in [
      ["exposure": "bright"], ["exposure": 1e9], ["nonsense": 1],
      ["neutralTemperature": 5000, "neutralLocation": [1, 2]],
    ] {
      #expect(throws: RecipeError.self) { try set(own, on: "a", keeper) }
    }
    #expect(keeper.pending.isEmpty)
  }

  // MARK: Others

  @Test func whatOthersChangedIsMerged() async throws {
    let keeper = try keeper()
    try write("# mine\nraw: {exposure: 1, future: 3}\n", to: "a")
    try set(["exposure": 1, "vibrance": 0.5], on: "a", keeper)
    try write("# mine\nraw: {exposure: 2, future: 3}\n", to: "a")
    await keeper.saveAll()
    #expect(text("a") == "# mine\nraw: {exposure: 2, future: 3, vibrance: 0.5}\n")
    let edit = try keeper.edit(id("a", keeper))
    #expect(edit.own == ["exposure": 2, "vibrance": 0.5] && edit.status.keeping == .sidecar)
    #expect(edit.steps.last?.title == "Changed on disk")
    // Without an edit it is adopted, and can be undone.
    try write("raw: {exposure: 3}\n", to: "a")
    let adopted = try keeper.edit(id("a", keeper))
    #expect(adopted.own == ["exposure": 3] && adopted.status.keeping == .sidecar)
    _ = try keeper.move(id("a", keeper), to: adopted.steps[adopted.at - 1].key)
    await keeper.saveAll()
    #expect(try keeper.edit(id("a", keeper)).own == ["exposure": 2, "vibrance": 0.5])
  }

  @Test func onlyTheSamePropertyIsAsked() async throws {
    let keeper = try keeper()
    let id = try id("a", keeper)
    try set(["exposure": 1, "vibrance": 0.5], on: "a", keeper)
    try write("raw: {exposure: 2, contrast: 0.5}\n", to: "a")
    await keeper.saveAll()
    #expect(text("a") == "raw: {exposure: 2, contrast: 0.5}\n")
    let conflict = try #require(keeper.pending.first?.conflict)
    #expect(conflict.names == ["exposure"] && keeper.pending[0].keeping == .conflict)
    // A decision holds for what was looked at.
    try write("raw: {exposure: 3, contrast: 0.5}\n", to: "a")
    keeper.save(id, EditDecision(.mine, revision: conflict.revision))
    #expect(text("a") == "raw: {exposure: 3, contrast: 0.5}\n")
    let now = try #require(keeper.pending.first?.conflict)
    keeper.save(id, EditDecision(.mine, revision: now.revision))
    #expect(try keeper.edit(id).own == ["exposure": 1, "vibrance": 0.5, "contrast": 0.5])
    #expect(keeper.pending.isEmpty)
    try set(["exposure": 5], on: "a", keeper)
    try write("raw: {exposure: 4}\n", to: "a")
    keeper.save(id)
    let last = try #require(keeper.pending.first?.conflict)
    keeper.save(id, EditDecision(.theirs, revision: last.revision))
    #expect(text("a") == "raw: {exposure: 4}\n" && keeper.pending.isEmpty)
  }

  @Test func aDamagedSidecarIsLeftAloneUntilItIsMended() async throws {
    let keeper = try keeper()
    try write("raw: {exposure: bright}\n", to: "a")
    try set(["vibrance": 0.5], on: "a", keeper)
    await keeper.saveAll()
    #expect(text("a") == "raw: {exposure: bright}\n" && keeper.pending[0].keeping == .failed)
    #expect(keeper.pending[0].error?.contains("a.dng.rawdev.yaml:1") == true)
    try write("raw: {exposure: 1}\n", to: "a")
    await keeper.retry()
    #expect(text("a") == "raw: {exposure: 1, vibrance: 0.5}\n" && keeper.pending.isEmpty)
  }

  @Test(.enabled(if: geteuid() != 0)) func whatCannotBeWrittenStaysInTheJournal() async throws {
    let keeper = try keeper()
    chmod(files.path, 0o555)
    defer { chmod(files.path, 0o755) }
    try set(["exposure": 1], on: "a", keeper)
    await keeper.saveAll()
    #expect(!keeper.isWritable)
    #expect(keeper.pending.map(\.keeping) == [.journal] && keeper.pending[0].isReadOnly)
  }

  // MARK: Several pictures

  @Test func pastingIsOneStep() async throws {
    let reported = ReportedPictures()
    let keeper = try keeper { reported.add($0) }
    try write("# by hand\nraw: {contrast: 0.5, exposure: 3}\n", to: "b")
    try set(["exposure": 1, "vibrance": 0.25], on: "a", keeper)
    let all = try ["b", "c"].map { try id($0, keeper) }
    let pasting = EditKeeper.Pasting(
      ["exposure": 1], key: "p", title: "Paste", source: try id("a", keeper))
    for some in all { #expect(await keeper.paste(pasting, to: [some]) { _ in }.isEmpty) }
    #expect(text("b") == "# by hand\nraw: {contrast: 0.5, exposure: 1}\n")
    #expect(text("c") == "schema: 1\nraw:\n  exposure: 1\n")
    // The source, too.
    #expect(text("a")?.contains("vibrance: 0.25") == true && keeper.pending.isEmpty)
    // What is set since stays.
    try set(["exposure": 1, "vibrance": 1], on: "c", keeper)
    let source = try keeper.edit(id("a", keeper))
    #expect(source.steps.map(\.title) == ["Opened", "Set", "Paste"])
    _ = try keeper.move(id("a", keeper), to: source.steps[1].key)
    await keeper.saveAll()
    #expect(text("b") == "# by hand\nraw: {contrast: 0.5, exposure: 3}\n")
    #expect(text("c") == "schema: 1\nraw:\n  vibrance: 1\n")
    #expect(try keeper.edit(id("a", keeper)).own == ["exposure": 1, "vibrance": 0.25])
    // And again, where nothing else was done.
    _ = try keeper.move(id("a", keeper), to: "p")
    await keeper.saveAll()
    #expect(text("b") == "# by hand\nraw: {contrast: 0.5, exposure: 1}\n")
    #expect(reported.names == ["a.dng", "b.dng", "c.dng"])
  }

  /// Who saves all waits for what is being saved by then.
  @Test func nothingIsLeftWhenAllIsSaved() async throws {
    let keeper = try keeper()
    try set(["exposure": 1], on: "a", keeper)
    let (source, other) = (try id("a", keeper), try id("b", keeper))
    let pasting = EditKeeper.Pasting(["exposure": 1], key: "p", title: "Paste", source: source)
    #expect(await keeper.paste(pasting, to: [other]) { _ in }.isEmpty)
    let back = try keeper.edit(source).steps[1].key
    for _ in 0..<40 {
      _ = try keeper.move(source, to: back)
      await keeper.saveAll()
      #expect(text("b") == nil && keeper.pending.isEmpty)
      _ = try keeper.move(source, to: "p")
      await keeper.saveAll()
      #expect(text("b") != nil && keeper.pending.isEmpty)
    }
  }

  @Test func pastingSetsTheseKeysOnly() async throws {
    let keeper = try keeper()
    try write("# mine\nraw:\n  exposure: 0.5\n  nonsense: 3\n", to: "a")
    let id = try id("a", keeper)
    let pastings: [(values: [String: RecipeValue], own: [String: RecipeValue])] = [
      (["vibrance": 0.5, "saturation": .null], ["exposure": 0.5, "vibrance": 0.5]),
      (["exposure": .null, "vibrance": .null], [:]),
      (
        ["neutralTemperature": 5000, "neutralTint": 2],
        ["neutralTemperature": 5000, "neutralTint": 2]
      ),
      (["neutralLocation": [1, 2]], ["neutralLocation": [1, 2]]),
      (["neutralTint": .null], ["neutralLocation": [1, 2]]),
    ]
    for (number, (values, own)) in pastings.enumerated() {
      let pasting = EditKeeper.Pasting(values, key: "\(number)", title: "Paste", source: nil)
      #expect(await keeper.paste(pasting, to: [id]) { _ in }.isEmpty)
      #expect(try keeper.edit(id).own == own)
      #expect(text("a")?.hasPrefix("# mine\n") == true)
      #expect(text("a")?.contains("nonsense: 3") == true)
    }
    let bad = EditKeeper.Pasting(["nonsense": 4], key: "bad", title: "Paste", source: nil)
    #expect(await keeper.paste(bad, to: [id]) { _ in }.count == 1)
  }

  @Test func linksDoNotLeadOut() async throws {
    let outside = try TestFolder()
    try outside.write("raw: {exposure: 1}\n", to: "config.yaml")
    try FileManager.default.createSymbolicLink(
      atPath: files.file("a.dng.rawdev.yaml"), withDestinationPath: outside.file("config.yaml"))
    let keeper = try keeper()
    try set(["exposure": 2], on: "a", keeper)
    await keeper.saveAll()
    #expect(keeper.pending[0].error?.contains("leads out") == true)
    let pasting = EditKeeper.Pasting(["exposure": 2], key: "p", title: "Paste", source: nil)
    #expect(await keeper.paste(pasting, to: [try id("a", keeper)]) { _ in }.count == 1)
    #expect(text("a") == "raw: {exposure: 1}\n" && outside.names == ["config.yaml"])
  }

  @Test func nothingIsAConflictWithOneself() async throws {
    let keeper = try keeper()
    try set(["contrast": 0.5], on: "b", keeper)
    let pasting = EditKeeper.Pasting(
      ["exposure": 1], key: "p", title: "Paste", source: try id("a", keeper))
    _ = await keeper.paste(pasting, to: [try id("b", keeper)]) { _ in }
    #expect(try keeper.edit(id("b", keeper)).own == ["contrast": 0.5, "exposure": 1])
    #expect(text("b")?.contains("exposure: 1") == true)
    #expect(keeper.pending.isEmpty)
  }

  @Test func whatCannotBePastedToIsNamed() async throws {
    let keeper = try keeper()
    try write("raw: [\n", to: "b")
    let (b, c) = (try id("b", keeper), try id("c", keeper))
    let pasting = EditKeeper.Pasting(["exposure": 1], key: "p", title: "Paste", source: nil)
    let failures = await keeper.paste(pasting, to: [b, c]) { _ in }
    #expect(Array(failures.keys) == [b] && text("b") == "raw: [\n")
    #expect(text("c") != nil)
  }

  @Test func pendingValuesCanBeExported() throws {
    let keeper = try keeper()
    try write("# by hand\nraw: {contrast: 0.5}\n", to: "a")
    try set(["contrast": 0.5, "exposure": 1], on: "a", keeper, isHeld: true)
    let archive = keeper.archive()
    #expect(archive.count % 512 == 0)
    #expect(archive.starts(with: Array("a.dng.rawdev.yaml\0".utf8)))
    let text = "# by hand\nraw: {contrast: 0.5, exposure: 1}\n"
    #expect(archive[512...].starts(with: Array(text.utf8)))
    #expect(String(decoding: archive[124..<135], as: UTF8.self) == "00000000054")
  }
}

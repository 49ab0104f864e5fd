import Batch
import Develop
import Foundation
import ImageCore
import RawFilter
import Readers
import Recipes
import Synchronization
import SyntheticRaw
import SystemPackage
import TestSupport
import Testing

@testable import Tuning

@Suite struct TuningFolderTests {
  let files: TestFolder
  init() throws { files = try TestFolder() }

  private static let raw = Result { try SmallRaw.bytes() }

  /// Writes a raw.
  private func write(_ name: String) throws { try files.write(try Self.raw.get(), to: name) }

  private func opened() throws -> TuningFolder { try TuningFolder(FilePath(files.path)) }

  private func names(_ folder: TuningFolder) -> [String] {
    folder.entries(from: 0, count: 1000).map(\.name)
  }

  /// The identity of the raw at an index of the list.
  private func id(_ index: Int, _ folder: TuningFolder) throws -> PictureID {
    try #require(folder.entries(from: index, count: 1).first).id
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: files.file(name), withDestinationPath: target)
  }

  /// Waits for the details of all raws, and takes their change.
  private func settle(_ folder: TuningFolder) throws {
    _ = names(folder)
    while folder.state.withLock(\.isReading) { usleep(1000) }
    _ = try folder.refresh()
  }

  /// Waits for the details that were asked for.
  private func entries(
    _ folder: TuningFolder, until isDone: ([TuningFolder.Entry]) -> Bool
  ) async throws -> [TuningFolder.Entry] {
    let end = ContinuousClock.now + .seconds(1200)
    while ContinuousClock.now < end {
      let entries = folder.entries(from: 0, count: 1000)
      if isDone(entries) { return entries }
      try await Task.sleep(for: .milliseconds(1))
    }
    Issue.record("the details do not come")
    return []
  }

  // MARK: What is listed

  @Test func listsWhatABatchWouldDevelop() throws {
    for name in ["b/2.cr2", "a.NEF", "c/d/x.dng", ".hidden.dng", ".rawdev/x.dng"] {
      try write(name)
    }
    for name in ["x.jpg", "a.NEF.rawdev.yaml", "a.xmp", "notes.txt"] {
      try files.write("x", to: name)
    }
    let folder = try opened()
    let list = try SourceList(["."], workingFolder: folder.root)
    #expect(names(folder) == list.sources.map(\.relativePath.shown))
    #expect(names(folder) == ["a.NEF", "b/2.cr2", "c/d/x.dng"])
    #expect(folder.count == 3 && !folder.isSingle)
    try settle(folder)
    let entries = folder.entries(from: 0, count: 3)
    #expect(Set(entries.map(\.id)).count == 3)
    #expect(entries.map(\.hasSettings) == [true, false, false])
    let bytes = try Self.raw.get().count
    #expect(entries.allSatisfy { $0.bytes == bytes })
    #expect(entries.allSatisfy { folder.entry($0.id) == $0 })
    #expect(entries.allSatisfy { $0.rating == nil && $0.problem == nil })
    #expect(try folder.path(entries[1].id) == folder.root.pushing("b/2.cr2"))
  }

  @Test func anyRangeMayBeAskedFor() throws {
    for index in 0..<5 { try files.write("", to: "\(index).dng") }
    let folder = try opened()
    for first in [-3, 0, 2, 4, 5, 99, .min, .max] {
      for count in [-1, 0, 1, 3, 99, .min, .max] {
        let names = folder.entries(from: first, count: count).map(\.name)
        let wanted = (0..<5).filter { $0 >= first && $0 - max(first, 0) < count }
        #expect(names == wanted.map { "\($0).dng" }, "\(first) \(count)")
      }
    }
  }

  @Test func aFolderMayBeEmpty() throws {
    try files.write("", to: "x.jpg")
    #expect(try opened().count == 0)
    #expect(throws: BatchError.self) { try TuningFolder(FilePath(files.file("gone"))) }
  }

  @Test func aRawAloneIsAFolderOfOne() async throws {
    for name in ["a.dng", "b.dng"] { try files.write(try SmallRaw.bytes(), to: name) }
    let folder = try TuningFolder(FilePath(files.file("b.dng")))
    #expect(folder.isSingle && names(folder) == ["b.dng"] && folder.count == 1)
    #expect(folder.root == (try opened().root))
    try files.write("", to: "c.dng")
    try settle(folder)
    #expect(try !folder.refresh())
    let id = try id(0, folder)
    try FileManager.default.removeItem(atPath: files.file("b.dng"))
    #expect(try folder.refresh())
    #expect(folder.entries(from: 0, count: 9).map { $0.problem != nil } == [true])
    #expect(throws: BatchError.self) { try folder.path(id) }
  }

  @Test func namesNeedNotBeText() async throws {
    let name = FilePath(
      platformString: files.path.utf8.map(CChar.init) + [47, -1, 46, 100, 110, 103, 0])
    let output = try FileDescriptor.open(
      name, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
    _ = try output.writeAll(try SmallRaw.bytes())
    try output.close()
    let folder = try opened()
    #expect(folder.count == 1 && !names(folder)[0].isEmpty)
    let id = try id(0, folder)
    #expect(try folder.path(id) == name)
    #expect(try await folder.thumbnail(id, side: 64).starts(with: [0xFF, 0xD8]))
  }

  // MARK: What changes

  @Test func identitiesStayWithTheirFiles() throws {
    for name in ["b.dng", "d.dng"] { try write(name) }
    let folder = try opened()
    #expect(try !folder.refresh())
    let (b, d) = (try id(0, folder), try id(1, folder))
    try write("a.dng")
    try write("c.dng")
    #expect(try folder.refresh())
    #expect(names(folder) == ["a.dng", "b.dng", "c.dng", "d.dng"])
    try FileManager.default.removeItem(atPath: files.file("b.dng"))
    #expect(try folder.refresh() && folder.count == 3)
    #expect(names(folder) == ["a.dng", "c.dng", "d.dng"])
    #expect(throws: BatchError.self) { try folder.path(b) }
    #expect(folder.entry(b)?.problem != nil)
    // What comes back is the same picture, if it is the same file.
    try write("b.dng")
    #expect(try folder.refresh() && folder.count == 4)
    #expect(try id(1, folder).path == b.path && folder.entry(id(1, folder))?.problem == nil)
    try FileManager.default.removeItem(atPath: files.file("b.dng"))
    try files.write("raw: {exposure: 1}", to: "d.dng.rawdev.yaml")
    #expect(try folder.refresh())
    #expect(folder.entries(from: 2, count: 1).map(\.hasSettings) == [true])
    #expect(try folder.path(d) == folder.root.pushing("d.dng"))
    try settle(folder)
    #expect(try !folder.refresh())
    // At the next start others are before it.
    #expect(try opened().entry(d)?.name == "d.dng" && opened().path(d) == folder.path(d))
  }

  @Test func anotherFileIsAnotherPicture() throws {
    for name in ["a.dng", "b.dng"] { try write(name) }
    let folder = try opened()
    let (a, b) = (try id(0, folder), try id(1, folder))
    try files.write(try SmallRaw.bytes(peak: 1) + [0], to: "a.dng")
    #expect(throws: TuningFolder.AnotherPicture.self) { try folder.path(a) }
    #expect(try folder.refresh())
    let new = try id(0, folder)
    #expect(new != a && new.path == a.path && folder.entry(new)?.name == "a.dng")
    #expect(try folder.path(new) == folder.root.pushing("a.dng"))
    // Files that change their names.
    let manager = FileManager.default
    try manager.moveItem(atPath: files.file("a.dng"), toPath: files.file("c.dng"))
    try manager.moveItem(atPath: files.file("b.dng"), toPath: files.file("a.dng"))
    for id in [new, a] {
      #expect(throws: TuningFolder.AnotherPicture.self) { try folder.path(id) }
    }
    #expect(throws: BatchError.self) { try folder.path(b) }
    #expect(try opened().entries(from: 0, count: 9).allSatisfy { ![a, b, new].contains($0.id) })
  }

  @Test func aFolderThatIsGoneIsAnError() throws {
    try files.write("x", to: "in/a.dng")
    let folder = try TuningFolder(FilePath(files.file("in")))
    let id = try id(0, folder)
    try FileManager.default.removeItem(atPath: files.file("in"))
    #expect(throws: BatchError.self) { try folder.refresh() }
    #expect(throws: BatchError.self) { try folder.path(id) }
    #expect(folder.count == 1)
  }

  // MARK: Links

  @Test func linksDoNotLeadOut() async throws {
    let bytes = try SmallRaw.bytes()
    try files.write(bytes, to: "elsewhere/secret.dng")
    try files.write(bytes, to: "in/a.dng")
    try files.write(bytes, to: "in/deep/b.dng")
    try link("in/inside.dng", to: "deep/b.dng")
    try link("in/out.dng", to: "../elsewhere/secret.dng")
    try link("in/absolute.dng", to: files.file("elsewhere/secret.dng"))
    try link("in/broken.dng", to: "nothing")
    try link("in/outside", to: "../elsewhere")
    let folder = try TuningFolder(FilePath(files.file("in")))
    let entries = folder.entries(from: 0, count: 99)
    #expect(
      entries.map(\.name) == [
        "a.dng", "absolute.dng", "broken.dng", "deep/b.dng", "inside.dng", "out.dng",
      ])
    #expect(entries.map { $0.problem == nil } == [true, false, false, true, true, false])
    for entry in entries {
      if entry.problem == nil {
        #expect(try folder.path(entry.id) == folder.root.pushing(FilePath(entry.name)))
      } else {
        #expect(throws: BatchError.self) { try folder.path(entry.id) }
        await #expect(throws: BatchError.self) { try await folder.thumbnail(entry.id, side: 64) }
      }
    }
    // What becomes a link later is refused, too.
    try FileManager.default.removeItem(atPath: files.file("in/a.dng"))
    try link("in/a.dng", to: "../elsewhere/secret.dng")
    #expect(throws: BatchError.self) { try folder.path(entries[0].id) }
    try FileManager.default.removeItem(atPath: files.file("in/deep"))
    try FileManager.default.moveItem(
      atPath: files.file("elsewhere/secret.dng"), toPath: files.file("elsewhere/b.dng"))
    try link("in/deep", to: "../elsewhere")
    #expect(throws: BatchError.self) { try folder.path(entries[3].id) }
    #expect(try folder.refresh())
    #expect(folder.entries(from: 0, count: 99).allSatisfy { $0.problem != nil })
  }

  @Test func theFolderMayBeALink() throws {
    try files.write("x", to: "in/a.dng")
    try link("way", to: "in")
    let folder = try TuningFolder(FilePath(files.file("way")))
    #expect(names(folder) == ["a.dng"] && folder.root.lastComponent == "in")
    #expect(try folder.path(id(0, folder)) == folder.root.pushing("a.dng"))
    // The raw that was named may be one as well: its sidecar is beside the link.
    try link("a.dng", to: "in/a.dng")
    let alone = try TuningFolder(FilePath(files.file("a.dng")))
    #expect(try alone.path(id(0, alone)) == alone.root.pushing("a.dng"))
    #expect(alone.root.lastComponent != "in")
  }

  @Test func whatIsNoFileIsNotOpened() throws {
    #expect(mkfifo(files.file("pipe.dng"), 0o600) == 0)
    let folder = try opened()
    #expect(folder.entries(from: 0, count: 1)[0].problem != nil)
    #expect(throws: BatchError.self) { try folder.path(id(0, folder)) }
  }

  // MARK: Ratings

  @Test func marksComeFromWhatIsBeside() async throws {
    let ratings = ["a": "5", "b": "-1", "c": "7", "d": "two", "e": "3"]
    for (name, rating) in ratings {
      try write(name + ".dng")
      try files.write(Self.packet(rating), to: name + (name == "e" ? ".dng.xmp" : ".xmp"))
    }
    try write("f.dng")
    try files.write("<x", to: "f.xmp")
    try write("g.dng")
    let folder = try opened()
    let all = try await entries(folder) {
      $0.compactMap(\.rating).count == 2 && $0[1].pick == .rejected
    }
    #expect(all.map(\.rating) == [5, nil, nil, nil, 3, nil, nil])
    #expect(all.compactMap(\.pick) == [.rejected])
    #expect(try folder.refresh())
    try files.write(Self.packet("1"), to: "g.dng.xmp")
    _ = try folder.refresh()
    #expect(try await entries(folder) { $0[6].rating == 1 }.count == 7)
  }

  @Test func elseTheyComeFromTheRaw() async throws {
    try files.write(try Self.raw(xmp: Self.packet("4")), to: "a.dng")
    try files.write(try Self.raw(xmp: Self.packet("4")), to: "b.dng")
    try files.write(Self.packet("2"), to: "b.xmp")
    let folder = try opened()
    #expect(try await entries(folder) { $0.map(\.rating) == [4, 2] }.count == 2)
    #expect(try folder.refresh())
    let again = try opened()
    for index in 0..<2 { _ = try await again.thumbnail(id(index, again), side: 100) }
    #expect(try await entries(again) { $0.map(\.rating) == [4, 2] }.count == 2)
  }

  @Test func theSidecarIsStronger() async throws {
    for name in ["a", "b", "c", "d", "e"] {
      try write(name + ".dng")
      try files.write(Self.packet(name == "b" ? "-1" : "2"), to: name + ".xmp")
    }
    try files.write("rating: 4\npick: picked\n", to: "a.dng.rawdev.yaml")
    try files.write("pick: null\n", to: "b.dng.rawdev.yaml")
    try files.write("schema: 1\nrating: 0\nraw: {exposure: 1}\n", to: "c.dng.rawdev.yaml")
    try files.write("raw: [\n", to: "d.dng.rawdev.yaml")
    let folder = try opened()
    let all = try await entries(folder) {
      $0.map(\.rating) == [4, nil, 0, 2, 2] && $0.map(\.pick) == [.picked, nil, nil, nil, nil]
        && $0.map(\.hasSettings) == [false, false, true, true, false]
    }
    #expect(all.count == 5)
    // Another program takes the sidecar away.
    try FileManager.default.removeItem(atPath: files.file("a.dng.rawdev.yaml"))
    #expect(try folder.refresh())
    #expect(try await entries(folder) { $0[0].rating == 2 && $0[0].pick == nil }.count == 5)
  }

  @Test func theRevisionIsThatOfThePixels() async throws {
    try write("a.dng")
    let folder = try opened()
    func revision(_ change: () throws -> Void) async throws -> String {
      try change()
      _ = try folder.refresh()
      // What is beside is read by and by.
      _ = names(folder)
      while folder.state.withLock(\.isReading) { try await Task.sleep(for: .milliseconds(1)) }
      return try #require(folder.entries(from: 0, count: 1).first).revision
    }
    func sidecar(_ text: String) -> () throws -> Void {
      { try files.write(text, to: "a.dng.rawdev.yaml") }
    }
    let none = try await revision {}
    let marked = try await revision(sidecar("rating: 3\nname: x\n"))
    #expect(marked == none)
    let set = try await revision(sidecar("raw: {exposure: 1}\n"))
    let same = try await revision(sidecar("# A comment.\nraw:\n  exposure: 1.0\nrating: 2\n"))
    let other = try await revision(sidecar("raw: {exposure: 2}\n"))
    let extended = try await revision(sidecar("extends: web\nraw: {exposure: 2}\n"))
    let defaults = try await revision {
      try files.write("raw: {contrastAmount: 1}", to: ".rawdev/defaults.yaml")
    }
    let xmp = try await revision { try files.write(Self.packet("1"), to: "a.xmp") }
    let file = try await revision { try files.write(SmallRaw.bytes(peak: 0.5), to: "a.dng") }
    #expect(same == set)
    #expect(Set([none, set, other, extended, defaults, xmp, file]).count == 7)
  }

  // MARK: Metadata

  @Test func datesAndCutFilesAreKnown() async throws {
    try write("a.dng")
    let raw = try FileManager.default.contents(
      atPath: SharedFiles.url("raws/canon30d_IMG_0848.CR2").path)
    let canon = [UInt8](try #require(raw))
    try files.write(canon, to: "b.cr2")
    try files.write(Array(canon.prefix(canon.count * 3 / 4)), to: "c.cr2")
    let folder = try opened()
    let all = try await entries(folder) { $0[2].problem != nil && $0[1].date != nil }
    #expect(all.map { $0.problem != nil } == [false, false, true])
    #expect(all[1].date?.hasPrefix("20") == true && all[1].date?.contains("T") == true)
    // Its preview can be shown all the same.
    #expect(try await !folder.thumbnail(all[2].id, side: 100).isEmpty)
  }

  // MARK: Looking

  @Test func aChangedFolderIsListedAtOnce() throws {
    try write("b.dng")
    let folder = try opened()
    func change(_ body: () throws -> Void) throws -> TuningFolder.Change {
      // Times of folders are those of the system's clock tick.
      usleep(20_000)
      try body()
      let end = ContinuousClock.now + .seconds(60)
      while ContinuousClock.now < end {
        let change = try folder.look()
        if change != .nothing { return change }
        usleep(10_000)
      }
      return .nothing
    }
    #expect(try folder.look() == .nothing)
    #expect(try change { try write("a.dng") } == .list)
    #expect(names(folder) == ["a.dng", "b.dng"])
    try settle(folder)
    #expect(try change { try files.write("rating: 1", to: "b.dng.rawdev.yaml") } == .entries)
    #expect(
      try change { try FileManager.default.removeItem(atPath: files.file("b.dng")) } == .list)
    #expect(names(folder) == ["a.dng"])
  }

  private static func packet(_ rating: String) -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
    xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="\(rating)"/></rdf:RDF></x:xmpmeta>
    """
  }

  static func raw(xmp: String) throws -> [UInt8] {
    var writer = RawThumbnailTests.writer()
    writer.cameraTags[700] = .bytes(Array(xmp.utf8))
    return try writer.bytes
  }

  // MARK: Thumbnails

  @Test func thumbnailsAreRememberedUntilTheFileChanges() async throws {
    try files.write(try SmallRaw.bytes(), to: "a.dng")
    let folder = try opened()
    var id = try id(0, folder)
    let first = try await folder.thumbnail(id, side: 80)
    #expect(try StillImage(first).size == PixelSize(width: 80, height: 55))
    #expect(try await folder.thumbnail(id, side: 80) == first)
    try files.write(try SmallRaw.bytes(peak: 0.2, orientation: .right), to: "a.dng")
    await #expect(throws: TuningFolder.AnotherPicture.self) {
      try await folder.thumbnail(id, side: 80)
    }
    _ = try folder.refresh()
    id = try self.id(0, folder)
    let second = try await folder.thumbnail(id, side: 80)
    #expect(try StillImage(second).size == PixelSize(width: 55, height: 80))
    for side in [Int.min, -1, 0, 1, .max] {
      let size = try StillImage(try await folder.thumbnail(id, side: side)).size
      #expect((16...104).contains(max(size.width, size.height)))
    }
  }

  @Test func manyAtATimeAreTheSame() async throws {
    for index in 0..<12 { try files.write(try SmallRaw.bytes(), to: "\(10 + index).dng") }
    let folder = try opened()
    let all = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for id in folder.entries(from: 0, count: 12).map(\.id) {
        group.addTask { try await folder.thumbnail(id, side: 64) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(all.count == 12 && Set(all).count == 1)
  }

  @Test func whatCannotBeReadIsMarked() async throws {
    try files.write("no raw", to: "a.dng")
    let folder = try opened()
    let id = try id(0, folder)
    await #expect(throws: RAWError.self) { try await folder.thumbnail(id, side: 64) }
    #expect(folder.entries(from: 0, count: 1)[0].problem != nil)
    try files.write(try SmallRaw.bytes(), to: "a.dng")
    _ = try folder.refresh()
    #expect(folder.entries(from: 0, count: 1)[0].problem == nil)
    #expect(try await !folder.thumbnail(self.id(0, folder), side: 64).isEmpty)
  }

  @Test func filesThatSettingsMayNameAreThoseBesideTheRaw() throws {
    for name in ["a.dng", "b.dng", "below/c.dng"] { try write(name) }
    for name in ["x.cube", "X.DCP", "y.rawlook", "notes.txt", "below/z.cube"] {
      try files.write([0], to: name)
    }
    let folder = try opened()
    let found = try folder.files(beside: try id(0, folder))
    #expect(
      found == [
        "profilePath": ["X.DCP"], "lutPath": ["x.cube", "y.rawlook"], "whiteFrom": ["b.dng"],
        "exposureFrom": ["b.dng"],
      ])
  }
}

import Develop
import Foundation
import ImageCore
import RawFilter
import Readers
import Recipes
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Tuning

/// The list of pictures, and thumbnails, as edits make them.
@Suite struct EditKeeperListTests {
  private let files: TestFolder
  private let keeper: EditKeeper

  init() throws {
    files = try TestFolder()
    try files.write(try SmallRaw.bytes(), to: "a.dng")
    keeper = EditKeeper(
      try TuningFolder(FilePath(files.path)), journals: nil, pause: .seconds(100_000)
    ) { _ in }
  }

  private var entry: TuningFolder.Entry {
    get throws { try #require(keeper.entries(from: 0, count: 1).first) }
  }

  /// Waits until what the list shows is read.
  private func settle() async throws {
    _ = try keeper.folder.refresh()
    _ = try entry
    while keeper.folder.state.withLock(\.isReading) { try await Task.sleep(for: .milliseconds(1)) }
  }

  private func set(_ own: [String: RecipeValue]) throws {
    let id = try entry.id
    _ = try keeper.record(
      .init(key: UUID().uuidString, title: "Set", from: try keeper.edit(id).own, own: own), on: id)
  }

  private func thumbnail(_ side: Int = 80, session: TuningSession? = nil) async throws -> [UInt8] {
    try await keeper.thumbnail(
      try entry.id, side: side, applied: AppliedDocuments(), session: session)
  }

  @Test func theJournalCounts() async throws {
    try await settle()
    let first = try entry
    #expect(!first.hasSettings && keeper.entry(first.id) == first)
    try set(["exposure": 1])
    let edited = try entry
    #expect(edited.hasSettings && edited.revision != first.revision)
    // Saving changes nothing that is seen.
    await keeper.saveAll()
    try await settle()
    #expect(try entry == keeper.entry(first.id))
    #expect(try entry.revision == edited.revision && entry.hasSettings)
    try set([:])
    #expect(try entry.revision == first.revision && !entry.hasSettings)
  }

  @Test func thumbnailsShowEdits() async throws {
    let plain = try await thumbnail()
    try set(["exposure": -3])
    let dark = try await thumbnail()
    #expect(dark != plain)
    #expect(try await thumbnail() == dark)
    try set(["exposure": -3, "crop": "0%,0%,50%,100%"])
    let size = try StillImage(try await thumbnail()).size
    let full = try StillImage(plain).size
    #expect(Double(size.width) / Double(size.height) < Double(full.width) / Double(full.height))
    #expect(max(size.width, size.height) <= 80)
    // Back at the state of before, the picture of before is cached.
    try set([:])
    #expect(try await thumbnail() == plain)
  }

  /// What is open has the same caches, and gives a picture of the same size.
  @Test func anOpenPictureIsUsed() async throws {
    try set(["exposure": -2])
    let path = try keeper.folder.path(try entry.id)
    let session = try TuningSession(path: path.bytes)
    let own = try StillImage(try await thumbnail(60))
    let open = try StillImage(try await thumbnail(61, session: session))
    #expect(abs(own.size.width - open.size.width) <= 1)
    #expect(session.filter.settings.exposure == 0)
  }
}

import Batch
import Foundation
import Recipes
import SystemPackage
import TestSupport
import Testing

@testable import Tuning

/// The file of edits, and what it remembers.
@Suite struct EditJournalTests {
  private let files: TestFolder
  init() throws { files = try TestFolder() }

  private var state: FilePath { FilePath(files.path).appending("state") }

  private func id(_ number: Int) -> PictureID {
    PictureID(FilePath("\(number).dng"), nil)
  }

  private func opened(
    _ book: inout EditBook, _ limits: EditJournal.Limits = .init()
  ) throws -> EditJournal {
    try EditJournal(of: "/shoot", in: state, limits: limits, into: &book)
  }

  /// Makes changes as the keeper does.
  private func make(
    _ changes: [EditChange], _ book: inout EditBook, _ journal: EditJournal
  ) throws {
    let changes = book.numbered(changes)
    book.apply(changes)
    try journal.append(changes)
    if journal.isTooLong(book) { try journal.shorten(&book) }
  }

  private func begin(_ number: Int) -> EditChange {
    EditChange(picture: id(number), name: "\(number).dng", step: .opened([:]))
  }

  private func step(_ number: Int, _ value: Double) -> EditChange {
    EditChange(
      picture: id(number), step: EditStep("\(value)", "Exposure", ["exposure": .number(value)]))
  }

  private func path() throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: state.string)
    return state.appending(try #require(names.first { $0.hasSuffix(".edits") })).string
  }

  @Test func allIsThereAtTheNextStart() throws {
    var book = EditBook()
    do {
      let journal = try opened(&book)
      try make([begin(1), step(1, 1)], &book, journal)
      try make([step(1, 2)], &book, journal)
      try make([EditChange(picture: id(1), saved: ["exposure": 2])], &book, journal)
      try make([EditChange(picture: id(1), at: "1.0", isHeld: true)], &book, journal)
      try make([begin(2), step(2, .infinity)], &book, journal)
    }
    var again = EditBook()
    _ = try opened(&again)
    let history = try #require(again[id(1)])
    #expect(history == book[id(1)])
    #expect(history.own == ["exposure": 1] && history.saved == ["exposure": 2])
    #expect(history.isPending && history.isHeld && history.steps.count == 3 && history.at == 1)
    #expect(again.count == book.count && again.count == 5)
    let status = try Stat(FilePath(try path()))
    #expect(status.permissions == .ownerReadWrite)
    #expect(try Stat(state).permissions == .ownerReadWriteExecute)
  }

  /// A killed program leaves an incomplete line; the lines before it are valid.
  @Test func aFileTruncatedAnywhereGivesItsCompleteLines() throws {
    var book = EditBook()
    do {
      let journal = try opened(&book)
      for value in 0..<5 {
        let both = value == 0 ? [begin(1), begin(2)] : []
        try make(
          both + [step(1, Double(value) + 1), step(2, Double(value) + 1)], &book, journal)
      }
    }
    let file = try path()
    let complete = try #require(FileManager.default.contents(atPath: file))
    for length in stride(from: complete.count, through: 0, by: -7) {
      try complete.prefix(length).write(to: URL(fileURLWithPath: file))
      var cut = EditBook()
      let journal = try opened(&cut)
      // What was done at once is there for both or for none.
      #expect(cut[id(1)]?.own == cut[id(2)]?.own)
      // A line that only lacks its line break is complete.
      let lines = complete.prefix(length + 1).count { $0 == 10 }
      #expect(cut[id(1)]?.own == (lines == 0 ? nil : ["exposure": .number(Double(lines))]))
      try make([begin(3), step(3, 9)], &cut, journal)
      _ = consume journal
      var after = EditBook()
      _ = try opened(&after)
      #expect(after[id(3)]?.own == ["exposure": 9])
    }
  }

  @Test func nonsenseIsLeftOut() throws {
    var book = EditBook()
    do {
      let journal = try opened(&book)
      try make([begin(1), step(1, 1)], &book, journal)
    }
    let file = try path()
    var bytes = try #require(FileManager.default.contents(atPath: file))
    bytes += Data("{}\n[]\n[7]\n\u{0}\n[{\"picture\":\"x\"}]\n".utf8)
    bytes += Data(String(repeating: "[", count: 100_000).utf8) + [10]
    try bytes.write(to: URL(fileURLWithPath: file))
    var again = EditBook()
    _ = try opened(&again)
    #expect(again[id(1)] == book[id(1)] && again.histories.count == 1)
  }

  @Test func theOldestStepsAreForgottenFirst() throws {
    var book = EditBook()
    let limits = EditJournal.Limits(steps: 100, bytes: 1 << 20)
    var journal: EditJournal? = try opened(&book, limits)
    // One that is in no sidecar, and was never touched again.
    try make([begin(0), step(0, 1)], &book, #require(journal))
    for number in 1...50 {
      try make([begin(number)], &book, #require(journal))
      for value in 1...4 { try make([step(number, Double(value))], &book, #require(journal)) }
      let saved = EditChange(picture: id(number), saved: ["exposure": 4])
      try make([saved], &book, #require(journal))
      #expect(book.count <= 100)
    }
    #expect(book[id(0)]?.own == ["exposure": 1] && book[id(0)]?.isPending == true)
    #expect(book[id(1)] == nil)
    #expect(book[id(50)]?.steps.count == 5)
    journal = nil
    var again = EditBook()
    journal = try opened(&again, limits)
    #expect(again.histories == book.histories && again.count == book.count)
    withExtendedLifetime(journal) {}
  }

  @Test func theFileIsBounded() throws {
    var book = EditBook()
    let limits = EditJournal.Limits(steps: 10_000, bytes: 64 << 10)
    let journal = try opened(&book, limits)
    let text = String(repeating: "x", count: 1000)
    try make([begin(1)], &book, journal)
    for number in 0..<500 {
      let own: [String: RecipeValue] = ["lutPath": .text("\(number) \(text)")]
      try make(
        [EditChange(picture: id(1), step: EditStep("\(number)", "Look", own))], &book, journal)
      let attributes = try FileManager.default.attributesOfItem(atPath: try path())
      #expect((attributes[.size] as? Int ?? .max) <= 66 << 10)
    }
    #expect(book[id(1)]?.own["lutPath"] == .text("499 \(text)"))
  }

  @Test func oneProcessHasIt() throws {
    var book = EditBook()
    let first = try opened(&book)
    #expect(throws: Errno.self) { try opened(&book) }
    withExtendedLifetime(first) {}
  }
}

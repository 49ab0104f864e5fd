import Batch
import Foundation
import Testing

/// Laws of merging reports.
@Suite struct ReportMergeTests {
  private typealias S = SampleReports

  private func merged(_ reports: [Data]) throws -> Data {
    var bytes = Data()
    try ReportMerge(ReportLog(bytes: reports)).write { bytes.append($0) }
    return bytes
  }

  private func items(_ reports: Data...) throws -> [BatchItem] {
    var items: [BatchItem] = []
    try ReportMerge(ReportLog(bytes: reports)).items { items.append($0) }
    return items
  }

  private func retries(_ reports: [Data]) throws -> String {
    var bytes = Data()
    try ReportMerge(ReportLog(bytes: reports)).writeRetryManifest { bytes.append($0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The remaining work, for any state of the reports.
  private func state(_ reports: [Data]) throws -> [String] {
    let merge = try ReportMerge(ReportLog(bytes: reports))
    var state = ["\(merge.outcome)"]
    try merge.items { item in
      let isGood = item.status == .done || item.status == .skipped
      state.append("\(item.id) \(isGood ? "good" : item.status.rawValue)")
    }
    return state
  }

  /// The order of reports does not matter, nor does a duplicate report, and merging a merged report
  /// changes nothing.
  @Test(arguments: 0..<60) func orderAndRepetition(seed: UInt64) throws {
    var chance = S(seed: seed)
    let reports = (0..<5).map { _ in chance.run() }
    let once = try merged(reports)
    #expect(try merged(reports.shuffled(using: &chance)) == once)
    #expect(try merged(reports + [reports[seed.isMultiple(of: 2) ? 0 : 3]]) == once)
    #expect(try merged([once]) == once)
    #expect(try merged([once, once]) == once)
  }

  /// Merging in groups leaves the same to do as merging at once.
  @Test(arguments: 0..<60) func groups(seed: UInt64) throws {
    var chance = S(seed: seed &+ 1000)
    let (a, b, c) = (chance.run(), chance.run(), chance.run())
    let atOnce = try state([a, b, c])
    let retries = try retries([a, b, c])
    for groups in [
      [try merged([a, b]), c], [a, try merged([b, c])], [try merged([a, c]), try merged([b])],
    ] {
      #expect(try state(groups) == atOnce)
      #expect(try self.retries(groups) == retries)
    }
  }

  /// Where nothing failed, groups also preserve every property.
  @Test(arguments: 0..<30) func groupsKeepProperties(seed: UInt64) throws {
    var chance = S(seed: seed)
    let reports = (0..<3).map { run in
      let items = (0..<6).map { id in
        S.item("\(id)", Bool.random(using: &chance) ? .done : .skipped, minute: run * 60 + id)
      }
      return S.run(S.start("w\(run)", minute: run * 60, total: 6), items)
    }
    let atOnce = try merged(reports)
    #expect(try merged([try merged([reports[0], reports[1]]), reports[2]]) == atOnce)
    #expect(try merged([reports[0], try merged([reports[2], reports[1]])]) == atOnce)
  }

  @Test func laterCounts() throws {
    let first = S.run(
      S.start(minute: 0, total: 3),
      [S.item("a", .failed), S.item("b", .done), S.item("c", .interrupted)])
    let second = S.run(
      S.start("w2", minute: 30, total: 3),
      [S.item("a", .done), S.item("b", .failed), S.item("c", .failed)])
    for all in [try items(first, second), try items(second, first)] {
      #expect(all.map(\.status) == [.done, .failed, .failed])
      #expect(all.map(\.node) == ["w2", "w2", "w2"])
      #expect(all[0].time == S.time(30))
    }
  }

  /// The moment that an item ended counts, not when its run began.
  @Test func itemsHaveMoments() throws {
    let long = S.run(S.start(minute: 0, total: 1), [S.item("a", .done, minute: 300)])
    let short = S.run(S.start(minute: 100, total: 1), [S.item("a", .failed, minute: 101)])
    #expect(try items(long, short).map(\.status) == [.done])
  }

  /// Found up to date later: it counts as done, with the time of its development.
  @Test func upToDateKeepsWhatWasDone() throws {
    let first = S.run(S.start(total: 1), [S.item("a", .done)])
    let second = S.run(S.start("w2", minute: 60, total: 1), [S.item("a", .skipped)])
    let item = try #require(try items(second, first).first)
    #expect(item.status == .done && item.outputs.count == 1 && item.node == "w1")
    #expect(item.time == S.time(0) && item.upToDateAt == S.time(60))
    // Unless another version was found up to date.
    var other = S.item("a", .skipped)
    other.key = "another"
    let third = S.run(S.start("w2", minute: 60, total: 1), [other])
    #expect(try items(first, third).map(\.status) == [.skipped])
  }

  @Test func doneTwice() throws {
    let a = S.run(S.start("w1", minute: 0, total: 1), [S.item("a", .done)])
    let b = S.run(S.start("w2", minute: 5, total: 1), [S.item("a", .done)])
    #expect(try items(a, b).map(\.alsoDoneBy) == [["w1"]])
    let warnings = try ReportMerge(ReportLog(bytes: [b, a])).summary().warnings
    #expect(warnings.map(\.message) == ["developed twice: by w2 and w1"])
    // The same machine again, or a source or recipe that changed, is no accident.
    let again = S.run(S.start("w1", minute: 5, total: 1), [S.item("a", .done)])
    #expect(try items(a, again).map(\.alsoDoneBy) == [nil])
    var changed = S.item("a", .done)
    (changed.key, changed.reason) = ("k2", "recipe changed")
    let later = S.run(S.start("w2", minute: 5, total: 1), [changed])
    #expect(try items(a, later).map(\.alsoDoneBy) == [nil])
  }

  @Test func retryManifest() throws {
    let odd = "line\nfeed \"quoted\" </x>"
    let items = [S.item("a", .done), S.item(odd, .failed), S.item("z", .interrupted)]
    let lines = try retries([S.run(S.start(total: 3), items)]).split(separator: "\n")
    let read = try lines.map {
      try JSONDecoder().decode([String: String].self, from: Data($0.utf8))
    }
    #expect(read == [["id": odd, "in": "/raws/\(odd)"], ["id": "z", "in": "/raws/z"]])
  }

  @Test(
    arguments: [
      ([], 0), ([.done, .skipped], 0), ([.done, .failed], 3), ([.skipped, .failed], 3),
      ([.failed, .failed], 4), ([.failed, .interrupted], 75), ([.done, .interrupted], 75),
    ] as [([BatchItem.Status], Int)])
  func exitCodes(_ statuses: [BatchItem.Status], code: Int) throws {
    let items = statuses.enumerated().map { S.item("\($0.offset)", $0.element) }
    let report = S.run(S.start(total: items.count), items)
    let merge = try ReportMerge(ReportLog(bytes: [report]))
    #expect(merge.outcome.rawValue == code)
    #expect(try merge.summary().outcome.rawValue == code)
    let end = try #require(try merged([report]).split(separator: 10).last)
    guard case .end(let line) = try BatchEvent(line: Data(end)) else {
      throw CocoaError(.coderInvalidValue)
    }
    #expect(line.exitCode == code && line.done == statuses.count { $0 == .done })
  }
}

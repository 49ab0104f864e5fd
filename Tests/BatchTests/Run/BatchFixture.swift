import Develop
import Foundation
import Recipes
import SystemPackage
import TestSupport
import Testing

@testable import Batch

/// A folder of made-up raws, one for outputs, and a fake worker between them.
struct BatchFixture: Sendable {
  let folder: TestFolder
  let worker: FakeWorker
  /// A recipe as YAML.
  var recipe = "{}"

  init(_ names: String...) throws {
    folder = try TestFolder()
    try Folders.create(folder.at("desk"))
    worker = try FakeWorker(in: folder.at("desk"))
    try Folders.create(folder.at("raws"))
    for name in names { try add(name) }
  }

  var out: FilePath { folder.at("out") }

  func add(_ name: String, _ content: String? = nil) throws {
    try folder.write(content ?? "light of \(name)\n", to: "raws/\(name)")
  }

  var sources: [RawSource] {
    get throws {
      try SourceList(["raws"], workingFolder: folder.root, except: out).sources
    }
  }

  var options: BatchOptions {
    var options = BatchOptions(output: out, worker: worker.command, version: "1")
    (options.jobs, options.memoryBytes) = (2, 64 << 30)
    return options
  }

  var planner: RecipePlanner {
    get throws {
      let documents = [
        try RecipeDocument(text: "outputs: {main: {format: jpeg-sdr}}"),
        try RecipeDocument(text: recipe),
      ]
      return RecipePlanner(try RecipeResolver(recipes: documents), workingFolder: folder.root)
    }
  }

  /// Calls `body` in a thread of its own, during a run; an error is an issue.
  func meanwhile(_ body: @escaping @Sendable () throws -> Void) {
    Thread.detachNewThread { do { try body() } catch { Issue.record(error) } }
  }

  /// Runs a batch and checks what holds for all of them.
  @discardableResult
  func run(
    _ sources: [RawSource]? = nil, cancellation: CancellationToken = CancellationToken(),
    _ change: (inout BatchOptions) -> Void = { _ in }, on event: (BatchEvent) -> Void = { _ in }
  ) throws -> Run {
    worker.forget()
    var options = options
    change(&options)
    let sources = try sources ?? self.sources
    var events: [BatchEvent] = []
    let end: BatchEnd = try withoutActuallyEscaping(event) { event in
      let batch = try Batch(
        sources, recipes: try planner, options: options, cancellation: cancellation
      ) {
        events.append($0)
        event($0)
      }
      return try batch.run()
    }
    let run = Run(events: events, end: end)
    run.check(total: sources.count)
    for case .item(let item) in events { #expect(sources.contains { $0.id == item.id }) }
    return run
  }

  /// The content of an output of a source that was never changed.
  func output(_ name: String) -> String? { folder.read("out/\(name)") }

  struct Run {
    let events: [BatchEvent]
    let end: BatchEnd

    var items: [String: BatchItem] {
      var found: [String: BatchItem] = [:]
      for case .item(let item) in events { found[item.id] = item }
      return found
    }

    /// Sources that ended so.
    func ids(_ status: BatchItem.Status) -> [String] {
      items.values.filter { $0.status == status }.map(\.id).sorted()
    }

    /// A start, one item for each source, an end that adds up.
    func check(total: Int) {
      guard case .start(let start)? = events.first, case .end(let last)? = events.last else {
        Issue.record("events begin and end otherwise")
        return
      }
      #expect(start.total == total && last == end)
      let count = events.count { if case .item = $0 { true } else { false } }
      #expect(count == total && items.count == total)
      #expect(ids(.done).count == end.done && ids(.skipped).count == end.skipped)
      #expect(ids(.failed).count == end.failed && ids(.interrupted).count == end.interrupted)
      #expect(end.done + end.skipped + end.failed + end.interrupted + ids(.planned).count == total)
      for item in items.values {
        #expect((item.error != nil) == (item.status == .failed), "\(item)")
        #expect(ReportTime.seconds(item.time ?? "") != nil, "\(item.time ?? "")")
      }
      #expect(
        ReportTime.seconds(start.time).flatMap { begin in
          ReportTime.seconds(end.time).map { $0 >= begin }
        } ?? false)
    }
  }
}

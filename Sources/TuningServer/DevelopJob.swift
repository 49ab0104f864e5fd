import Batch
import Develop
import Foundation
import ImageCore
import Recipes
import Synchronization
import SystemPackage
import Tuning

/// A development under way, by `Batch` and its worker processes, which also make sure that a raw
/// that crashes a decoder ends only itself.
final class DevelopJob: Sendable {
  private let request: DevelopRequest
  private let folder: TuningFolder
  private let isSingle: Bool
  private let applied: AppliedDocuments
  private let worker: [String]
  private let report: @Sendable (JobState) -> Void
  private let cancellation = CancellationToken()
  private struct State {
    var status: JobState
    var paths: [FilePath] = []
    var lastReport = ContinuousClock.now
  }
  private let state: Mutex<State>

  init(
    _ number: Int, _ request: DevelopRequest, folder: TuningFolder, isSingle: Bool,
    applied: AppliedDocuments, worker: [String], report: @escaping @Sendable (JobState) -> Void
  ) {
    (self.request, self.folder, self.isSingle) = (request, folder, isSingle)
    (self.applied, self.worker, self.report) = (applied, worker, report)
    state = Mutex(State(status: JobState(job: number, total: request.ids.count)))
  }

  /// How far it is.
  var status: JobState { state.withLock { $0.status } }

  /// The path of the file `n`; nil if there is none.
  func path(_ n: Int) -> FilePath? {
    state.withLock { $0.paths.indices.contains(n) ? $0.paths[n] : nil }
  }

  /// What is under way may finish; nothing new begins.
  func cancel() { cancellation.cancel() }

  /// Develops. Blocks until all is done.
  func run() {
    var outcomes: [BatchOutcome] = []
    do {
      // The user did not choose that folder: a link may have come with the raws.
      if request.folder == DevelopRequest.usualFolder {
        try Folders.requireNoWayOut(
          of: folder.root, to: FilePath(request.folder), isFollowed: true)
      }
      let sources = try sources()
      let saved = request.ids.filter { request.edits[$0] == nil }
      if !saved.isEmpty { outcomes.append(try run(DevelopRequest.Part(ids: saved), sources)) }
      for id in request.ids where !cancellation.isCancelled {
        guard let own = request.edits[id], let source = sources[id] else { continue }
        let part: DevelopRequest.Part
        do { part = try edited(id, source.path, own) } catch {
          fail(id, RequestRefusal(error).message)
          continue
        }
        outcomes.append(try run(part, sources))
      }
    } catch {
      state.withLock { $0.status.error = "\(error)" }
    }
    let last = state.withLock { state in
      let (done, failed) = (state.status.done, state.status.failed.count)
      state.status.state =
        if state.status.error != nil || failed > 0 && failed == state.status.total {
          .failed
        } else if cancellation.isCancelled,
          done < state.status.total || outcomes.contains(.interrupted)
        {
          .cancelled
        } else {
          .done
        }
      return state.status
    }
    report(last)
  }

  private var output: FilePath { folder.root.appending(request.folder) }

  /// What develops the raw `id` with the values `own`, which are in no sidecar.
  private func edited(
    _ id: PictureID, _ path: FilePath, _ own: [String: RecipeValue]
  ) throws -> DevelopRequest.Part {
    let document = try TuningDocument(
      path: path, filter: try TuningSession(path: path.bytes).filter, applied: applied,
      below: folder.root)
    return try DevelopRequest.part(of: id, document, own: own)
  }

  /// The raws by their identities, named as `rawdev batch` names them. Raws that cannot be found
  /// fail here.
  private func sources() throws -> [PictureID: RawSource] {
    var paths: [PictureID: FilePath] = [:]
    for id in request.ids {
      do { paths[id] = try folder.path(id) } catch { fail(id, RequestRefusal(error).message) }
    }
    let list =
      isSingle
      ? try SourceList(Array(paths.values), workingFolder: folder.root)
      : try SourceList([folder.root], workingFolder: folder.root, except: output)
    let known = Dictionary(list.sources.map { ($0.path, $0) }) { first, _ in first }
    return paths.mapValues { path in
      known[path]
        ?? RawSource(
          path: path,
          relativePath: path.relative(to: folder.root)
            ?? FilePath(root: nil, [path.lastComponent].compactMap(\.self)))
    }
  }

  private func run(
    _ part: DevelopRequest.Part, _ all: [PictureID: RawSource]
  ) throws -> BatchOutcome {
    let sources = part.ids.compactMap { id in all[id].map { (id: id, source: $0) } }
    let planner = RecipePlanner(
      try applied.resolver(
        usesSidecars: part.usesSidecars, above: part.values ?? .map([:])),
      outputs: { [output = request.output] _ in [Recipe.onlyOutput: output] },
      workingFolder: folder.root)
    var options = BatchOptions(output: output, worker: worker)
    // One core stays for the pictures of the page.
    options.jobs = max(1, Machine.cores - 1)
    options.thumbnail = nil
    options.overwrites = request.overwrites
    let ids = Dictionary(sources.map { ($1.path.text, $0) }) { first, _ in first }
    let batch = try Batch(
      sources.map(\.source), recipes: planner, options: options,
      cancellation: cancellation
    ) { event in
      if case .item(let item) = event, let id = ids[item.input] { self.add(item, id) }
    }
    let end = try batch.run()
    if let cause = batch.cause { throw cause }
    return end.outcome ?? .complete
  }

  private func add(_ item: BatchItem, _ id: PictureID) {
    switch item.status {
    case .failed: fail(id, item.error?.message ?? "failed")
    case .done, .skipped:
      change { state in
        state.status.done += 1
        for output in item.outputs {
          let path = FilePath(text: output.path)
          let name = (path.relative(to: folder.root) ?? path).shown
          state.status.files.append(
            .init(n: state.paths.count, name: name, bytes: output.bytes))
          state.paths.append(path)
        }
      }
    case .interrupted, .planned: break
    }
  }

  private func fail(_ id: PictureID, _ message: String) {
    let name = folder.entry(id)?.name ?? "\(id)"
    change { state in
      state.status.done += 1
      state.status.failed.append(.init(id: id, name: name, error: message))
    }
  }

  /// Changes the status, and reports it, though not more often than a page can follow.
  private func change(_ body: (inout State) -> Void) {
    let news = state.withLock { state -> JobState? in
      body(&state)
      guard .now - state.lastReport > .milliseconds(300) else { return nil }
      state.lastReport = .now
      return state.status
    }
    if let news { report(news) }
  }
}

import BracketMerge
import Develop
import Foundation
public import ImageCore
import RawFilter
import Recipes
import Synchronization
public import SystemPackage

/// The main loop of a worker process: opens and develops one raw at a time by requests on an input,
/// and replies on an output.
///
/// Decoders may crash, hang or take all memory on a damaged file; in a process of its own that
/// fails this file alone. A worker decides nothing and renames no file to its final name.
public final class Worker: Sendable {
  private let input: FileDescriptor
  /// Replies come from several threads: one line at a time.
  private let output: Mutex<FileDescriptor>
  private let version: String
  private let onClose: @Sendable () -> Void

  /// A worker that reads requests from `input` and writes replies to `output`. `onClose` is called
  /// once, from another thread, when `input` ends: it has to end the process.
  public init(
    input: FileDescriptor, output: FileDescriptor, version: String = RawdevVersion.current,
    onClose: @escaping @Sendable () -> Void
  ) {
    (self.input, self.version, self.onClose) = (input, version, onClose)
    self.output = Mutex(output)
  }

  /// Serves requests; never returns.
  public func run() {
    PixelMemory.reusesLargestBlock()
    let requests = RequestQueue()
    Thread.detachNewThread { [input, onClose] in
      var lines = LineReader()
      while lines.read(from: input) { lines.all().forEach(requests.append) }
      onClose()
    }
    reply(.ready(version: version))
    var opened: OpenedRaw?
    while true {
      guard let request = try? JSONLine.decode(WorkerRequest.self, requests.next()) else {
        reply(.failed(.init(code: "badSetting", message: "the request cannot be read")))
        continue
      }
      do {
        switch request {
        case .open(let path):
          opened = nil
          let raw = try OpenedRaw(FilePath(text: path))
          opened = raw
          reply(.opened(raw.facts))
        case .merge(let paths):
          opened = nil
          let raw = try OpenedRaw(paths.map { FilePath(text: $0) })
          opened = raw
          reply(.opened(raw.facts))
        case .develop(let order):
          guard let raw = opened else { throw BatchError(.badSetting, "no raw is open") }
          opened = nil
          reply(.developed(try develop(raw, order)))
        case .digest(let paths): reply(.digests(paths.map(Self.digest)))
        }
      } catch {
        reply(.failed(.init(error)))
      }
    }
  }

  private func reply(_ reply: WorkerReply) {
    guard let line = try? JSONLine.encode(reply) else { return }
    // Where nobody reads, the end of `input` ends the process.
    output.withLock { try? $0.send(line) }
  }

  private static func digest(_ path: String) -> WorkerDigest {
    do {
      return WorkerDigest(xxh128: try Digest.of(file: FilePath(text: path)))
    } catch {
      return WorkerDigest(error: error.message)
    }
  }

  private func develop(_ raw: OpenedRaw, _ order: WorkerOrder) throws -> WorkerResult {
    var developer = Developer(
      recipe: order.recipe, workers: order.threads, colorMatrix: order.colorMatrix)
    developer.keepsPictures = order.keepsPictures
    developer.lensDatabasePath = order.lensDatabase
    developer.sidecarDescription = order.description.map { Array($0.utf8) }
    let folders = StagedFolders(order.staged)
    defer { withExtendedLifetime(folders) {} }
    let sample = order.thumbnail.map { _ in PictureSample() }
    let last = Mutex(0.0)
    let reports: [DevelopReport]
    do {
      reports = try developer.develop(
        try raw.picture(threads: order.threads), named: raw.path.shown, to: folders.paths,
        sample: sample
      ) { progress in
        guard case .rendering(let fraction) = progress else { return }
        let isDue = last.withLock { last in
          guard fraction >= last + 0.05 else { return false }
          last = fraction
          return true
        }
        if isDue { self.reply(.progress(fraction: fraction)) }
      }
    } catch DevelopError.raw(let error) {
      throw DevelopError.raw(order.recipe.raw.namingInput(error))
    }
    let outputs = try reports.map { report in
      BatchItem.Output(
        name: report.name, path: order.staged[report.name] ?? "", format: report.format,
        width: report.width, height: report.height, bytes: report.bytes,
        xxh128: try Digest.of(file: FilePath(report.output)),
        contentHeadroom: report.contentHeadroom, maxCLL: report.maxCLL, maxFALL: report.maxFALL)
    }
    let jpeg = try order.thumbnail.flatMap { try sample?.thumbnail(side: $0) }
    return WorkerResult(
      outputs: outputs, warnings: reports.flatMap(\.warnings).uniqued(),
      fileHeadroom: reports.first { $0.fileHeadroom > 0 }?.fileHeadroom ?? 1,
      light: sample?.statistics,
      thumbnail: jpeg.map { "data:image/jpeg;base64," + Data($0).base64EncodedString() },
      peakBytes: ProcessMemory.peak)
  }
}

/// A raw that a worker holds open, or a bracket.
private struct OpenedRaw {
  let path: FilePath
  let filter: RAWFilter
  let facts: SourceFacts
  private var members: [BracketMerge.Member] = []

  /// The bracket of the files at `paths`, of which the first has the facts.
  init(_ paths: [FilePath]) throws {
    var opened: [OpenedRaw] = []
    for path in paths {
      do { opened.append(try OpenedRaw(path)) } catch let error as DevelopError {
        // The failure is that of the bracket: it names the frame.
        throw BatchError(.cannotRead, "\(path.shown): \(error.message)")
      }
    }
    guard let first = opened.first else { throw BatchError(.badSetting, "no raw is named") }
    var facts = first.facts
    facts.xxh128 = Digest.of(opened.map(\.facts.xxh128).sorted().joined(separator: " "))
    self.init(
      path: first.path, filter: first.filter, facts: facts,
      members: opened.map { BracketMerge.Member(name: $0.path.shown, filter: $0.filter) })
  }

  private init(
    path: FilePath, filter: RAWFilter, facts: SourceFacts, members: [BracketMerge.Member]
  ) {
    (self.path, self.filter, self.facts, self.members) = (path, filter, facts, members)
  }

  /// What is developed: the raw, or all frames merged.
  func picture(threads: Int) throws -> RAWFilter {
    guard !members.isEmpty else { return filter }
    var merge = BracketMerge()
    merge.workers = max(threads, 1)
    do { return try Developer.merged(members, by: merge).filter } catch {
      guard case .raw(let failure) = error, let path = failure.path else { throw error }
      throw BatchError(.cannotRead, "\(path): \(failure.message)")
    }
  }

  init(_ path: FilePath) throws {
    self.path = path
    let xxh128 = try Digest.of(file: path)
    filter = try ReadablePath(path).withText { try Developer.open($0) }
    facts = SourceFacts(filter, xxh128: xxh128)
  }
}

extension BatchItem.Failure {
  /// The code and message of `error`, without the path.
  init(_ error: any Error) {
    switch error {
    case let error as DevelopError: self.init(code: error.code, message: error.message)
    case let error as BatchError: self.init(code: error.code.rawValue, message: error.message)
    case let error as PlanError: self.init(code: error.code.rawValue, message: error.message)
    case let error as RecipeError: self.init(code: error.code.rawValue, message: "\(error)")
    default: self.init(code: "failed", message: "\(error)")
    }
  }
}

extension RAWSettings {
  /// `error`, whose message names the file at fault where that is one of ``inputPaths``.
  fileprivate func namingInput(_ error: RAWError) -> RAWError {
    guard let path = error.path, inputPaths.contains(where: { FilePath($0).shown == path }) else {
      return error
    }
    return RAWError(
      error.code, error.stage, "\(path): \(error.message)", path: path, setting: error.setting)
  }
}

extension Array where Element: Hashable {
  /// Each element once, where it occurs first.
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

import BracketMerge
import Develop
import Formats
import Foundation
public import ImageCore
import RawFilter
import Readers
import Recipes
import Synchronization
public import SystemPackage

/// The main loop of a worker process: opens and develops one raw at a time by requests on an input,
/// and replies on an output.
///
/// Decoders may crash, hang or exhaust memory on a damaged file; in a process of its own that
/// fails only this file. A worker decides nothing. It writes its outputs to files that the batch
/// has opened and passes on the socket of the requests, so that it needs no right to write; a
/// program drops that right with ``Isolation/enter()`` before it makes a worker.
public final class Worker: Sendable {
  private let input: FileDescriptor
  /// Replies come from several threads: one line at a time.
  private let output: Mutex<FileDescriptor>
  private let version: String
  private let onClose: @Sendable () -> Void

  /// A worker that reads requests from `input` and writes replies to `output`. `onClose` is called
  /// once, from another thread, when `input` ends: it has to end the process. Standard input of a
  /// process that a batch started is the `input` that it needs.
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
    let passed = PassedFiles()
    Thread.detachNewThread { [input, onClose] in
      var lines = LineReader()
      var files: [Descriptor.Owned] = []
      while lines.read(from: input, files: &files) {
        // They arrive before their line is complete.
        passed.append(files)
        files = []
        lines.all().forEach(requests.append)
      }
      onClose()
    }
    reply(.ready(version: version, isolation: Isolation.current))
    var opened: OpenedRaw?
    var picture: StillImage?
    var limits = DecodeLimits()
    while true {
      guard let request = try? JSONLine.decode(WorkerRequest.self, requests.next()) else {
        reply(.failed(.init(code: "badSetting", message: "the request cannot be read")))
        continue
      }
      do {
        switch request {
        case .limits(let given): limits = given
        case .open(let path):
          opened = nil
          let raw = try OpenedRaw(FilePath(text: path), limits)
          opened = raw
          reply(.opened(raw.info))
        case .merge(let paths):
          opened = nil
          let raw = try OpenedRaw(paths.map { FilePath(text: $0) }, limits)
          opened = raw
          reply(.opened(raw.info))
        case .develop(let order):
          let files = passed.take(order.staged.count)
          guard let raw = opened else { throw BatchError(.badSetting, "no raw is open") }
          opened = nil
          reply(.developed(try develop(raw, order, into: files)))
        case .measure(let order):
          guard let raw = opened else { throw BatchError(.badSetting, "no raw is open") }
          let (findings, trust) = try Developer.seriesFindings(
            raw.filter, by: order.settings, colorMatrix: order.colorMatrix, workers: order.threads)
          reply(.measured(findings, trust: trust))
        case .digest(let paths): reply(.digests(paths.map(Self.digest)))
        case .openRaw(let path, let isPassedFiles):
          let file = isPassedFiles ? passed.take(1).first : nil
          let raw = try OpenedRaw(named: path, in: file, limits)
          opened = raw
          reply(.opened(raw.info))
        case .openPicture(let path, let isPassedFiles, let policy):
          let file = isPassedFiles ? passed.take(1).first : nil
          defer { withExtendedLifetime(file) {} }
          let image = try Converter.open(
            file?.path ?? path, limits: limits, policy: policy)
          picture = image
          reply(.openedPicture(FinishedInfo(image)))
        case .convert(let order):
          let files = passed.take(1)
          guard let image = picture else { throw BatchError(.badSetting, "no picture is open") }
          picture = nil
          reply(.converted(try convert(image, order, into: files)))
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

  /// The function that replies with progress, in steps of a twentieth.
  private var progress: @Sendable (Double) -> Void {
    let last = Mutex(0.0)
    return { fraction in
      let isDue = last.withLock { last in
        guard fraction >= last + 0.05 else { return false }
        last = fraction
        return true
      }
      if isDue { self.reply(.progress(fraction: fraction)) }
    }
  }

  private func convert(
    _ image: StillImage, _ order: ConvertOrder, into files: [Descriptor.Owned]
  ) throws -> PictureReport {
    guard let file = files.first else { throw BatchError(.badSetting, "no file was passed") }
    defer { withExtendedLifetime(file) {} }
    let converter = try order.converter()
    var report = try converter.convert(
      image, named: order.target,
      to: .handedOver(file.file.rawValue, name: order.target, syncs: false), progress: progress)
    report.isolation = Isolation.current.rawValue
    return report
  }

  private func develop(
    _ raw: OpenedRaw, _ order: WorkerOrder, into files: [Descriptor.Owned]
  ) throws -> WorkerResult {
    guard files.count == order.staged.count else {
      throw BatchError(.badSetting, "the worker did not receive all file descriptors")
    }
    defer { withExtendedLifetime(files) {} }
    var developer = Developer(
      recipe: order.recipe, workers: order.threads, colorMatrix: order.colorMatrix)
    developer.keepsPictures = order.keepsPictures
    developer.lensDatabasePath = order.lensDatabase
    developer.sidecarDescription = order.description.map { Array($0.utf8) }
    let folders = StagedFolders(order.staged)
    defer { withExtendedLifetime(folders) {} }
    let sample = order.thumbnail.map { _ in PictureSample() }
    let progress = progress
    var open: [String: FileDescriptor] = [:]
    for (name, file) in zip(order.staged.keys.sorted(), files) { open[name] = file.file }
    let targets = Dictionary(
      uniqueKeysWithValues: open.map { name, file in
        // A client that asks for reports writes one file, and syncs it itself.
        (
          name,
          OutputDestination.handedOver(
            file.rawValue, name: folders.paths[name] ?? "", syncs: !(order.isReported ?? false))
        )
      })
    var reports: [DevelopReport]
    do {
      reports = try developer.develop(
        try raw.picture(threads: order.threads), named: raw.path.shown, to: targets,
        sample: sample
      ) {
        if case .rendering(let fraction) = $0 { progress(fraction) }
      }
    } catch DevelopError.raw(let error) {
      throw DevelopError.raw(order.recipe.raw.namingInput(error))
    }
    if order.isReported ?? false {
      for index in reports.indices { reports[index].isolation = Isolation.current.rawValue }
      return WorkerResult(
        outputs: [], warnings: [], fileHeadroom: 1, peakBytes: ProcessMemory.peak,
        isolation: Isolation.current, reports: reports)
    }
    let outputs = try reports.map { report in
      BatchItem.Output(
        report, path: order.staged[report.name] ?? "",
        xxh128: try open[report.name].map { try Digest.of(open: $0) } ?? "")
    }
    let jpeg = try order.thumbnail.flatMap { try sample?.thumbnail(side: $0) }
    return WorkerResult(
      outputs: outputs, warnings: reports.flatMap(\.warnings).uniqued(),
      fileHeadroom: reports.first { $0.fileHeadroom > 0 }?.fileHeadroom ?? 1,
      light: sample?.statistics,
      thumbnail: jpeg.map { "data:image/jpeg;base64," + Data($0).base64EncodedString() },
      peakBytes: ProcessMemory.peak, isolation: Isolation.current)
  }
}

/// Passed files, from the reading thread to the working one, in the order of their requests.
private final class PassedFiles: Sendable {
  private let files = Mutex<[Descriptor.Owned]>([])

  func append(_ more: [Descriptor.Owned]) {
    if !more.isEmpty { files.withLock { $0 += more } }
  }

  /// The next `count` files; fewer where fewer came.
  func take(_ count: Int) -> [Descriptor.Owned] {
    files.withLock { files in
      defer { files.removeFirst(min(count, files.count)) }
      return Array(files.prefix(count))
    }
  }
}

extension Descriptor.Owned {
  /// A path that opens the file.
  fileprivate var path: String { "/proc/self/fd/\(file.rawValue)" }
}

/// A raw that a worker holds open, or a bracket.
private struct OpenedRaw {
  let path: FilePath
  let filter: RAWFilter
  let info: SourceInfo
  private var members: [BracketMerge.Member] = []

  /// The bracket of the files at `paths`; the first one gives the properties.
  init(_ paths: [FilePath], _ limits: DecodeLimits) throws {
    var opened: [OpenedRaw] = []
    for path in paths {
      do { opened.append(try OpenedRaw(path, limits)) } catch let error as DevelopError {
        // The error belongs to the bracket, so the message names the frame.
        throw BatchError(
          .cannotRead, "\(path.shown): \(error.message)", remedies: error.remedies)
      }
    }
    guard let first = opened.first else { throw BatchError(.badSetting, "no raw is named") }
    var info = first.info
    info.xxh128 = Digest.of(opened.map(\.info.xxh128).sorted().joined(separator: " "))
    self.init(
      path: first.path, filter: first.filter, info: info,
      members: opened.map { BracketMerge.Member(name: $0.path.shown, filter: $0.filter) })
  }

  private init(
    path: FilePath, filter: RAWFilter, info: SourceInfo, members: [BracketMerge.Member]
  ) {
    (self.path, self.filter, self.info, self.members) = (path, filter, info, members)
  }

  /// What is developed: the raw, or the merged frames.
  func picture(threads: Int) throws -> RAWFilter {
    guard !members.isEmpty else { return filter }
    var merge = BracketMerge()
    merge.workers = max(threads, 1)
    do { return try Developer.merged(members, by: merge).filter } catch {
      guard case .raw(let failure) = error, let path = failure.path else { throw error }
      throw BatchError(.cannotRead, "\(path): \(failure.message)", remedies: failure.remedies)
    }
  }

  /// The raw at `path`, or that in `file`, which `path` then only names; without its digest.
  init(named path: String, in file: Descriptor.Owned?, _ limits: DecodeLimits) throws {
    self.path = FilePath(text: path)
    defer { withExtendedLifetime(file) {} }
    filter = try ReadablePath(file.map { FilePath($0.path) } ?? self.path).withText {
      try Developer.open($0, limits: limits)
    }
    info = SourceInfo(filter, xxh128: "")
  }

  init(_ path: FilePath, _ limits: DecodeLimits) throws {
    self.path = path
    let xxh128 = try Digest.of(file: path)
    filter = try ReadablePath(path).withText { try Developer.open($0, limits: limits) }
    info = SourceInfo(filter, xxh128: xxh128)
  }
}

extension BatchItem.Failure {
  /// The code and message of `error`, without the path.
  init(_ error: any Error) {
    switch error {
    // Its message does not name the line.
    case let error as RecipeError:
      self.init(error.codeName, "\(error)", remedies: error.remedies)
    case let error as any KindedError:
      self.init(error.codeName, error.message, remedies: error.remedies)
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
    var named = error
    named.message = "\(path): \(error.message)"
    return named
  }
}

extension Array where Element: Hashable {
  /// Each element once, where it occurs first.
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

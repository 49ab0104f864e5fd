public import Develop
public import Formats
import Foundation
import HDRRender
public import ImageCore
package import RawFilter
public import Readers
import Recipes
import SystemPackage

/// Develops and converts single files in worker processes, one process per file, as batches do for
/// many. A crash or hang of a decoder on a damaged or hostile input fails only this file, and the
/// process may not write files, run programs or use a network (``Isolation``). This process opens
/// the outputs, passes their descriptors to the worker and renames them at the end.
///
/// A file takes 0.02 to 0.03 s longer than with `Developer` or `Converter`, and the output has the
/// same bytes.
public struct IsolatedDeveloper: Sendable {
  /// The executable and arguments of a program whose work is ``Worker``, as `rawdev worker`.
  public var worker: [String]
  /// Bytes that the worker may take; it is ended when it takes more.
  public var memoryBytes: Int
  /// Limits of time, memory and size for one file.
  public var limits = DecodeLimits()
  /// Seconds that a file may take; the worker is ended when they are over.
  public var timeoutSeconds: Double

  /// Workers started by `worker`, within these limits: by default the memory that is free and a
  /// quarter of an hour.
  public init(
    worker: [String], memoryBytes: Int = Machine.usableMemoryBytes, timeoutSeconds: Double = 900
  ) {
    self.worker = worker
    (self.memoryBytes, self.timeoutSeconds) = (memoryBytes, timeoutSeconds)
  }

  /// Opens the raw at `input` in a process of its own, without decoding its pixels.
  public func open(_ input: String) throws(IsolationError) -> IsolatedRaw {
    let (worker, reply) = try opened(input) { .openRaw(path: $0, isHandedOver: $1) }
    guard case .opened(let info) = reply else { throw worker.lost(.nonsense) }
    return IsolatedRaw(worker: worker, input: input, info: info)
  }

  /// Opens the finished picture at `input` in a process of its own, without decoding its pixels.
  /// `policy` decides how a damaged one is read.
  public func openPicture(
    _ input: String, policy: ReadPolicy = .whole
  ) throws(IsolationError) -> IsolatedPicture {
    let (worker, reply) = try opened(input) {
      .openPicture(path: $0, isHandedOver: $1, policy: policy)
    }
    guard case .openedPicture(let info) = reply else {
      throw worker.lost(.nonsense)
    }
    return IsolatedPicture(worker: worker, input: input, info: info)
  }

  /// A worker, and its reply to the request to open `input`, by path or by descriptor.
  private func opened(
    _ input: String, _ request: (_ path: String, _ isHandedOver: Bool) -> WorkerRequest
  ) throws(IsolationError) -> (IsolatedWorker, WorkerReply) {
    let worker = try IsolatedWorker(self, for: input)
    let file = try Self.descriptor(input)
    let reply = try worker.ask(
      request(FilePath(input).text, file != nil), handing: file.map { [$0] } ?? [])
    return (worker, reply)
  }

  /// The open file of a path such as /dev/stdin, which another process could not open.
  private static func descriptor(_ input: String) throws(IsolationError) -> FileDescriptor? {
    if input == "/dev/stdin" { return .standardInput }
    guard input.hasPrefix("/dev/fd/") else { return nil }
    guard let number = Int32(input.dropFirst("/dev/fd/".count)), fcntl(number, F_GETFD) >= 0 else {
      throw IsolationError(
        RAWError.Code.cannotRead.rawValue, .cannotRead,
        "no such open file; check the path",
        path: input)
    }
    return FileDescriptor(rawValue: number)
  }

  /// Calls `body` with open files for `outputs`, in the same order. Each is written completely or
  /// not at all. Returns the bytes of those that are also written to memory.
  fileprivate static func writing<R>(
    to outputs: ArraySlice<Output>, _ files: [FileDescriptor] = [],
    _ body: ([FileDescriptor]) throws -> R
  ) throws -> (result: R, contents: [[UInt8]?]) {
    guard let first = outputs.first else { return (try body(files), []) }
    let (rest, contents) = try first.destination.write(first.content) { descriptor in
      try writing(
        to: outputs.dropFirst(), files + [FileDescriptor(rawValue: descriptor)], body)
    }
    return (rest.result, [contents] + rest.contents)
  }

  /// A file that a worker process fills.
  fileprivate struct Output {
    var destination: OutputDestination
    var content: OutputContent

    /// An output made from the files at `inputs`.
    init(_ output: Recipe.Output, of inputs: [String], to destination: OutputDestination) {
      let paths = inputs + [output.iccProfile].compactMap { $0 }
      self.destination = destination
      content = OutputContent(
        output.format.container, of: Set(paths.compactMap { FileIdentity(path: $0) }))
    }
  }
}

/// A raw that is open in a worker process, for one development. For one thread.
public final class IsolatedRaw {
  private let worker: IsolatedWorker
  private let input: String
  /// What its recipe and the names of its outputs depend on, without a digest.
  public let info: SourceInfo

  fileprivate init(worker: IsolatedWorker, input: String, info: SourceInfo) {
    (self.worker, self.input, self.info) = (worker, input, info)
  }

  /// What it contributes to a series, and how reliable its preview is; see
  /// `Developer/seriesFindings(_:by:colorMatrix:workers:)`.
  package func seriesFindings(
    by settings: RAWSettings, colorMatrix: [Double]?, workers: Int
  ) throws(IsolationError) -> (findings: SeriesFindings, trust: Int) {
    let order = WorkerMeasurement(
      settings: settings, colorMatrix: colorMatrix, threads: max(workers, 1))
    guard case .measured(let findings, let trust) = try worker.ask(.measure(order)) else {
      throw worker.lost(.nonsense)
    }
    return (findings, trust)
  }

  /// Develops it with the settings of `developer` into the outputs of the recipe that have a
  /// destination, by name. All are complete before the first is renamed; where a later one cannot
  /// be renamed, the earlier ones stay. Reports are in the order of the names. `progress` gets the
  /// fraction of all outputs together. Throws ``IsolationError``, or `DevelopError` where an
  /// output cannot be written.
  public func develop(
    by developer: Developer, to destinations: [String: OutputDestination],
    progress: (Double) -> Void = { _ in }
  ) throws -> [DevelopReport] {
    let recipe = developer.recipe
    let inputs =
      [input] + recipe.raw.inputPaths + [developer.lensDatabasePath].compactMap { $0 }
    let named = destinations.compactMap { name, destination in
      recipe.outputs[name].map {
        (key: name, output: IsolatedDeveloper.Output($0, of: inputs, to: destination))
      }
    }.sorted { $0.key < $1.key }
    let order = WorkerOrder(
      recipe: developer.recipe, keepsPictures: developer.keepsPictures,
      // Only a name for the file whose descriptor is passed.
      staged: Dictionary(uniqueKeysWithValues: named.map { ($0.key, "/out/\($0.key)") }),
      threads: developer.workers, colorMatrix: developer.colorMatrix,
      lensDatabase: developer.lensDatabasePath,
      description: developer.sidecarDescription.map { String(decoding: $0, as: UTF8.self) },
      isReported: true)
    do {
      var (reports, contents) = try IsolatedDeveloper.writing(to: named.map(\.output)[...]) {
        files in
        let reply = try worker.ask(
          .develop(order), handing: files, progress: progress)
        guard case .developed(let result) = reply, var reports = result.reports else {
          throw worker.lost(.nonsense)
        }
        for index in reports.indices {
          reports[index].input = input
          reports[index].output = destinations[reports[index].name]?.name ?? ""
        }
        return reports
      }
      for (index, bytes) in zip(reports.indices, contents) { reports[index].contents = bytes }
      return reports
    } catch let error as WriteError { throw DevelopError.write(error) }
  }
}

/// A finished picture that is open in a worker process, for one conversion. For one thread.
public final class IsolatedPicture {
  private let worker: IsolatedWorker
  private let input: String
  /// Properties that the default output format depends on.
  package let info: FinishedInfo

  fileprivate init(worker: IsolatedWorker, input: String, info: FinishedInfo) {
    (self.worker, self.input, self.info) = (worker, input, info)
  }

  /// Converts it with the settings of `converter`, after `edits`, and writes the result to
  /// `target`, completely or not at all. Filters of `converter` itself are not sent to the worker:
  /// pass them as `edits`. Throws ``IsolationError``, or `DevelopError` where the output cannot be
  /// written.
  public func convert(
    by converter: Converter, edits: [PictureEdit] = [], to target: OutputDestination,
    progress: (Double) -> Void = { _ in }
  ) throws -> PictureReport {
    let order = ConvertOrder(
      output: converter.output, edits: edits, range: converter.range,
      headroom: converter.headroom, gainMap: converter.gainMap, threads: converter.workers,
      target: "/out")
    do {
      let output = IsolatedDeveloper.Output(converter.output, of: [input], to: target)
      var (report, contents) = try IsolatedDeveloper.writing(to: [output]) { files in
        let reply = try worker.ask(.convert(order), handing: files, progress: progress)
        guard case .converted(var report) = reply else {
          throw worker.lost(.nonsense)
        }
        (report.inputs, report.output) = ([input], target.name)
        return report
      }
      report.contents = contents[0]
      return report
    } catch let error as WriteError { throw DevelopError.write(error) }
  }
}

import Develop
import Formats
import ImageCore
import RawFilter
import Readers
import Recipes
import SystemPackage

extension BatchItem {
  /// Adds the warnings and notes of the plan, properties of the source and the worker's report.
  mutating func add(_ plan: SourcePlan?, _ info: SourceInfo?, _ result: WorkerResult?) {
    warnings = (plan?.warnings ?? []) + (result?.warnings ?? [])
    notes = plan.flatMap { $0.notes.isEmpty ? nil : $0.notes }
    (camera, xxh128) = (info?.picture.camera, info?.xxh128)
    (fileHeadroom, light) = (result?.fileHeadroom, result?.light)
    (thumbnail, peakBytes) = (result?.thumbnail, result?.peakBytes)
    isolation = result?.isolation
  }
}

extension BatchItem.Output {
  /// The output that `report` is about, at `path`.
  init(_ report: DevelopReport, path: String, xxh128: String) {
    self.init(
      name: report.name, path: path, format: report.format, width: report.width,
      height: report.height, bytes: report.bytes, xxh128: xxh128,
      contentHeadroom: report.contentHeadroom, maxCLL: report.maxCLL, maxFALL: report.maxFALL)
  }

  /// The state of the staged file that a worker reports as written for this output. Throws where
  /// the file does not match the report.
  func status(staged: FilePath) throws(BatchError) -> FileStatus {
    guard let status = FileStatus(staged), status.bytes == bytes, bytes > 0 else {
      throw BatchError(.cannotWrite, "the finished file is missing", path: staged)
    }
    return status
  }
}

extension WorkerStep {
  /// Develops a raw by `plan`, with its outputs staged in `folder`, once there is memory for it.
  init(
    develop plan: SourcePlan, _ info: SourceInfo, frames: Int = 0, in folder: FilePath,
    _ options: BatchOptions
  ) {
    let estimate = MemoryEstimate(
      pixels: info.pixels, frames: frames, recipe: plan.recipe, memoryBytes: options.memoryBytes)
    let order = WorkerOrder(
      recipe: plan.recipe, keepsPictures: estimate.keepsPictures,
      staged: plan.outputs.files.mapValues { folder.pushing($0.staged).text },
      thumbnail: options.thumbnail, colorMatrix: options.colorMatrix,
      lensDatabase: options.lensDatabase, description: plan.description)
    self = .send(.develop(order), bytes: estimate.bytes)
  }
}

extension BatchItem.Failure {
  /// The code of work that took too long.
  static let timeoutCode = "timeout"

  /// What the failure means. Its code comes from an error of the worker or from how that ended.
  var kind: FailureKind {
    let kinds: [FailureKind?] = [
      RAWError.Code(rawValue: code)?.kind, ReadError.Code(rawValue: code)?.kind,
      WriteError.Code(rawValue: code)?.kind, RecipeError.Code(rawValue: code)?.kind,
      BatchError.Code(rawValue: code)?.kind, PlanError.Code(rawValue: code)?.kind,
    ]
    return kinds.compactMap(\.self).first ?? (code == Self.timeoutCode ? .overLimit : .badInput)
  }

  /// The failure of a file whose worker was lost, while it was one of several or the only task.
  init(
    _ failure: WorkerFailure, memoryBytes: Int, timeoutSeconds: Double, isOneOfSeveral: Bool
  ) {
    switch failure {
    case .cancelled: self.init("interrupted", "interrupted; run the batch again")
    case .timeout:
      let isInteger = timeoutSeconds == timeoutSeconds.rounded()
      let limit = isInteger ? ReportNumber.fixed(timeoutSeconds, 0) : "\(timeoutSeconds)"
      self.init(
        Self.timeoutCode,
        "timed out after \(limit) s; give it more time"
          + (isOneOfSeveral ? ", or run fewer at a time" : ""),
        remedies: isOneOfSeveral ? [.allowTime, .reduceJobs] : [.allowTime])
    case .memory:
      self.init(
        "tooLarge", "needs more than \(memoryBytes >> 20) MiB of memory; allow more memory",
        remedies: [.allowMemory])
    case .crash(let end, let line):
      self.init(
        "crashed",
        "the decoder crashed on this file (\(end)); it is most likely damaged"
          + (line.map { ": \($0)" } ?? ""))
    case .nonsense:
      self.init(
        "crashed",
        "the worker sent an invalid reply; check the file for damage, and that the worker is of "
          + "this release")
    case .deaf:
      self.init(
        Self.timeoutCode,
        "the worker did not read its request within \(WorkerProcess.secondsToSend) s; try the "
          + "file again")
    case .unstarted(let reason):
      self.init("noWorker", "\(reason); send the request again later")
    }
  }

  /// The same within the limits of a batch.
  init(_ failure: WorkerFailure, _ options: BatchOptions) {
    self.init(
      failure, memoryBytes: options.memoryBytes, timeoutSeconds: options.timeoutSeconds,
      isOneOfSeveral: true)
  }
}

import Develop
import Formats
import ImageCore
import RawFilter
import Readers
import Recipes
import SystemPackage

extension BatchItem {
  /// Adds the warnings and notes of the plan, the facts of the source and the report of its worker.
  mutating func add(_ plan: SourcePlan?, _ facts: SourceFacts?, _ result: WorkerResult?) {
    warnings = (plan?.warnings ?? []) + (result?.warnings ?? [])
    notes = plan.flatMap { $0.notes.isEmpty ? nil : $0.notes }
    (camera, xxh128) = (facts?.picture.camera, facts?.xxh128)
    (fileHeadroom, light) = (result?.fileHeadroom, result?.light)
    (thumbnail, peakBytes) = (result?.thumbnail, result?.peakBytes)
    isolation = result?.isolation
  }
}

extension BatchItem.Output {
  /// The state of the staged file that a worker says it has written as this output. Throws where it
  /// has not.
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
    develop plan: SourcePlan, _ facts: SourceFacts, frames: Int = 0, in folder: FilePath,
    _ options: BatchOptions
  ) {
    let estimate = MemoryEstimate(
      pixels: facts.pixels, frames: frames, recipe: plan.recipe, memoryBytes: options.memoryBytes)
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

  /// What the failure means. Its code is that of an error of the worker, or says how that ended.
  var kind: FailureKind {
    let kinds: [FailureKind?] = [
      RAWError.Code(rawValue: code)?.kind, ReadError.Code(rawValue: code)?.kind,
      WriteError.Code(rawValue: code)?.kind, RecipeError.Code(rawValue: code)?.kind,
      BatchError.Code(rawValue: code)?.kind, PlanError.Code(rawValue: code)?.kind,
    ]
    return kinds.compactMap(\.self).first ?? (code == Self.timeoutCode ? .overLimit : .badInput)
  }

  /// The failure of a file whose worker was lost.
  init(_ failure: WorkerFailure, _ options: BatchOptions) {
    switch failure {
    case .cancelled: self.init(code: "interrupted", message: "interrupted; run the batch again")
    case .timeout:
      let limit = Int(options.timeoutSeconds)
      self.init(
        code: Self.timeoutCode,
        message: "timed out after \(limit) s; give it more time, or run fewer at a time")
    case .memory:
      self.init(
        code: "tooLarge",
        message: "needs more than \(options.memoryBytes >> 20) MiB of memory; allow more memory")
    case .crash(let end, let message):
      self.init(crashedBy: end, lastStderrLine: message)
    case .nonsense: self = .nonsense
    case .deaf: self = .deaf
    case .unstarted(let reason):
      self.init(code: "noWorker", message: "\(reason); send the request again later")
    }
  }

  /// The failure of a file whose worker replied what it was not asked.
  static let nonsense = BatchItem.Failure(
    code: "crashed",
    message: "the worker sent an invalid reply; check the file for damage, and that the worker is "
      + "of this release")

  /// The failure of a file whose worker did not take its request.
  static let deaf = BatchItem.Failure(
    code: timeoutCode,
    message: "the worker did not read its request within \(WorkerProcess.secondsToSend) s; try "
      + "the file again")

  /// The failure of a file whose worker died.
  init(crashedBy end: WorkerProcess.Termination, lastStderrLine line: String?) {
    self.init(
      code: "crashed",
      message: "the decoder crashed on this file (\(end)); it is most likely damaged"
        + (line.map { ": \($0)" } ?? ""))
  }
}

import ArgumentParser
import Batch
import Develop
import ImageCore

/// How a command fails: its exit code and meaning. Batches use the same numbers in their reports.
enum ExitStatus: Error, CaseIterable {
  case notKept
  case usage
  case someFailed
  case allFailed
  case badInput
  case overLimit
  case cannotRead
  case cannotWrite
  case interrupted

  /// The exit code.
  var code: Int32 {
    switch self {
    case .notKept: 1
    case .usage: 2
    case .badInput: 65
    case .cannotRead: 66
    case .overLimit: 70
    case .someFailed: Int32(BatchOutcome.someFailed.rawValue)
    case .allFailed: Int32(BatchOutcome.allFailed.rawValue)
    case .cannotWrite: Int32(BatchOutcome.cannotWrite.rawValue)
    case .interrupted: Int32(BatchOutcome.interrupted.rawValue)
    }
  }

  private var meaning: String {
    switch self {
    case .notKept: "gainmap check: an export lost something"
    case .usage: "the command line is wrong"
    case .someFailed: "some of several files failed"
    case .allFailed: "all of several files failed"
    case .badInput:
      "the file, or an ICC profile, is of another kind, damaged or not supported, or crashes the "
        + "decoder"
    case .overLimit: "the file takes more than --memory or --timeout"
    case .cannotRead: "the file cannot be read"
    case .cannotWrite: "the output cannot be written"
    case .interrupted: "interrupted"
    }
  }

  /// All exit codes with their meaning, for `rawdev --help`.
  static var explanation: String {
    (["0 everything was done"] + allCases.map { "\($0.code) \($0.meaning)" })
      .joined(separator: " · ")
  }

  /// The end of a batch; nil where everything was done.
  init?(_ outcome: BatchOutcome) {
    switch outcome {
    case .complete: return nil
    case .someFailed: self = .someFailed
    case .allFailed: self = .allFailed
    case .cannotWrite: self = .cannotWrite
    case .interrupted: self = .interrupted
    }
  }

  /// The status of a command that throws `error`; nil for errors of the argument parser, including
  /// requests for help.
  init?(_ error: any Error) {
    switch error {
    case let status as ExitStatus: self = status
    case let error as any KindedError: self.init(error.kind)
    case is ValidationError: self = .usage
    default: return nil
    }
  }

  private init(_ kind: FailureKind) {
    self =
      switch kind {
      case .request: .usage
      case .cannotRead: .cannotRead
      case .badInput: .badInput
      case .cannotWrite: .cannotWrite
      case .overLimit: .overLimit
      case .cancelled: .interrupted
      }
  }
}

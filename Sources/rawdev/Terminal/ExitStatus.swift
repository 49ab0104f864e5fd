import ArgumentParser
import Batch
import Develop
import ImageCore
import SystemPackage

/// How a command fails: its exit code, and what that means. Those of batches are the numbers in
/// their reports.
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

  /// The status of a command that throws `error`; nil for errors that are not ours, and where help
  /// was asked for.
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

extension ExitStatus {
  /// Calls `body` for every file. One that fails is named on standard error and passed to `failed`
  /// with the name of the kind of failure; the others continue, and those that are `unread` have
  /// failed. Throws what the failures mean together.
  static func forEach(
    _ files: [String], unread: [FilePath] = [], _ body: (String) throws -> Void,
    failed: (_ file: String, _ code: String, _ message: String) throws -> Void = { _, _, _ in }
  ) throws {
    var failures: [ExitStatus] = []
    let count = files.count + unread.count
    for path in unread {
      Terminal.failure("\(path.shown): \(ArgumentPath.notText)")
      try failed(path.shown, BatchError.Code.cannotRead.rawValue, ArgumentPath.notText)
      failures.append(.cannotRead)
    }
    for file in files {
      do { try body(file) } catch let status as ExitStatus { throw status } catch {
        guard let status = ExitStatus(error), let code = code(of: error) else { throw error }
        var message = Hint.text(error)
        // What is wrong with a plan or the options does not say for which file.
        if count > 1, error is PlanError || error is ValidationError {
          message = "\(file): \(message)"
        }
        Terminal.clearProgress()
        Terminal.failure(message)
        try failed(file, code, message)
        failures.append(status)
      }
    }
    guard let first = failures.first else { return }
    throw count == 1 ? first : failures.count == count ? allFailed : someFailed
  }

  /// The name of the kind of failure; nil for errors that are not ours.
  private static func code(of error: any Error) -> String? {
    switch error {
    case let error as any KindedError: error.codeName
    case is ValidationError: PlanError.Code.badSetting.rawValue
    default: nil
    }
  }
}

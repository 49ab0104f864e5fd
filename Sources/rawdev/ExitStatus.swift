import ArgumentParser
import Batch
import Develop
import Formats
import RawFilter
import Readers
import Recipes
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
    case let error as DevelopError: self.init(error)
    case let error as IsolationError: self.init(error)
    case let error as ReadError: self.init(.read(error))
    case let error as RecipeError: self.init(.recipe(error))
    case let error as BatchError: self.init(error)
    case is PlanError, is ValidationError: self = .usage
    default: return nil
    }
  }

  init(_ error: DevelopError) {
    switch error {
    case .raw(let error):
      switch error.code {
      case .cannotRead: self = .cannotRead
      case .badSetting: self = .usage
      case .notARaw, .unsupported, .damaged, .tooLarge: self = .badInput
      case .cancelled: self = .interrupted
      case .outOfMemory: self = .overLimit
      }
    case .read(let error):
      switch error.code {
      case .cannotRead: self = .cannotRead
      case .badSetting: self = .usage
      case .unknownKind, .unsupported, .damaged, .tooLarge: self = .badInput
      case .cancelled: self = .interrupted
      case .outOfMemory: self = .overLimit
      }
    case .recipe(let error):
      switch error.code {
      case .cannotRead: self = .cannotRead
      case .cannotWrite: self = .cannotWrite
      case .malformed, .badSetting, .newerSchema, .cyclicExtends, .exists: self = .usage
      }
    case .cancelled: self = .interrupted
    case .write(let error):
      switch error.code {
      case .badSetting, .isInput: self = .usage
      case .badProfile: self = .badInput
      case .cannotWrite, .exists, .diskFull, .encoderFailed, .unsupportedSize: self = .cannotWrite
      case .cancelled: self = .interrupted
      case .outOfMemory: self = .overLimit
      }
    }
  }

  private init(_ error: IsolationError) {
    switch error.code {
    case "timeout": self = .overLimit
    // Also that of a picture which declares more pixels than are admitted.
    case "tooLarge": self = error.isOverMemory ? .overLimit : .badInput
    case "cannotRead": self = .cannotRead
    case "badSetting", "isInput", "malformed", "newerSchema", "cyclicExtends": self = .usage
    case "cannotWrite", "exists", "diskFull", "encoderFailed", "unsupportedSize":
      self = .cannotWrite
    case "cancelled": self = .interrupted
    case "outOfMemory": self = .overLimit
    default: self = .badInput
    }
  }

  private init(_ error: BatchError) {
    switch error.code {
    case .cannotRead: self = .cannotRead
    case .cannotWrite: self = .cannotWrite
    case .badManifest, .changed: self = .badInput
    case .badSetting, .sameOutput, .exists: self = .usage
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
        var message = Hint.added(to: "\(error)")
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
    case let error as DevelopError: error.code
    case let error as IsolationError: error.code
    case let error as ReadError: error.code.rawValue
    case let error as RecipeError: error.code.rawValue
    case let error as BatchError: error.code.rawValue
    case let error as PlanError: error.code.rawValue
    case is ValidationError: PlanError.Code.badSetting.rawValue
    default: nil
    }
  }
}

import ArgumentParser
import Batch
import Develop
import ImageCore
import SystemPackage

/// The loop over the inputs of a command: a counter and progress where there are several; a
/// failed input is named and the others continue, and the exit code summarizes the failures. An
/// interruption ends it with the process (``Interruption``).
struct InputLoop {
  /// The files, in order.
  let inputs: [String]
  /// Files whose names are not UTF-8: they are named as failures.
  var unread: [FilePath] = []
  /// Called for each failure, with the name of its kind.
  var failed: (_ file: String, _ code: String, _ message: String) throws -> Void = { _, _, _ in }

  /// A loop over `inputs`.
  init(_ inputs: [String]) { self.inputs = inputs }

  /// A loop over `raws`.
  init(_ raws: RawInputs) { (inputs, unread) = (raws.files, raws.unread) }

  /// The turn of one input.
  struct Turn: Sendable {
    /// The file, as it was named.
    let input: String
    /// Its number, from 0.
    let index: Int
    /// The number of inputs.
    let count: Int
    private let start = ContinuousClock.now

    fileprivate init(_ input: String, _ index: Int, of count: Int) {
      (self.input, self.index, self.count) = (input, index, count)
    }

    /// Shows that `work` is done up to `fraction`; nil where that is unknown.
    func show(_ work: String, _ fraction: Double?) {
      let counter = count > 1 ? "\(index + 1)/\(count)  " : ""
      Terminal.show("\(counter)\(ArgumentPath.name(input)): \(work)", fraction, since: start)
    }
  }

  /// Calls `body` for each input. Throws the common exit status of the failures.
  func run(_ body: (Turn) throws -> Void) throws {
    var failures: [ExitStatus] = []
    let count = inputs.count + unread.count
    for path in unread {
      Terminal.failure("\(path.shown): \(ArgumentPath.notText)")
      try failed(path.shown, BatchError.Code.cannotRead.rawValue, ArgumentPath.notText)
      failures.append(.cannotRead)
    }
    for (index, input) in inputs.enumerated() {
      do { try body(Turn(input, index, of: inputs.count)) } catch let status as ExitStatus {
        throw status
      } catch {
        guard let status = ExitStatus(error), let code = Self.code(of: error) else { throw error }
        var message = Hint.text(error)
        // Errors of a plan or of the options do not name a file.
        if count > 1, error is PlanError || error is ValidationError {
          message = "\(input): \(message)"
        }
        Terminal.clearProgress()
        Terminal.failure(message)
        try failed(input, code, message)
        failures.append(status)
      }
      Terminal.clearProgress()
    }
    guard let first = failures.first else { return }
    throw count == 1 ? first : failures.count == count ? ExitStatus.allFailed : .someFailed
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

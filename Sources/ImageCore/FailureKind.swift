/// What a failure means to whoever asked for the work, whatever part failed: exit codes of the
/// command and statuses of the server follow from it.
public enum FailureKind: Sendable, Hashable, CaseIterable {
  /// What was asked for makes no sense or is not allowed: a setting, a name, a recipe.
  case request
  /// A file that is to be read is not there or may not be read.
  case cannotRead
  /// A file is of another kind, damaged, not supported, or larger than is admitted.
  case badInput
  /// What was made cannot be written.
  case cannotWrite
  /// The work needs more memory or time than it may take.
  case overLimit
  /// The work was cancelled.
  case cancelled
}

/// An error that says what it means to whoever asked.
public protocol KindedError: MessageError {
  /// What the failure means.
  var kind: FailureKind { get }
  /// A name for programs, such as `damaged`.
  var codeName: String { get }
  /// What helps, as far as its message advises what a program has its own way to do.
  var remedies: [Remedy] { get }
}

extension KindedError {
  /// Nothing but what the message says.
  public var remedies: [Remedy] { [] }
}

/// The codes of an error, by their names for programs.
public protocol FailureCode: RawRepresentable<String>, Sendable {
  /// What a failure of this code means.
  var kind: FailureKind { get }
}

/// An error with a code of its own type.
public protocol CodedError: KindedError {
  associatedtype Code: FailureCode
  /// What went wrong, for programs.
  var code: Code { get }
}

extension CodedError {
  /// What the failure means.
  public var kind: FailureKind { code.kind }
  /// The name of its code.
  public var codeName: String { code.rawValue }
}

/// What a failure means to the caller, whichever part failed: exit codes of the command and
/// statuses of the server follow from it.
public enum FailureKind: Sendable, Hashable, CaseIterable {
  /// The request is invalid or not allowed: a setting, a name, a recipe.
  case request
  /// An input file is missing or may not be read.
  case cannotRead
  /// An input file is of an unknown type, damaged, unsupported, or over a limit.
  case badInput
  /// The output cannot be written.
  case cannotWrite
  /// The work needs more memory or time than allowed.
  case overLimit
  /// The work was cancelled.
  case cancelled
}

/// An error with a ``FailureKind``.
public protocol KindedError: MessageError {
  /// What the failure means.
  var kind: FailureKind { get }
  /// A name for programs, such as `damaged`.
  var codeName: String { get }
  /// What helps, as far as its message advises what a program has its own way to do.
  var remedies: [Remedy] { get }
}

extension KindedError {
  /// Only what the message says.
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

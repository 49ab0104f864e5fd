import Synchronization

/// Ends a development early, from any thread.
public final class DevelopCancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Not cancelled yet.
  public init() {}

  /// Whether the work is to end.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Ends the work at its next band; nothing is written.
  public func cancel() { flag.store(true, ordering: .relaxed) }
}

import Synchronization

/// Cancels a development. Thread-safe.
public final class DevelopCancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Nothing is cancelled until ``cancel()``.
  public init() {}

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Cancels the work at its next band; existing files stay as they were.
  public func cancel() { flag.store(true, ordering: .relaxed) }
}

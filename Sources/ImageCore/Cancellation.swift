import Synchronization

/// Cancels work whose result is not needed any more. Thread-safe.
///
/// ``run(_:)`` and its worker threads check it before each group of rows. After ``cancel()`` none
/// starts another, the call throws, and files stay as they were.
public final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)
  /// The work that contains this one.
  private let outer: Cancellation?
  private let refuses: @Sendable (_ bytes: Int) -> Bool

  /// The cancellation of the work that the calling thread is doing.
  @TaskLocal static var current: Cancellation?
  /// Calls of ``run(_:)`` in progress: with none, a check is free.
  private static let runs = Atomic<Int>(0)

  /// Not cancelled until ``cancel()`` is called, or the enclosing work is cancelled.
  public convenience init() { self.init(refusing: { _ in false }) }

  /// For tests: as if the system had no memory for some blocks that this work asks for.
  package init(refusing refuses: @escaping @Sendable (_ bytes: Int) -> Bool) {
    (outer, self.refuses) = (Self.current, refuses)
  }

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool {
    flag.load(ordering: .relaxed) || (outer?.isCancelled ?? false)
  }

  /// Ends the work at its next group of rows.
  public func cancel() { flag.store(true, ordering: .relaxed) }

  /// Throws where the work of the calling thread is cancelled.
  package static func check() throws(PixelError) {
    if isCancelled { throw .cancelled }
  }

  /// Whether the work of the calling thread is cancelled.
  package static var isCancelled: Bool {
    runs.load(ordering: .relaxed) > 0 && current?.isCancelled ?? false
  }

  /// Whether the work of the calling thread is to go without this block of memory.
  static func refusesMemory(_ bytes: Int) -> Bool {
    runs.load(ordering: .relaxed) > 0 && current?.refuses(bytes) ?? false
  }

  /// Calls `body` as work that this cancels.
  public func run<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    Self.runs.add(1, ordering: .relaxed)
    defer { Self.runs.subtract(1, ordering: .relaxed) }
    return try Self.$current.withValue(self) { () -> Result<R, E> in
      do throws(E) { return .success(try body()) } catch { return .failure(error) }
    }.get()
  }
}

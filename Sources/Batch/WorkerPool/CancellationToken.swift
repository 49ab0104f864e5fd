import Foundation
import Synchronization

/// A way to end a batch from a signal handler or another thread: what is under way may end, nothing new
/// begins.
public final class CancellationToken: Sendable {
  private let flag = Atomic<Bool>(false)
  /// Becomes readable with the request.
  let descriptor: Int32
  private let signal: Int32

  /// Nothing is asked for yet.
  public init() { (descriptor, signal) = Pipe.make() ?? (-1, -1) }

  deinit {
    close(descriptor)
    close(signal)
  }

  /// Whether an end was asked for.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Waits for a request, no longer than this.
  public func wait(seconds: Double) {
    var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&input, 1, seconds > 0 ? Int32(min(seconds, 1e6) * 1000) : 0)
  }

  /// Asks for an end; safe in a signal handler.
  public func cancel() {
    // Once: the pipe would be full some day, and the next request would wait for ever.
    guard !flag.exchange(true, ordering: .relaxed) else { return }
    var one: UInt8 = 1
    _ = write(signal, &one, 1)
  }
}

import Foundation
import Synchronization

/// Cancels a batch or a server, from any thread or a signal handler: what is under way may end,
/// nothing new begins. It cannot be taken back.
public final class CancellationToken: Sendable {
  private let flag = Atomic<Bool>(false)
  /// Readable once it is cancelled, for `poll`; -1 where the process has no descriptors left.
  let descriptor: Int32
  private let signal: Int32

  /// A token that is not cancelled. Holds a pipe as long as it lives.
  public init() { (descriptor, signal) = Pipe.make() ?? (-1, -1) }

  deinit {
    close(descriptor)
    close(signal)
  }

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Blocks until it is cancelled, `seconds` at most; not at all for 0, negative numbers and NaN.
  public func wait(seconds: Double) {
    var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&input, 1, seconds > 0 ? Int32(min(seconds, 1e6) * 1000) : 0)
  }

  /// Cancels; may be called any number of times and in a signal handler.
  public func cancel() {
    // One byte in all: a pipe that is full would make the next call wait forever.
    guard !flag.exchange(true, ordering: .relaxed) else { return }
    var one: UInt8 = 1
    _ = write(signal, &one, 1)
  }
}

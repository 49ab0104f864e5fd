import Foundation
import Synchronization
import SystemPackage

/// Cancels a batch or a server, from any thread or a signal handler: tasks in progress may finish,
/// no new ones begin. A cancellation is final.
public final class CancellationToken: Sendable {
  private let flag = Atomic<Bool>(false)
  private let pipe: PipeEnds?
  /// Readable once it is cancelled, for ``Poll``; -1 where the process has no descriptors left.
  let descriptor: FileDescriptor
  private let signal: FileDescriptor

  /// A token that is not cancelled. Holds a pipe as long as it lives.
  public init() {
    if let ends = try? PipeEnds() {
      (descriptor, signal) = (ends.read.file, ends.write.file)
      pipe = consume ends
    } else {
      (descriptor, signal) = (FileDescriptor(rawValue: -1), FileDescriptor(rawValue: -1))
      pipe = nil
    }
  }

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Blocks until it is cancelled, `seconds` at most; returns at once for 0, negatives and NaN.
  public func wait(seconds: Double) {
    let milliseconds = seconds > 0 ? Int32(min(seconds, 1e6) * 1000) : 0
    _ = Poll.readable([descriptor], milliseconds: milliseconds)
  }

  /// Cancels; may be called any number of times and in a signal handler.
  public func cancel() {
    // One byte in all: a pipe that is full would make the next call wait forever.
    guard !flag.exchange(true, ordering: .relaxed) else { return }
    // Without allocation, as in a signal handler.
    var one: UInt8 = 1
    _ = unsafe write(signal.rawValue, &one, 1)
  }
}

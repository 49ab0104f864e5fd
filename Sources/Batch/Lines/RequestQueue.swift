import Foundation
import Synchronization

/// Lines from a reading thread to a working one.
final class RequestQueue: Sendable {
  private let lines = Mutex<[Data]>([])
  private let filled = DispatchSemaphore(value: 0)

  /// Appends a line.
  func append(_ line: Data) {
    lines.withLock { $0.append(line) }
    filled.signal()
  }

  /// Removes the first line; blocks until one is available.
  func next() -> Data {
    filled.wait()
    return lines.withLock { $0.removeFirst() }
  }
}

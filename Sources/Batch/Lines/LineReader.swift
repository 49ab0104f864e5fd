import Foundation
import Synchronization

/// Splits what is read from a descriptor into lines.
struct LineReader {
  private var pending: [UInt8] = []
  private var start = 0
  /// Maximum length of a line, bytes; a longer one ends the input.
  static let maxLineLength = 64 << 20

  /// Reads once, up to 64 KiB, blocking only if the descriptor does; false at the end or on
  /// failure.
  mutating func read(from descriptor: Int32) -> Bool {
    if start > 0 {
      pending.removeFirst(start)
      start = 0
    }
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Foundation.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return true }
      guard count > 0, pending.count + count <= Self.maxLineLength else { return false }
      pending += chunk[..<count]
      return true
    }
  }

  /// The next complete line without its line feed; nil where there is none yet.
  mutating func next() -> [UInt8]? {
    guard let end = pending[start...].firstIndex(of: 10) else { return nil }
    defer { start = end + 1 }
    return Array(pending[start..<end])
  }

  /// The bytes after the last complete line.
  var rest: [UInt8] { Array(pending[start...]) }
}

/// Writes whole lines.
enum LineWriter {
  private static let turn = Mutex(())

  /// Writes `line` and a line feed, serialized over all threads; false where nobody reads.
  @discardableResult
  static func write(_ line: Data, to descriptor: Int32) -> Bool {
    turn.withLock { _ in writeAll(Array(line) + [10], to: descriptor) }
  }

  /// Writes all of `bytes`; false where that fails.
  static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    BrokenPipe.withoutSignal { writeRest(bytes, to: descriptor) }
  }

  private static func writeRest(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Foundation.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }
}

/// Lines from a reading thread to a working one.
final class RequestQueue: Sendable {
  private let lines = Mutex<[[UInt8]]>([])
  private let filled = DispatchSemaphore(value: 0)

  /// Appends a line.
  func append(_ line: [UInt8]) {
    lines.withLock { $0.append(line) }
    filled.signal()
  }

  /// Removes the first line; blocks until there is one.
  func next() -> [UInt8] {
    filled.wait()
    return lines.withLock { $0.removeFirst() }
  }
}

import Foundation

/// Splits bytes that arrive in chunks into lines.
struct LineSplitter {
  /// One line.
  struct Line {
    /// Its bytes without the line feed; nil where there are more than ``LineSplitter/maxLength``.
    var bytes: Data?
    /// From 1.
    var number: Int
    /// Offset of its first byte.
    var offset: Int
    /// Whether a line feed ended it.
    var isComplete: Bool
  }

  /// Bytes of the longest line that is held in memory.
  let maxLength: Int
  /// Bytes whose lines were not returned, from `start` on; before `searched` there is no line feed.
  private var buffer: [UInt8] = []
  private var start = 0
  private var searched = 0
  /// Bytes of the next line that were dropped because it is too long.
  private var dropped = 0
  private var number = 1
  private var offset = 0

  init(maxLength: Int) { self.maxLength = maxLength }

  /// Number of bytes that are held.
  var count: Int { buffer.count - start }

  /// Appends the next bytes.
  mutating func append(_ chunk: some Sequence<UInt8>) {
    buffer.removeFirst(start)
    searched -= start
    start = 0
    buffer += chunk
  }

  /// The next complete line; nil where no line is complete yet.
  mutating func next() -> Line? {
    guard let end = buffer[searched...].firstIndex(of: 10) else {
      if count > maxLength {
        dropped += count
        buffer = []
        start = 0
      }
      searched = buffer.count
      return nil
    }
    defer {
      offset += dropped + end + 1 - start
      number += 1
      dropped = 0
      (start, searched) = (end + 1, end + 1)
    }
    return line(to: end, isComplete: true)
  }

  /// The bytes after the last line feed; nil without any. Call at the end, after `next`.
  func last() -> Line? {
    dropped + count > 0 ? line(to: buffer.count, isComplete: false) : nil
  }

  private func line(to end: Int, isComplete: Bool) -> Line {
    let isTooLong = dropped + end - start > maxLength
    return Line(
      bytes: isTooLong ? nil : Data(buffer[start..<end]), number: number, offset: offset,
      isComplete: isComplete)
  }
}

import Foundation

/// Cuts bytes that come in pieces into lines.
struct LineSplitter {
  /// One line without its line feed.
  struct Line {
    /// Its bytes; nil when there are too many.
    var bytes: Data?
    /// From 1.
    var number: Int
    /// Bytes before it.
    var offset: Int
    /// Whether a line feed ended it.
    var isComplete: Bool
  }

  private let longest: Int
  private var rest = Data()
  private var isTooLong = false
  private var number = 1
  private var offset = 0
  private var position = 0

  init(longest: Int) { self.longest = longest }

  /// Gives every line that `piece` completes to `take`.
  mutating func feed(_ piece: Data, _ take: (Line) throws -> Void) throws {
    var from = piece.startIndex
    while let end = Self.lineFeed(piece, from) {
      keep(piece[from..<end])
      try give(isComplete: true, take)
      position += end + 1 - from
      offset = position
      number += 1
      from = end + 1
    }
    keep(piece[from...])
    position += piece.endIndex - from
  }

  /// Gives what stands after the last line feed.
  mutating func finish(_ take: (Line) throws -> Void) throws {
    if !rest.isEmpty || isTooLong { try give(isComplete: false, take) }
  }

  private mutating func keep(_ bytes: Data) {
    if isTooLong || rest.count + bytes.count > longest {
      isTooLong = true
      rest = Data()
    } else if rest.isEmpty {
      rest = bytes
    } else {
      rest.append(bytes)
    }
  }

  private mutating func give(isComplete: Bool, _ take: (Line) throws -> Void) throws {
    let line = Line(
      bytes: isTooLong ? nil : rest, number: number, offset: offset, isComplete: isComplete)
    (rest, isTooLong) = (Data(), false)
    try take(line)
  }

  private static func lineFeed(_ data: Data, _ from: Int) -> Int? {
    data[from...].withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start, 10, bytes.count) else {
        return nil
      }
      return from + (UnsafeRawPointer(found) - start)
    }
  }
}

import Containers

/// Changes to the bytes of a file: ranges that others take the place of. All else is copied.
struct Splices {
  private var edits: [(range: Range<Int>, bytes: [UInt8])] = []

  var isEmpty: Bool { edits.isEmpty }

  /// Puts `bytes` in the place of `range`, which may be empty; ranges must not overlap. Of several
  /// at one place the first stands first.
  mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) {
    let index = edits.firstIndex { $0.range.lowerBound > range.lowerBound } ?? edits.count
    edits.insert((range, bytes), at: index)
  }

  /// Where byte `old` of the file goes; what is inserted at a place stands before it.
  func place(_ old: Int) -> Int {
    edits.reduce(old) { place, edit in
      guard edit.range.upperBound <= old else { return place }
      return place + edit.bytes.count - edit.range.count
    }
  }

  /// Where what is put at `range` goes.
  func place(of range: Range<Int>) -> Int {
    // Of several that are put at one place this is the last.
    let last = edits.lastIndex { $0.range == range } ?? edits.count
    return edits[..<last].reduce(range.lowerBound) { place, edit in
      guard edit.range.upperBound <= range.lowerBound else { return place }
      return place + edit.bytes.count - edit.range.count
    }
  }

  /// Whether the ranges lie in order and apart.
  var areApart: Bool {
    zip(edits, edits.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound }
  }

  func bytes(of file: FileBytes) -> [UInt8] {
    var out: [UInt8] = []
    var position = 0
    for edit in edits {
      out += file.buffer[position..<edit.range.lowerBound]
      out += edit.bytes
      position = edit.range.upperBound
    }
    return out + file.buffer[position...]
  }
}

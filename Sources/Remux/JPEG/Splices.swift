import Containers

/// Replacements of byte ranges of a file. All else is copied.
struct Splices {
  private var edits: [(range: Range<Int>, bytes: [UInt8])] = []

  var isEmpty: Bool { edits.isEmpty }

  /// Replaces `range`, which may be empty; ranges must not overlap. Several insertions at one
  /// position keep their order.
  mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) {
    let index = edits.firstIndex { $0.range.lowerBound > range.lowerBound } ?? edits.count
    edits.insert((range, bytes), at: index)
  }

  /// The new offset of byte `old`, behind what is inserted there.
  func offset(_ old: Int) -> Int { offset(old, after: edits[...]) }

  /// The new offset of what replaces `range`; of several insertions there, of the last.
  func offset(of range: Range<Int>) -> Int {
    let last = edits.lastIndex { $0.range == range } ?? edits.count
    return offset(range.lowerBound, after: edits[..<last])
  }

  private func offset(_ old: Int, after edits: ArraySlice<(range: Range<Int>, bytes: [UInt8])>)
    -> Int
  {
    edits.reduce(old) { offset, edit in
      edit.range.upperBound <= old ? offset + edit.bytes.count - edit.range.count : offset
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
      unsafe out += file.buffer[position..<edit.range.lowerBound]
      out += edit.bytes
      position = edit.range.upperBound
    }
    return unsafe out + file.buffer[position...]
  }
}

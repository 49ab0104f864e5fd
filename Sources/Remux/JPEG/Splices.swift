import Containers

/// Replacements of byte ranges of a file. All else is copied.
struct Splices {
  private typealias Edit = (range: Range<Int>, bytes: [UInt8])

  /// In order of arrival: there may be one for each segment of a file, and sorted insertion would
  /// search each time.
  private var edits: [Edit] = []

  var isEmpty: Bool { edits.isEmpty }

  /// Replaces `range`, which may be empty; ranges must not overlap. Several insertions at one
  /// position keep their order.
  mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) {
    edits.append((range, bytes))
  }

  /// In the order of the file.
  private var ordered: [Edit] {
    edits.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    .map(\.element)
  }

  /// The new offset of byte `old`, after insertions there.
  func offset(_ old: Int) -> Int { offset(old, before: edits.count) }

  /// The new offset of what replaces `range`; of several insertions there, of the last.
  func offset(of range: Range<Int>) -> Int {
    offset(range.lowerBound, before: edits.lastIndex { $0.range == range } ?? edits.count)
  }

  /// The new offset of byte `old`, after the insertions there that came before number `last`.
  private func offset(_ old: Int, before last: Int) -> Int {
    edits.enumerated().reduce(old) { offset, next in
      let (index, edit) = next
      let isBefore =
        edit.range.lowerBound < old
        ? edit.range.upperBound <= old : edit.range == old..<old && index < last
      return isBefore ? offset + edit.bytes.count - edit.range.count : offset
    }
  }

  /// Whether the ranges lie in order and apart.
  var areApart: Bool {
    let edits = ordered
    return zip(edits, edits.dropFirst()).allSatisfy {
      $0.range.upperBound <= $1.range.lowerBound
    }
  }

  func bytes(of file: FileBytes) -> [UInt8] {
    var out: [UInt8] = []
    var position = 0
    for edit in ordered {
      unsafe out += file.buffer[position..<edit.range.lowerBound]
      out += edit.bytes
      position = edit.range.upperBound
    }
    return unsafe out + file.buffer[position...]
  }
}

import ImageCore

/// The bytes of items. Those of one, and of the items that it is made of, are no more than some
/// times those of the file, and no more than decoding may hold, however its tables overlap.
package struct HEIFItemReader {
  /// Bytes as which a part of an item counts beside its own: looking for it takes time even where
  /// it has none. The tables have eight for each, so that a file may name all of its parts once.
  package static let partBytes = 8 * FormatLimits.reuse

  package let file: FileBytes
  package let items: HEIFItems

  package init(file: FileBytes, items: HEIFItems) { (self.file, self.items) = (file, items) }

  /// Items that should be in this file and are not, or not to their ends.
  package var itemsOutside: [Int] {
    items.numbers.filter { number in
      guard let location = items[number]?.location, location.isHere else { return false }
      let whole =
        switch location.origin {
        case .file: file.count
        case .inline: items.inline.count
        case .item, nil: Int.max
        }
      return location.extents.contains { extent in
        extent.offset > whole || extent.length ?? 0 > whole - extent.offset
      }
    }
  }

  /// Bytes that ``bytes(of:)`` reads, of which at most `most` are counted: those of all parts, open
  /// ones up to the end, the whole of each item that a part is taken of, and ``partBytes`` for each
  /// part. `known` keeps what was counted before. What cannot be read is nothing: reading it fails.
  package func readBytes(
    of number: Int, atMost most: Int, _ known: inout [Int: Int], depth: Int = 0
  ) -> Int {
    if let count = known[number] { return count }
    guard depth < file.limits.maxNesting, let location = items[number]?.location,
      location.isHere, let origin = location.origin
    else { return 0 }
    // An item that is part of itself.
    known[number] = 0
    let sources = origin == .item ? items.targets("iloc", of: number) : []
    var total = 0
    for extent in location.extents {
      var (whole, read) = (0, 0)
      switch origin {
      case .file: whole = file.count
      case .inline: whole = items.inline.count
      case .item:
        let source = max(extent.index, 1) - 1
        if source < sources.count {
          whole = readBytes(of: sources[source], atMost: most, &known, depth: depth + 1)
          read = whole
        }
      }
      let rest = max(whole - extent.offset, 0)
      total = min(total + Self.partBytes + read + min(extent.length ?? rest, rest), most)
    }
    known[number] = total
    return total
  }

  /// Fails where more than `most` bytes are read for them, those of the items that parts are taken
  /// of among them.
  package func bytes(of number: Int, atMost most: Int = .max) throws(FormatError) -> [UInt8] {
    var budget = min(
      FormatLimits.reuse * file.count, max(file.count, file.limits.maxDecodeBytes), most)
    var wholes: [Int: Whole] = [:]
    return try bytes(of: number, within: [], &budget, &wholes)
  }

  /// An item that parts are taken of, which is put together once, and what that took of the budget.
  private struct Whole {
    let bytes: [UInt8]
    let cost: Int
  }

  private func bytes(
    of number: Int, within outer: [Int], _ budget: inout Int, _ wholes: inout [Int: Whole]
  ) throws(FormatError) -> [UInt8] {
    let outside = FormatError.contradiction("item \(number) has data outside the file")
    guard let location = items[number]?.location else { throw outside }
    guard location.isHere, let origin = location.origin else {
      throw FormatError(
        .unsupported, "item \(number) is stored in another file; give a self-contained file")
    }
    guard !outer.contains(number) else {
      throw .contradiction("item \(number) references itself")
    }
    guard outer.count < file.limits.maxNesting else { throw file.tooDeep("items") }
    let sources = origin == .item ? items.targets("iloc", of: number) : []
    var result: [UInt8] = []
    for extent in location.extents {
      func part(of whole: Int) throws(FormatError) -> Range<Int> {
        guard extent.offset <= whole else { throw outside }
        let length = extent.length ?? (whole - extent.offset)
        guard length <= whole - extent.offset, length <= budget else { throw outside }
        budget -= length
        return extent.offset..<extent.offset + length
      }
      switch origin {
      case .file:
        let range = try part(of: file.count)
        result += file.bytes(range.lowerBound, range.count) ?? []
      case .inline:
        let range = try part(of: items.inline.count)
        result += items.inline.dropFirst(range.lowerBound).prefix(range.count)
      case .item:
        let source = max(extent.index, 1) - 1
        guard source < sources.count else { throw outside }
        let whole: Whole
        if let known = wholes[sources[source]] {
          guard known.cost <= budget else { throw outside }
          budget -= known.cost
          whole = known
        } else {
          let before = budget
          let read = try bytes(of: sources[source], within: outer + [number], &budget, &wholes)
          whole = Whole(bytes: read, cost: before - budget)
          wholes[sources[source]] = whole
        }
        result += whole.bytes[try part(of: whole.bytes.count)]
      }
    }
    return result
  }
}

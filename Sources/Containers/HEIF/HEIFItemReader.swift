import ImageCore

/// The bytes of items. The bytes of one, including the items that it is made of, are limited to a
/// multiple of the file, and to the memory limit of decoding, however its tables overlap.
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
      let available =
        switch location.origin {
        case .file: file.count
        case .inline: items.inline.count
        case .item, nil: Int.max
        }
      return location.extents.contains { extent in
        extent.offset > available || extent.length ?? 0 > available - extent.offset
      }
    }
  }

  /// Bytes that ``bytes(of:)`` reads, counted up to `limit`: all parts, open ones up to the end,
  /// each item that a part is taken from completely, and ``partBytes`` for each part. `known`
  /// caches counts. Unreadable items count as nothing: reading them fails.
  package func readBytes(
    of number: Int, atMost limit: Int, _ known: inout [Int: Int], depth: Int = 0
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
      var (available, read) = (0, 0)
      switch origin {
      case .file: available = file.count
      case .inline: available = items.inline.count
      case .item:
        let source = max(extent.index, 1) - 1
        if source < sources.count {
          available = readBytes(of: sources[source], atMost: limit, &known, depth: depth + 1)
          read = available
        }
      }
      let rest = max(available - extent.offset, 0)
      total = min(total + Self.partBytes + read + min(extent.length ?? rest, rest), limit)
    }
    known[number] = total
    return total
  }

  /// Fails where more than `limit` bytes are read for them, including the items that parts are
  /// taken from.
  package func bytes(of number: Int, atMost limit: Int = .max) throws(FormatError) -> [UInt8] {
    var budget = min(
      FormatLimits.reuse * file.count, max(file.count, file.limits.maxDecodeBytes), limit)
    var sourceItems: [Int: SourceItem] = [:]
    return try bytes(of: number, within: [], &budget, &sourceItems)
  }

  /// An item that parts are taken from, assembled once, and its cost in the budget.
  private struct SourceItem {
    let bytes: [UInt8]
    let cost: Int
  }

  private func bytes(
    of number: Int, within outer: [Int], _ budget: inout Int, _ sourceItems: inout [Int: SourceItem]
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
      func part(of total: Int) throws(FormatError) -> Range<Int> {
        guard extent.offset <= total else { throw outside }
        let length = extent.length ?? (total - extent.offset)
        guard length <= total - extent.offset, length <= budget else { throw outside }
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
        let item: SourceItem
        if let known = sourceItems[sources[source]] {
          guard known.cost <= budget else { throw outside }
          budget -= known.cost
          item = known
        } else {
          let before = budget
          let read = try bytes(of: sources[source], within: outer + [number], &budget, &sourceItems)
          item = SourceItem(bytes: read, cost: before - budget)
          sourceItems[sources[source]] = item
        }
        result += item.bytes[try part(of: item.bytes.count)]
      }
    }
    return result
  }
}

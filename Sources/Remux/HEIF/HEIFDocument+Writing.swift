import Containers
import Readers
import Writers

// The file anew: boxes in their order, tables written again where an edit can change them, of the media
// data only what an item points to. Bytes of items are copied, never changed.

extension HEIFDocument {
  /// Where kept runs of some bytes go: runs that touch or overlap are one.
  struct Runs {
    private(set) var runs: [Range<Int>] = []
    private var starts: [Int] = []
    private(set) var count = 0

    init(_ ranges: [Range<Int>]) {
      for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        if let last = runs.last, range.lowerBound <= last.upperBound {
          runs[runs.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        } else {
          runs.append(range)
        }
      }
      for run in runs {
        starts.append(count)
        count += run.count
      }
    }

    /// The place of byte `place` among the kept ones.
    func place(_ place: Int) -> Int {
      var (low, high) = (0, runs.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if runs[middle].lowerBound <= place { low = middle } else { high = middle }
      }
      return runs.isEmpty ? 0 : starts[low] + place - runs[low].lowerBound
    }
  }

  /// The new bytes of all items that are stored there, in order.
  private func added(inline wanted: Bool) -> [(number: Int, bytes: [UInt8])] {
    order.compactMap { number in
      guard case .new(let bytes, let isInline) = items[number]?.storage, isInline == wanted else {
        return nil
      }
      return (number, bytes)
    }
  }

  private func sourceRanges(inline wanted: Bool) -> [Range<Int>] {
    order.flatMap { number -> [Range<Int>] in
      guard case .source(let ranges, let isInline) = items[number]?.storage, isInline == wanted
      else { return [] }
      return ranges
    }
  }

  /// The whole file.
  func bytes() throws(ReadError) -> [UInt8] {
    let fileRanges = sourceRanges(inline: false)
    var media: [Int: Runs] = [:]
    for (index, part) in parts.enumerated() {
      guard case .media(let content) = part else { continue }
      media[index] = Runs(fileRanges.filter { content.contains($0.lowerBound) })
    }
    let inlineRuns = Runs(sourceRanges(inline: true))
    let addedMedia = added(inline: false)
    let addedBytes = addedMedia.reduce(0) { $0 + $1.bytes.count }
    let lastMedia = media.keys.max()
    // The size of the tables does not depend on the places in them.
    let isLarge = file.count + addedBytes > Int(UInt32.max) / 2
    let metaBytes = meta(inlineRuns, isLarge: isLarge) { _ in
      0
    } new: { _ in
      0
    }
    func header(_ content: Int) -> Int { content + 8 > Int(UInt32.max) ? 16 : 8 }
    var position = 0
    var starts: [Int: Int] = [:]
    var addedStart = 0
    for (index, part) in parts.enumerated() {
      switch part {
      case .kept(let range): position += range.count
      case .brands: position += 8 + brands.count
      case .meta: position += metaBytes.count
      case .media:
        let kept = media[index]?.count ?? 0
        let whole = kept + (index == lastMedia ? addedBytes : 0)
        if whole == 0 { continue }
        position += header(whole)
        starts[index] = position
        if index == lastMedia { addedStart = position + kept }
        position += whole
      }
    }
    if lastMedia == nil, addedBytes > 0 { addedStart = position + header(addedBytes) }
    var newPlaces: [Int: Int] = [:]
    for (number, bytes) in addedMedia {
      newPlaces[number] = addedStart
      addedStart += bytes.count
    }
    let sources = parts.enumerated().compactMap { index, part -> (Range<Int>, Runs, Int)? in
      guard case .media(let content) = part, let runs = media[index], let start = starts[index]
      else { return nil }
      return (content, runs, start)
    }
    let finished = meta(inlineRuns, isLarge: isLarge) { place in
      guard let (_, runs, start) = sources.first(where: { $0.0.contains(place) }) else { return 0 }
      return start + runs.place(place)
    } new: {
      newPlaces[$0] ?? 0
    }
    guard finished.count == metaBytes.count else {
      throw ISOCursor.damaged("its tables change their size")
    }
    return assembled(finished, media, addedMedia.map(\.bytes), lastMedia)
  }

  private func assembled(
    _ meta: [UInt8], _ media: [Int: Runs], _ added: [[UInt8]], _ lastMedia: Int?
  ) -> [UInt8] {
    var out: [UInt8] = []
    let addedBytes = added.reduce(0) { $0 + $1.count }
    func begin(_ count: Int) {
      var head = BoxBytes()
      if count + 8 > Int(UInt32.max) {
        head.u32(1)
        head.append("mdat".utf8)
        head.u64(UInt64(count + 16))
      } else {
        head.u32(UInt32(count + 8))
        head.append("mdat".utf8)
      }
      out += head.bytes
    }
    for (index, part) in parts.enumerated() {
      switch part {
      case .kept(let range):
        out += file.buffer[range]
      case .brands: out += Self.bytes("ftyp", brands)
      case .meta: out += meta
      case .media:
        let isLast = index == lastMedia
        let count = (media[index]?.count ?? 0) + (isLast ? addedBytes : 0)
        if count == 0 { continue }
        begin(count)
        for run in media[index]?.runs ?? [] { out += file.buffer[run] }
        if isLast { for bytes in added { out += bytes } }
      }
    }
    if lastMedia == nil, addedBytes > 0 {
      begin(addedBytes)
      for bytes in added { out += bytes }
    }
    return out
  }

  private func meta(
    _ inlineRuns: Runs, isLarge: Bool, file place: (Int) -> Int, new: (Int) -> Int
  ) -> [UInt8] {
    var meta = BoxBytes()
    meta.box("meta") {
      $0.append(metaHead)
      for child in childrenWithNewParts {
        switch child {
        case .kept(let bytes): $0.append(bytes)
        case .primary: writePrimary(&$0)
        case .infos: writeInfos(&$0)
        case .references: if !references.isEmpty { writeReferences(&$0) }
        case .properties: writeProperties(&$0)
        case .inline: writeInline(&$0, inlineRuns)
        case .locations:
          writeLocations(&$0, inlineRuns, isLarge: isLarge, file: place, new: new)
        case .groups: if !groups.isEmpty { writeGroups(&$0) }
        }
      }
    }
    return meta.bytes
  }

  /// The boxes that are there, and those that an edit has made necessary.
  private var childrenWithNewParts: [Child] {
    var list = children
    let needed: [(Child, Bool)] = [
      (.references, !references.isEmpty), (.inline, !added(inline: true).isEmpty),
      (.groups, !groups.isEmpty), (.locations, items.values.contains { $0.storage != nil }),
      (.properties, !properties.isEmpty),
    ]
    for (child, isNeeded) in needed where isNeeded && !list.contains(child) { list.append(child) }
    return list
  }

  private func writeInline(_ meta: inout BoxBytes, _ runs: Runs) {
    let added = added(inline: true)
    guard runs.count > 0 || !added.isEmpty else { return }
    meta.box("idat") {
      for run in runs.runs { $0.append(inline[run]) }
      for (_, bytes) in added { $0.append(bytes) }
    }
  }

  private func writeLocations(
    _ meta: inout BoxBytes, _ runs: Runs, isLarge: Bool, file place: (Int) -> Int,
    new: (Int) -> Int
  ) {
    var inlineEnd = runs.count
    var entries: [(number: Int, method: UInt16, extents: [(Int, Int)])] = []
    for number in order {
      switch items[number]?.storage {
      case nil: continue
      case .source(let ranges, let isInline):
        let extents = ranges.map {
          (isInline ? runs.place($0.lowerBound) : place($0.lowerBound), $0.count)
        }
        entries.append((number, isInline ? 1 : 0, extents))
      case .new(let bytes, let isInline):
        entries.append(
          (number, isInline ? 1 : 0, [(isInline ? inlineEnd : new(number), bytes.count)]))
        if isInline { inlineEnd += bytes.count }
      }
    }
    let isWide = entries.contains { $0.number > 0xFFFF } || entries.count > 0xFFFF
    let least = isWide ? 2 : entries.contains { $0.method != 0 } ? 1 : 0
    let version = max(versions["iloc"] ?? 1, least)
    meta.fullBox("iloc", version: UInt8(truncatingIfNeeded: version)) {
      $0.u16(isLarge ? 0x8800 : 0x4400)
      if version < 2 {
        $0.u16(UInt16(truncatingIfNeeded: entries.count))
      } else {
        $0.u32(UInt32(truncatingIfNeeded: entries.count))
      }
      for entry in entries {
        $0.number(entry.number, isWide: version == 2)
        if version > 0 { $0.u16(entry.method) }
        $0.u16(0)
        $0.u16(UInt16(truncatingIfNeeded: entry.extents.count))
        for (offset, count) in entry.extents {
          for value in [offset, count] {
            if isLarge { $0.u64(UInt64(value)) } else { $0.u32(UInt32(truncatingIfNeeded: value)) }
          }
        }
      }
    }
  }
}

extension BoxBytes {
  /// The number of an item.
  mutating func number(_ number: Int, isWide: Bool) {
    if isWide {
      u32(UInt32(truncatingIfNeeded: number))
    } else {
      u16(UInt16(truncatingIfNeeded: number))
    }
  }
}

// The tables that describe items and how they belong together, each in the version that it had
// where that still holds its numbers.

extension HEIFMeta {
  /// The complete box. `inlineRuns`: the preserved part of ``inline``; `file` gives the new offset
  /// of a byte of the source, `new` of the bytes added to an item; numbers have eight bytes where
  /// `isLarge`.
  func box(
    _ inlineRuns: ByteRuns, isLarge: Bool, file offset: (Int) -> Int, new: (Int) -> Int
  ) -> [UInt8] {
    var meta = BoxWriter()
    meta.box("meta") {
      $0.append(head)
      for child in childrenWithNewParts {
        switch child {
        case .copied(let bytes): $0.append(bytes)
        case .primary: writePrimary(&$0)
        case .infos: writeInfos(&$0)
        case .references: if !references.isEmpty { writeReferences(&$0) }
        case .properties: writeProperties(&$0)
        case .inline: writeInline(&$0, inlineRuns)
        case .locations:
          writeLocations(&$0, inlineRuns, isLarge: isLarge, file: offset, new: new)
        case .groups: if !groups.isEmpty { writeGroups(&$0) }
        }
      }
    }
    return meta.bytes
  }

  /// The existing boxes, and the ones that an edit has made necessary.
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

  private func writeInline(_ meta: inout BoxWriter, _ runs: ByteRuns) {
    let added = added(inline: true)
    guard runs.count > 0 || !added.isEmpty else { return }
    meta.box("idat") {
      for run in runs.runs { $0.append(inline[run]) }
      for (_, bytes) in added { $0.append(bytes) }
    }
  }

  private func writeLocations(
    _ meta: inout BoxWriter, _ runs: ByteRuns, isLarge: Bool, file offset: (Int) -> Int,
    new: (Int) -> Int
  ) {
    var inlineEnd = runs.count
    var entries: [(number: Int, method: UInt16, extents: [(Int, Int)])] = []
    for number in order {
      switch items[number]?.storage {
      case nil, .located: continue
      case .source(let ranges, let isInline):
        let extents = ranges.map {
          (isInline ? runs.offset(of: $0.lowerBound) : offset($0.lowerBound), $0.count)
        }
        entries.append((number, isInline ? 1 : 0, extents))
      case .new(let bytes, let isInline):
        entries.append(
          (number, isInline ? 1 : 0, [(isInline ? inlineEnd : new(number), bytes.count)]))
        if isInline { inlineEnd += bytes.count }
      }
    }
    let isWide = entries.contains { $0.number > 0xFFFF } || entries.count > 0xFFFF
    let needed = isWide ? 2 : entries.contains { $0.method != 0 } ? 1 : 0
    let version = max(versions["iloc"] ?? 1, needed)
    meta.fullBox("iloc", version: version) {
      $0.u16(isLarge ? 0x8800 : 0x4400)
      $0.number(entries.count, isWide: version == 2)
      for entry in entries {
        $0.number(entry.number, isWide: version == 2)
        if version > 0 { $0.u16(entry.method) }
        $0.u16(0)
        $0.u16(UInt16(truncatingIfNeeded: entry.extents.count))
        for (start, count) in entry.extents {
          for value in [start, count] {
            if isLarge { $0.u64(UInt64(value)) } else { $0.u32(UInt32(truncatingIfNeeded: value)) }
          }
        }
      }
    }
  }

  private var isWide: Bool { order.contains { $0 > 0xFFFF } }

  private func writePrimary(_ meta: inout BoxWriter) {
    let version = primary > 0xFFFF ? 1 : min(versions["pitm"] ?? 0, 1)
    meta.fullBox("pitm", version: version) { $0.number(primary, isWide: version == 1) }
  }

  private func writeInfos(_ meta: inout BoxWriter) {
    let version = order.count > 0xFFFF ? 1 : min(versions["iinf"] ?? 0, 1)
    meta.fullBox("iinf", version: version) {
      $0.number(order.count, isWide: version == 1)
      for number in order { $0.append(items[number]?.info ?? []) }
    }
  }

  private func writeReferences(_ meta: inout BoxWriter) {
    let wide = versions["iref"] == 1 || isWide
    meta.fullBox("iref", version: wide ? 1 : 0) {
      for reference in references {
        var content = BoxWriter()
        content.number(reference.from, isWide: wide)
        content.u16(UInt16(truncatingIfNeeded: reference.to.count))
        for number in reference.to { content.number(number, isWide: wide) }
        $0.append(ISOBox.bytes(reference.type, content.bytes))
      }
    }
  }

  private func writeGroups(_ meta: inout BoxWriter) {
    meta.box("grpl") {
      for group in groups {
        var content = BoxWriter()
        content.append(group.head)
        content.u32(UInt32(truncatingIfNeeded: group.members.count))
        for number in group.members { content.u32(UInt32(truncatingIfNeeded: number)) }
        content.append(group.tail)
        $0.append(ISOBox.bytes(group.type, content.bytes))
      }
    }
  }

  private func writeProperties(_ meta: inout BoxWriter) {
    let wideIndex = properties.count > 127
    // Looks through all items, so once and not for each.
    let isWide = isWide
    meta.box("iprp") {
      $0.box("ipco") { for property in properties { $0.append(property) } }
      $0.fullBox("ipma", version: isWide ? 1 : 0, flags: wideIndex ? 1 : 0) {
        // ISO/IEC 14496-12 8.11.14 requires ascending numbers.
        let described = order.filter { items[$0]?.associations.isEmpty == false }.sorted()
        $0.u32(UInt32(truncatingIfNeeded: described.count))
        for number in described {
          let associations = items[number]?.associations ?? []
          $0.number(number, isWide: isWide)
          $0.u8(UInt8(truncatingIfNeeded: associations.count))
          for association in associations {
            let index = association.property + 1
            if wideIndex {
              $0.u16((association.isEssential ? 0x8000 : 0) | UInt16(truncatingIfNeeded: index))
            } else {
              $0.u8((association.isEssential ? 0x80 : 0) | UInt8(truncatingIfNeeded: index))
            }
          }
        }
      }
      $0.append(otherPropertyBoxes)
    }
  }
}

extension HEIFContainer {
  private var numbered: [(number: UInt16, item: Item)] {
    items.enumerated().map { (UInt16(truncatingIfNeeded: $0.offset + 1), $0.element) }
  }

  /// The box of all that is not media data, which starts at `mediaOffset`.
  func meta(mediaOffset: Int) -> [UInt8] {
    var bytes = BoxBytes()
    bytes.fullBox("meta") { meta in
      meta.fullBox("hdlr") {
        $0.u32(0)
        $0.append("pict".utf8)
        for _ in 0..<3 { $0.u32(0) }
        $0.u8(0)
      }
      meta.fullBox("pitm") { $0.u16(primary) }
      writeLocations(&meta, mediaOffset: mediaOffset)
      writeInfos(&meta)
      if items.contains(where: { !$0.references.isEmpty }) { writeReferences(&meta) }
      writeProperties(&meta)
      var inline: [UInt8] = []
      for case .inline(let data) in items.map(\.storage) { inline += data }
      if !inline.isEmpty { meta.box("idat") { $0.append(inline) } }
      if !alternatives.isEmpty { writeGroup(&meta) }
    }
    return bytes.bytes
  }

  private func writeLocations(_ meta: inout BoxBytes, mediaOffset: Int) {
    meta.fullBox("iloc", version: 1) {
      $0.u16(0x4400)
      $0.u16(UInt16(truncatingIfNeeded: items.count))
      var (media, inline) = (mediaOffset, 0)
      for (number, item) in numbered {
        $0.u16(number)
        let offset: Int
        let count: Int
        switch item.storage {
        case .media(let data):
          $0.u16(0)
          (offset, count) = (media, data.count)
          media += data.count
        case .inline(let data):
          $0.u16(1)
          (offset, count) = (inline, data.count)
          inline += data.count
        }
        $0.u16(0)
        $0.u16(1)
        $0.u32(UInt32(truncatingIfNeeded: offset))
        $0.u32(UInt32(truncatingIfNeeded: count))
      }
    }
  }

  private func writeInfos(_ meta: inout BoxBytes) {
    meta.fullBox("iinf") {
      $0.u16(UInt16(truncatingIfNeeded: items.count))
      for (number, item) in numbered {
        $0.fullBox("infe", version: 2, flags: item.isHidden ? 1 : 0) {
          $0.u16(number)
          $0.u16(0)
          $0.append(item.type.utf8)
          $0.string("")
          if let contentType = item.contentType { $0.string(contentType) }
        }
      }
    }
  }

  private func writeReferences(_ meta: inout BoxBytes) {
    meta.fullBox("iref") {
      for (number, item) in numbered {
        for reference in item.references {
          $0.box(reference.kind) {
            $0.u16(number)
            $0.u16(UInt16(truncatingIfNeeded: reference.items.count))
            for target in reference.items { $0.u16(target) }
          }
        }
      }
    }
  }

  /// The group's number must be none of an item's.
  private func writeGroup(_ meta: inout BoxBytes) {
    meta.box("grpl") {
      $0.fullBox("altr") {
        $0.u32(UInt32(truncatingIfNeeded: items.count + 1))
        $0.u32(UInt32(truncatingIfNeeded: alternatives.count))
        for number in alternatives { $0.u32(UInt32(number)) }
      }
    }
  }

  private func writeProperties(_ meta: inout BoxBytes) {
    let unique = properties
    let index = Dictionary(
      uniqueKeysWithValues: unique.enumerated().map {
        ($0.element, UInt16(truncatingIfNeeded: $0.offset + 1))
      })
    // Beyond 127 properties their numbers take two bytes.
    let isWide = unique.count > 127
    meta.box("iprp") { iprp in
      iprp.box("ipco") { for property in unique { $0.append(property.box) } }
      iprp.fullBox("ipma", flags: isWide ? 1 : 0) {
        let described = numbered.filter { !$0.item.properties.isEmpty }
        $0.u32(UInt32(truncatingIfNeeded: described.count))
        for (number, item) in described {
          $0.u16(number)
          $0.u8(UInt8(truncatingIfNeeded: item.properties.count))
          for property in item.properties {
            let number = index[property] ?? 0
            if isWide {
              $0.u16((property.isEssential ? 0x8000 : 0) | number)
            } else {
              $0.u8((property.isEssential ? 0x80 : 0) | UInt8(truncatingIfNeeded: number))
            }
          }
        }
      }
    }
  }
}

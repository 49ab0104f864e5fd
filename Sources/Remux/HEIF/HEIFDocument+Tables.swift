import Readers
import Writers

// The tables that say what items are and how they belong together, each in the version that it had where
// that still holds its numbers.

extension HEIFDocument {
  private var isWide: Bool { order.contains { $0 > 0xFFFF } }

  func writePrimary(_ meta: inout BoxBytes) {
    let version = primary > 0xFFFF ? 1 : min(versions["pitm"] ?? 0, 1)
    meta.fullBox("pitm", version: UInt8(version)) { $0.number(primary, isWide: version == 1) }
  }

  func writeInfos(_ meta: inout BoxBytes) {
    let version = order.count > 0xFFFF ? 1 : min(versions["iinf"] ?? 0, 1)
    meta.fullBox("iinf", version: UInt8(version)) {
      $0.number(order.count, isWide: version == 1)
      for number in order { $0.append(items[number]?.info ?? []) }
    }
  }

  func writeReferences(_ meta: inout BoxBytes) {
    let wide = versions["iref"] == 1 || isWide
    meta.fullBox("iref", version: wide ? 1 : 0) {
      for reference in references {
        var content = BoxBytes()
        content.number(reference.from, isWide: wide)
        content.u16(UInt16(truncatingIfNeeded: reference.to.count))
        for number in reference.to { content.number(number, isWide: wide) }
        $0.append(Self.bytes(reference.type, content.bytes))
      }
    }
  }

  func writeGroups(_ meta: inout BoxBytes) {
    meta.box("grpl") {
      for group in groups {
        var content = BoxBytes()
        content.append(group.head)
        content.u32(UInt32(truncatingIfNeeded: group.members.count))
        for number in group.members { content.u32(UInt32(truncatingIfNeeded: number)) }
        content.append(group.tail)
        $0.append(Self.bytes(group.type, content.bytes))
      }
    }
  }

  func writeProperties(_ meta: inout BoxBytes) {
    let wideIndex = properties.count > 127
    meta.box("iprp") {
      $0.box("ipco") { for property in properties { $0.append(property) } }
      $0.fullBox("ipma", version: isWide ? 1 : 0, flags: wideIndex ? 1 : 0) {
        // ISO/IEC 14496-12 8.11.14 wants ascending numbers.
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

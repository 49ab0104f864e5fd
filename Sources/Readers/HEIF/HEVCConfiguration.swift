import ImageCore

/// The decoder configuration of an HEVC picture (`hvcC`, ISO/IEC 14496-15:2022 8.3.2): its parameter
/// sets, and the slices of its data behind lengths of four bytes, all else left out.
struct HEVCConfiguration {
  private static let maxSets = 64
  private static let video = 32
  private static let sequence = 33
  private static let picture = 34

  let still: CodedStill
  private let lengthBytes: Int

  init(_ record: [UInt8]) throws(ReadError) {
    var cursor = ISOCursor(record)
    let head = try cursor.take(21)
    lengthBytes = try cursor.u8() & 3 + 1
    var sets: [Int: [ArraySlice<UInt8>]] = [:]
    for _ in 0..<(try cursor.u8()) {
      let type = try cursor.u8() & 0x3F
      for _ in 0..<(try cursor.u16()) {
        sets[type, default: []].append(try cursor.take(cursor.u16()))
      }
    }
    let kept = [Self.video, Self.sequence, Self.picture]
    guard record[0] == 1, lengthBytes != 3, kept.allSatisfy({ sets[$0]?.isEmpty == false }),
      sets.values.allSatisfy({ $0.count <= Self.maxSets })
    else { throw CodedStill.unreadable("lacks a part") }
    // A decoder takes the set that a slice names; all must agree, so that none is a surprise.
    var facts: HEVCSequence?
    for set in sets[Self.sequence] ?? [] {
      let next = try HEVCSequence(set)
      guard facts == nil || facts == next else { throw CodedStill.unreadable("contradicts itself") }
      facts = next
    }
    guard let facts else { throw CodedStill.unreadable("lacks a part") }
    var bytes = Array(head) + [0x0F, UInt8(kept.count)]
    for type in kept {
      let list = sets[type] ?? []
      bytes += [0x80 | UInt8(type), 0, UInt8(list.count)]
      for set in list { bytes += [UInt8(set.count >> 8), UInt8(set.count & 0xFF)] + set }
    }
    still = CodedStill(
      codec: .hevc, size: facts.size, bits: facts.bits, isGrey: facts.isGrey,
      codePoints: facts.codePoints, isFullRange: facts.isFullRange, configuration: bytes)
  }

  /// The slices in `data`.
  func slices(of data: [UInt8]) throws(ReadError) -> [UInt8] {
    var cursor = ISOCursor(data)
    var result: [UInt8] = []
    result.reserveCapacity(data.count)
    while !cursor.isEmpty {
      let unit = try cursor.take(cursor.uint(lengthBytes))
      guard unit.count > 2, let first = unit.first, first >> 1 & 0x3F < Self.video else { continue }
      let count = UInt32(truncatingIfNeeded: unit.count)
      for shift in [24, 16, 8, 0] as [UInt32] {
        result.append(UInt8(truncatingIfNeeded: count >> shift))
      }
      result += unit
    }
    guard !result.isEmpty else { throw ISOCursor.damaged("a coded picture has no data") }
    return result
  }
}

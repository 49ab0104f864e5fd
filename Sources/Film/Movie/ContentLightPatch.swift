// Content light levels in the bit stream, where they are known only after the last frame: the four
// bytes that stand for them are found and replaced.
// Source: ITU-T H.265 (2021) 7.3.1 and D.2.35, a message (NAL type 39, payload 144) of 4 bytes;
// ISO/IEC 14496-15:2022, its arrays in `hvcC`; AV1 (2019) 5.3 and 5.8.3, a unit (OBU type 5) of
// metadata type 1. Neither is escaped (``ContentLightCode``).

import Containers

/// Finds content light levels in coded samples.
enum ContentLightPatch {
  /// Positions, from the start of `sample`, of the four bytes in its messages; lengths of units
  /// have `width` bytes.
  static func messages(_ sample: [UInt8], width: Int) -> [Int] {
    var (found, at) = ([Int](), 0)
    while at + width <= sample.count {
      let length = sample[at..<at + width].reduce(0) { $0 << 8 | Int($1) }
      let start = at + width
      guard length > 0, length <= sample.count - start else { break }
      if let position = message(sample[start..<start + length]) { found.append(position) }
      at = start + length
    }
    return found
  }

  /// The position of the levels in one NAL unit; nil where it is no such message.
  private static func message(_ unit: ArraySlice<UInt8>) -> Int? {
    let start = unit.startIndex
    guard unit.count >= 8, unit[start] >> 1 & 0x3F == 39, unit[start + 2] == 144,
      unit[start + 3] == 4
    else { return nil }
    return start + 4
  }

  /// The same in a decoder configuration (`hvcC`).
  static func arrays(_ record: [UInt8]) -> [Int] {
    guard record.count > 22 else { return [] }
    var (found, at) = ([Int](), 23)
    for _ in 0..<record[22] {
      guard at + 3 <= record.count else { return found }
      let units = Int(record[at + 1]) << 8 | Int(record[at + 2])
      at += 3
      for _ in 0..<units {
        guard at + 2 <= record.count else { return found }
        let length = Int(record[at]) << 8 | Int(record[at + 1])
        guard length <= record.count - at - 2 else { return found }
        if let position = message(record[at + 2..<at + 2 + length]) { found.append(position) }
        at += 2 + length
      }
    }
    return found
  }

  /// The same in the units of AV1.
  static func units(_ sample: [UInt8]) -> [Int] {
    var (found, at) = ([Int](), 0)
    func number(_ at: inout Int) -> Int? {
      var value = 0
      for shift in 0..<8 {
        guard at < sample.count else { return nil }
        let byte = sample[at]
        at += 1
        value |= Int(byte & 0x7F) << (7 * shift)
        if byte & 0x80 == 0 { return value }
      }
      return nil
    }
    while at < sample.count {
      let header = sample[at]
      at += header & 4 == 0 ? 1 : 2
      // Without a length it reaches to the end.
      let length = header & 2 == 0 ? max(sample.count - at, 0) : number(&at) ?? -1
      guard length >= 0, length <= sample.count - at else { return found }
      if header >> 3 & 15 == 5, length >= 5, sample[at] == 1 { found.append(at + 1) }
      at += length
    }
    return found
  }
}

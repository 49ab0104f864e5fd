import CKernels

/// A Huffman table of a lossless JPEG stream (ITU-T T.81, 1992, annexes C and H.2), turned into a
/// lookup of the next 12 bits, whose entries CKernelsDecode.h describes.
///
/// A code selects the category of a difference: the number of following bits that encode its value.
/// A slow path handles codes of 13 to 16 bits, whose last 4 bits index a group of 16 entries after
/// the first 4096, category 16, which means −32768 and has no bits of value, and invalid codes. 12
/// bits of code and 16 of value are 28, so that two differences fit the 56 bits that a reader
/// always has; a longer prefix makes the table larger than the first-level cache.
struct LosslessJPEGTable {
  private static let prefixBits = Int(CK_CODE_PREFIX)
  private static let slow = UInt32(CK_CODE_SLOW)
  private static let link = UInt32(CK_CODE_LINK)
  private static let fullRange = UInt32(CK_CODE_WHOLE)

  private(set) var entries = [UInt32](repeating: Self.slow, count: 1 << Self.prefixBits)

  /// The table of `counts`, the number of codes with 1 to 16 bits, and `symbols`, their categories.
  /// Nil if there are more codes than bits allow, or a category above 16. With `extended`, category
  /// 16 has 16 bits of value, as written by DNG before 1.1.
  init?(counts: ArraySlice<UInt8>, symbols: ArraySlice<UInt8>, extended: Bool) {
    var code = 0
    var next = symbols.startIndex
    for (index, count) in counts.enumerated() {
      let length = index + 1
      code <<= 1
      guard code + Int(count) <= 1 << length, next + Int(count) <= symbols.endIndex else {
        return nil
      }
      for _ in 0..<Int(count) {
        let category = symbols[next]
        guard category <= 16 else { return nil }
        insert(code, length, Self.entry(length, Int(category), extended))
        next += 1
        code += 1
      }
    }
    guard next > symbols.startIndex else { return nil }
  }

  private static func entry(_ length: Int, _ category: Int, _ extended: Bool) -> UInt32 {
    let hasNoBits = category == 16 && !extended
    let bits = hasNoBits ? 0 : category
    let mask = (UInt32(1) << UInt32(bits)) - 1
    return UInt32(length + bits) | mask << 16 | (hasNoBits ? fullRange | slow : 0)
  }

  private mutating func insert(_ code: Int, _ length: Int, _ entry: UInt32) {
    guard length > Self.prefixBits else {
      let spare = Self.prefixBits - length
      for i in code << spare..<(code + 1) << spare { entries[i] = entry }
      return
    }
    let prefix = code >> (length - Self.prefixBits)
    if entries[prefix] == Self.slow {
      entries[prefix] = Self.slow | Self.link | UInt32(entries.count) << 16
      entries += [UInt32](repeating: Self.slow, count: 16)
    }
    let spare = 16 - length
    let group = Int(entries[prefix] >> 16)
    let first = (code << spare) & 15
    for i in first..<first + 1 << spare { entries[group + i] = entry | Self.slow }
  }
}

/// A Huffman table of a lossless JPEG stream (ITU-T T.81, 1992, annexes C and H.2), turned into a
/// lookup of the next 12 bits.
///
/// A code names the category of a difference: how many further bits encode its value. One entry
/// holds, from its lowest bits, the bits of code and value together, the bits of the code, and how
/// far 63 bits are shifted to leave those of the value. Entries with `slow` set need more work:
/// codes of 13 to 16 bits, whose further 4 bits are looked up in a group of 16 entries behind the
/// first 4096; category 16, which means −32768 and has no bits of value; and codes that do not
/// exist. 12 bits of code and 16 of value are 28, so that two differences fit the 56 bits that a
/// reader always holds; a longer prefix makes the table larger than the first-level cache.
struct LosslessJPEGTable {
  static let prefixBits = 12
  static let slow: UInt32 = 1 << 31
  private static let link: UInt32 = 1 << 30
  private static let wholeRange: UInt32 = 1 << 29

  private(set) var entries = [UInt32](repeating: Self.slow, count: 1 << Self.prefixBits)

  /// The table of `counts`, how many codes have 1 to 16 bits, and `symbols`, their categories. nil
  /// when there are more codes than bits allow, or a category above 16. With `extended`, category
  /// 16 has 16 bits of value, as DNG before 1.1 wrote it.
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
    let isWhole = category == 16 && !extended
    let bits = isWhole ? 0 : category
    return UInt32(length + bits) | UInt32(length) << 8 | UInt32(63 - bits) << 16
      | (isWhole ? wholeRange | slow : 0)
  }

  private mutating func insert(_ code: Int, _ length: Int, _ entry: UInt32) {
    guard length > Self.prefixBits else {
      let spare = Self.prefixBits - length
      for i in code << spare..<(code + 1) << spare { entries[i] = entry }
      return
    }
    let prefix = code >> (length - Self.prefixBits)
    if entries[prefix] == Self.slow {
      entries[prefix] = Self.slow | Self.link | UInt32(entries.count)
      entries += [UInt32](repeating: Self.slow, count: 16)
    }
    let spare = 16 - length
    let group = Int(entries[prefix] & 0xFFFFFF)
    let first = (code << spare) & 15
    for i in first..<first + 1 << spare { entries[group + i] = entry | Self.slow }
  }

  /// The entries of one table as the reader's inner loop sees them: without bounds checks, and
  /// only as long as their array lives.
  @safe struct Lookup {
    private let entries: UnsafePointer<UInt32>

    init(_ entries: UnsafePointer<UInt32>) { unsafe self.entries = entries }

    /// Entry `i`, which the table must have.
    subscript(i: Int) -> UInt32 { @inline(__always) get { unsafe entries[i] } }

    /// What `entry`, which is `slow`, means for the 16 bits `next`; nil when there is no such code.
    func resolve(
      _ entry: UInt32, _ next: Int
    ) -> (length: UInt32, shift: UInt32, isWholeRange: Bool)? {
      let entry = entry & link != 0 ? self[Int(entry & 0xFFFFFF) + next & 15] : entry
      let length = entry >> 8 & 63
      return length == 0 ? nil : (length, entry >> 16 & 63, entry & wholeRange != 0)
    }
  }
}

/// Order statistics: the value of one rank, as if all were sorted, without sorting them.
///
/// Source: selection by radix; the bits of a float, ordered as its value is, are determined from
/// the highest down, eleven at a time, by counting. Exact. Units: as the values; NaN is not
/// allowed.
enum OrderStatistic {
  private static let digit = 11

  /// The median of all `parts` together, the upper one for an even number; nil if empty.
  static func median(_ parts: [[Float]]) -> Float? {
    let count = parts.reduce(0) { $0 + $1.count }
    return count > 0 ? value(ofRank: count / 2, in: parts) : nil
  }

  private static func value(ofRank rank: Int, in parts: [[Float]]) -> Float {
    var (found, rest) = (UInt32(0), rank)
    var shift = 32
    while shift > 0 {
      let next = max(shift - digit, 0)
      var counts = [Int](repeating: 0, count: 1 << (shift - next))
      let low = UInt32(counts.count - 1)
      counts.withUnsafeMutableBufferPointer { counts in
        for part in parts {
          part.withUnsafeBufferPointer { part in
            for value in part {
              let key = key(value)
              // Shifts by 32 give 0.
              if key >> UInt32(shift) == found >> UInt32(shift) {
                counts[Int(key >> UInt32(next) & low)] &+= 1
              }
            }
          }
        }
      }
      var bin = 0
      while rest >= counts[bin] {
        rest -= counts[bin]
        bin += 1
      }
      found |= UInt32(bin) << UInt32(next)
      shift = next
    }
    return Float(bitPattern: found >> 31 == 1 ? found ^ (1 << 31) : ~found)
  }

  /// Bits that are ordered as the values are.
  @inline(__always) private static func key(_ value: Float) -> UInt32 {
    let bits = value.bitPattern
    return bits >> 31 == 1 ? ~bits : bits | (1 << 31)
  }
}

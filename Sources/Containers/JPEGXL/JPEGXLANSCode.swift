/// A distribution of JPEG XL's asymmetric numeral systems (ISO/IEC 18181-1, annex on entropy
/// decoding): frequencies of up to 256 symbols, which add up to 4096, in an alias table of
/// `1 << logSize` buckets.
struct JPEGXLANSCode {
  private static let logTotal = 12
  private static let total = 1 << logTotal
  /// The required state after the last symbol.
  static let finalState: UInt32 = 0x13 << 16

  private struct Bucket {
    /// Below it a bucket holds its own symbol.
    var cutoff = 0
    var other = 0
    var offset = 0
  }
  private let frequencies: [Int]
  private var buckets: [Bucket]
  private let logWidth: Int

  /// The distribution that comes next; nil when it is damaged.
  init?(logSize: Int, _ bits: inout JPEGXLBits) {
    let size = 1 << logSize
    bits.charge(size)
    guard var counts = Self.frequencies(&bits), !bits.isExhausted, counts.count <= size else {
      return nil
    }
    counts += repeatElement(0, count: size - counts.count)
    frequencies = counts
    logWidth = Self.logTotal - logSize
    buckets = Array(repeating: Bucket(), count: size)
    if let only = counts.firstIndex(of: Self.total) {
      for i in 0..<size { buckets[i] = Bucket(other: only, offset: i << logWidth) }
      return
    }
    guard fill(1 << logWidth) else { return nil }
  }

  /// Moves the excess over `width` of full buckets to buckets with less.
  private mutating func fill(_ width: Int) -> Bool {
    var left = frequencies
    var full = left.indices.filter { left[$0] > width }
    var free = left.indices.filter { left[$0] < width }
    while let giver = full.popLast() {
      guard let taker = free.popLast() else { return false }
      left[giver] -= width - left[taker]
      (buckets[taker].other, buckets[taker].offset) = (giver, left[giver])
      if left[giver] < width { free.append(giver) }
      if left[giver] > width { full.append(giver) }
    }
    for i in buckets.indices {
      if left[i] == width {
        buckets[i] = Bucket(other: i)
      } else {
        buckets[i].cutoff = left[i]
        buckets[i].offset -= left[i]
      }
    }
    return true
  }

  /// The next symbol by `state`, which takes 16 bits where it runs low.
  func next(_ state: inout UInt32, _ bits: inout JPEGXLBits) -> Int {
    let value = Int(state) & (Self.total - 1)
    let (index, position) = (value >> logWidth, value & (1 << logWidth - 1))
    let bucket = buckets[index]
    let isOther = position >= bucket.cutoff
    let symbol = isOther ? bucket.other : index
    let offset = isOther ? bucket.offset + position : position
    let high = UInt32(truncatingIfNeeded: frequencies[symbol])
    state = high &* (state >> UInt32(Self.logTotal)) &+ UInt32(truncatingIfNeeded: offset)
    if state < 1 << 16 { state = state << 16 | UInt32(bits.take(16)) }
    return symbol
  }

  private static func frequencies(_ bits: inout JPEGXLBits) -> [Int]? {
    if bits.bit() { return few(&bits) }
    if bits.bit() {
      let count = bits.numberWithWidth(of: 3) + 1
      return (0..<count).map { total / count + ($0 < total % count ? 1 : 0) }
    }
    return many(&bits)
  }

  /// One symbol or two.
  private static func few(_ bits: inout JPEGXLBits) -> [Int]? {
    let isPair = bits.bit()
    let first = bits.numberWithWidth(of: 3)
    let second = isPair ? bits.numberWithWidth(of: 3) : first
    guard isPair != (first == second) else { return nil }
    var counts = [Int](repeating: 0, count: max(first, second) + 1)
    counts[first] = isPair ? bits.take(logTotal) : total
    if isPair { counts[second] = total - counts[first] }
    return counts
  }

  /// Logarithms of frequencies by a fixed code, then the bits below them; one follows from the
  /// rest.
  private static func many(_ bits: inout JPEGXLBits) -> [Int]? {
    var width = 0
    while width < 3, bits.bit() { width += 1 }
    let shift = (1 << width | bits.take(width)) - 1
    guard shift <= logTotal + 1 else { return nil }
    let count = bits.numberWithWidth(of: 3) + 3
    var logs = [Int](repeating: 0, count: count)
    // At the first symbol of each run, how many have the frequency of the one before it.
    var runs = [Int](repeating: 0, count: count)
    var omitted: Int?
    var i = 0
    while i < count {
      logs[i] = logarithm(&bits)
      if logs[i] == logTotal + 1 {
        runs[i] = bits.numberWithWidth(of: 3) + 4
        i += runs[i]
        continue
      }
      if logs[i] > (omitted.map { logs[$0] } ?? -1) { omitted = i }
      i += 1
    }
    guard let omitted else { return nil }
    var counts = [Int](repeating: 0, count: count)
    i = 0
    while i < count {
      if runs[i] > 0 {
        let end = min(i + runs[i], count)
        let repeated = i > 0 ? counts[i - 1] : 0
        for each in i..<end { counts[each] = repeated }
        i = end
        continue
      }
      let log = logs[i] - 1
      if i != omitted, log >= 0 {
        let below = max(min(log, shift - (logTotal - log) >> 1), 0)
        counts[i] = 1 << log + bits.take(below) << (log - below)
      }
      i += 1
    }
    counts[omitted] = total - counts.reduce(0, +)
    return counts[omitted] > 0 ? counts : nil
  }

  /// 0 for none, 1…12 for the logarithm and 1, 13 for a run.
  private static func logarithm(_ bits: inout JPEGXLBits) -> Int {
    let byThree = bits.take(3)
    switch byThree {
    case 0: return 10
    case 2: return 7
    case 4: return 6
    case 5: return 8
    case 6: return 9
    default: break
    }
    switch (byThree, bits.bit()) {
    case (3, false): return 3
    case (7, false): return 5
    case (1, true): return 4
    case (3, true): return 1
    case (7, true): return 2
    default: break
    }
    if bits.bit() { return 0 }
    if bits.bit() { return 11 }
    return bits.bit() ? 13 : 12
  }
}

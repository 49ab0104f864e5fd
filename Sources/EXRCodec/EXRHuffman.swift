import Codecs

/// OpenEXR's Huffman coding of 16-bit words, which its DWA uses.
///
/// Source: `ImfHuf.cpp` of OpenEXR, which describes the format: five 32-bit numbers (first and last
/// word that has a code, bytes of the table, bits of the data, 0); the lengths of the codes, six
/// bits each, runs of absent words shortened; the codes. Codes are canonical: shorter ones are
/// greater, and codes of one length ascend with the words. The word after the last one marks a run:
/// eight bits follow with the repetitions of the previous word. Not synchronized.
@safe final class EXRHuffman {
  static let words = 1 << 16
  /// Lengths of absent words in the table: 2 to 5 are one number from 59, more are 63 and a byte.
  static let shortRun: UInt64 = 59
  static let longRun: UInt64 = 63

  private var counts = [UInt32](repeating: 0, count: words + 1)
  /// Code and, in the lowest six bits, its length.
  private var codes = [UInt64](repeating: 0, count: words + 1)

  /// Maximum bytes of `count` words.
  static func bound(_ count: Int) -> Int { 3 * count + words + 64 }

  /// Codes `data`, of at least one word, into `target`, which has the bound's size; returns the
  /// length.
  func compress(
    _ data: UnsafeBufferPointer<UInt16>, into target: UnsafeMutableRawBufferPointer
  ) -> Int {
    let (first, run) = unsafe makeCodes(data)
    var table = unsafe BitWriter(UnsafeMutableRawBufferPointer(rebasing: target[20...]))
    unsafe writeLengths(first...run, into: &table)
    let tableBytes = unsafe table.finish()
    var bits = unsafe BitWriter(
      UnsafeMutableRawBufferPointer(rebasing: target[(20 + tableBytes)...]))
    unsafe write(data, run: codes[run], into: &bits)
    let bitCount = unsafe bits.count
    for (index, number) in [first, run, tableBytes, bitCount, 0].enumerated() {
      unsafe target.storeBytes(
        of: UInt32(truncatingIfNeeded: number).littleEndian, toByteOffset: 4 * index,
        as: UInt32.self)
    }
    return unsafe 20 + tableBytes + bits.finish()
  }

  /// Sets the codes of the words in `data` and of the run word; returns the first and the run.
  private func makeCodes(_ data: UnsafeBufferPointer<UInt16>) -> (first: Int, run: Int) {
    unsafe counts.withUnsafeMutableBufferPointer { counts in
      unsafe counts.update(repeating: 0)
      for index in 0..<data.count { unsafe counts[Int(data[index])] &+= 1 }
    }
    unsafe codes.withUnsafeMutableBufferPointer { codes in unsafe codes.update(repeating: 0) }
    // Count and word in one number, to be sorted.
    var leaves: [UInt64] = []
    for word in 0..<Self.words where counts[word] > 0 {
      leaves.append(UInt64(counts[word]) << 17 | UInt64(word))
    }
    let first = Int(leaves.first ?? 0) & 0x1FFFF
    let run = (Int(leaves.last ?? 0) & 0x1FFFF) + 1
    leaves.append(1 << 17 | UInt64(run))
    leaves.sort()
    // Fewer than 2³² words have no code of over 46 bits.
    let lengths = HuffmanLengths.depths(leaves.map { Int($0 >> 17) })
    var next = [UInt64](repeating: 0, count: 59)
    for length in lengths { next[length] += 1 }
    var code: UInt64 = 0
    for length in stride(from: 58, to: 0, by: -1) {
      (next[length], code) = (code, (code + next[length]) >> 1)
    }
    for (leaf, length) in zip(leaves, lengths) { codes[Int(leaf & 0x1FFFF)] = UInt64(length) }
    for word in first...run where codes[word] > 0 {
      let length = codes[word]
      codes[word] = next[Int(length)] << 6 | length
      next[Int(length)] += 1
    }
    return (first, run)
  }

  private func writeLengths(_ range: ClosedRange<Int>, into out: inout BitWriter) {
    var word = range.lowerBound
    while word <= range.upperBound {
      let length = codes[word] & 63
      var absent = 0
      while absent < 261, word + absent < range.upperBound, codes[word + absent] == 0 {
        absent += 1
      }
      if absent < 2 {
        unsafe out.write(length, 6)
        word += 1
        continue
      }
      if absent < 6 {
        unsafe out.write(Self.shortRun + UInt64(absent - 2), 6)
      } else {
        unsafe out.write(Self.longRun, 6)
        unsafe out.write(UInt64(absent - 6), 8)
      }
      word += absent
    }
  }

  private func write(
    _ data: UnsafeBufferPointer<UInt16>, run: UInt64, into out: inout BitWriter
  ) {
    let runLength = Int(run & 63)
    unsafe codes.withUnsafeBufferPointer { codes in
      var at = 0
      while at < data.count {
        let word = unsafe data[at]
        var repeats = 0
        while repeats < 255, at + 1 + repeats < data.count, unsafe data[at + 1 + repeats] == word {
          repeats += 1
        }
        let code = unsafe codes[Int(word)]
        let length = Int(code & 63)
        if length + runLength + 8 < length * repeats {
          unsafe out.write(code >> 6, length)
          unsafe out.write(run >> 6, runLength)
          unsafe out.write(UInt64(repeats), 8)
        } else {
          for _ in 0...repeats { unsafe out.write(code >> 6, length) }
        }
        at += repeats + 1
      }
    }
  }
}

/// Bits, the highest of each byte first, in memory that holds them all.
@unsafe struct BitWriter {
  private let bytes: UnsafeMutableRawBufferPointer
  private var used = 0
  private var pending: UInt64 = 0
  private var pendingCount = 0

  init(_ bytes: UnsafeMutableRawBufferPointer) { unsafe self.bytes = unsafe bytes }

  /// Bits written.
  var count: Int { unsafe 8 * used + pendingCount }

  /// Writes the lowest `count` bits of `value`, whose other bits are 0; `count` is at most 56.
  @inline(__always)
  mutating func write(_ value: UInt64, _ count: Int) {
    unsafe pending = unsafe pending << UInt64(count) | value
    unsafe pendingCount += count
    while unsafe pendingCount >= 8 {
      unsafe pendingCount -= 8
      unsafe bytes[used] = UInt8(truncatingIfNeeded: pending >> UInt64(pendingCount))
      unsafe used += 1
    }
  }

  /// Fills the last byte with zeros; returns the number of bytes.
  mutating func finish() -> Int {
    if unsafe pendingCount > 0 { unsafe write(0, 8 - pendingCount) }
    return unsafe used
  }
}

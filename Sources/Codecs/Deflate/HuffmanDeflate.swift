import CLibDeflate

/// zlib streams of literals alone: Deflate without the search for repetitions.
///
/// Source: RFC 1950 and 1951; code lengths of ``HuffmanLengths``. Blocks of `blockSize` bytes, with
/// a dynamic code each, two unused distances of one bit, as zlib writes for literals. The samples
/// of photographs, differenced by a TIFF predictor, hardly repeat: the size is within 1 % of
/// libdeflate's level 1, at a sixth of its time. Flat and synthetic pictures do repeat and are left
/// to libdeflate. Any bytes; no code is longer than `longest` bits, so four fit a word.
package struct HuffmanDeflate {
  private static let blockSize = 1 << 17
  private static let longest = 14
  /// The literals and the end of a block.
  private static let symbols = 257
  private static let end = 256
  /// Order in which the lengths of the code of lengths are written.
  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  /// Maximum compressed length of `count` bytes.
  package static func bound(_ count: Int) -> Int { count + count / 64 + 1024 }

  /// Bits that `bytes` take without the headers, about.
  package static func estimate(_ bytes: UnsafeRawBufferPointer) -> Int {
    let counts = unsafe histogram(bytes)
    return zip(counts, HuffmanLengths.lengths(counts, longest: longest)).reduce(0) {
      $0 + $1.0 * Int($1.1)
    }
  }

  /// Compresses `source` into `target`, which holds its bound; returns the compressed length.
  package static func compress(
    _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> Int {
    var out = unsafe BitWriter(target)
    // Window of 32 KiB, fastest method; a multiple of 31.
    out.put(0x78 | 0x01 << 8, bits: 16)
    var start = 0
    repeat {
      let next = min(start + blockSize, source.count)
      let block = unsafe UnsafeRawBufferPointer(rebasing: source[start..<next])
      unsafe write(block, isLast: next == source.count, to: &out)
      start = next
    } while start < source.count
    out.align()
    let check = unsafe libdeflate_adler32(1, source.baseAddress, source.count)
    out.put(UInt64(check.byteSwapped), bits: 32)
    return out.count
  }

  private static func write(
    _ block: UnsafeRawBufferPointer, isLast: Bool, to out: inout BitWriter
  ) {
    let counts = unsafe histogram(block)
    let lengths = HuffmanLengths.lengths(counts, longest: longest)
    let distances: [UInt8] = [1, 1]
    out.put(isLast ? 1 : 0, bits: 1)
    out.put(2, bits: 2)
    out.put(UInt64(symbols - 257), bits: 5)
    out.put(UInt64(distances.count - 1), bits: 5)
    let all = lengths + distances
    var lengthCounts = [Int](repeating: 0, count: 19)
    for length in all { lengthCounts[Int(length)] += 1 }
    let ofLengths = HuffmanLengths.lengths(lengthCounts, longest: 7)
    out.put(UInt64(lengthOrder.count - 4), bits: 4)
    for symbol in lengthOrder { out.put(UInt64(ofLengths[symbol]), bits: 3) }
    let lengthCodes = codes(ofLengths)
    for length in all { out.put(lengthCodes[Int(length)]) }
    let literals = codes(lengths)
    unsafe literals.withUnsafeBufferPointer { unsafe out.put(block, $0) }
    out.put(literals[end])
  }

  /// How often each byte occurs, and once the end of the block. Four tables, so that equal bytes
  /// do not wait for each other.
  private static func histogram(_ bytes: UnsafeRawBufferPointer) -> [Int] {
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1024) { counts in
      unsafe counts.initialize(repeating: 0)
      var i = 0
      while i + 4 <= bytes.count {
        unsafe counts[Int(bytes[i])] &+= 1
        unsafe counts[256 + Int(bytes[i + 1])] &+= 1
        unsafe counts[512 + Int(bytes[i + 2])] &+= 1
        unsafe counts[768 + Int(bytes[i + 3])] &+= 1
        i += 4
      }
      while i < bytes.count {
        unsafe counts[Int(bytes[i])] &+= 1
        i += 1
      }
      return (0..<256).map { symbol in
        (0..<4).reduce(0) { unsafe $0 + Int(counts[256 * $1 + symbol]) }
      } + [1]
    }
  }

  /// Canonical codes of `lengths`: the bits as they are written, first bit lowest, and from bit 16
  /// on how many.
  private static func codes(_ lengths: [UInt8]) -> [UInt32] {
    var codes = [UInt32](repeating: 0, count: lengths.count)
    var next: UInt32 = 0
    for length in 1...UInt8(15) {
      next <<= 1
      for symbol in lengths.indices where lengths[symbol] == length {
        var reversed: UInt32 = 0
        for bit in 0..<UInt32(length) {
          reversed |= (next >> bit & 1) << (UInt32(length) - 1 - bit)
        }
        codes[symbol] = reversed | UInt32(length) << 16
        next += 1
      }
    }
    return codes
  }

  /// Bits in the order of Deflate, from the lowest of each byte. The target has eight bytes more
  /// than are written.
  @safe private struct BitWriter {
    private let target: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    private var waiting: UInt64 = 0
    private var bits: UInt64 = 0

    init(_ target: UnsafeMutableRawBufferPointer) {
      unsafe self.target = target
    }

    /// Up to 56 bits.
    mutating func put(_ value: UInt64, bits more: UInt64) {
      waiting |= value &<< bits
      bits &+= more
      store()
    }

    mutating func put(_ code: UInt32) { put(UInt64(code & 0xFFFF), bits: UInt64(code >> 16)) }

    mutating func put(_ bytes: UnsafeRawBufferPointer, _ codes: UnsafeBufferPointer<UInt32>) {
      var i = 0
      while i + 4 <= bytes.count {
        for k in 0..<4 {
          let code = unsafe codes[Int(bytes[i &+ k])]
          waiting |= UInt64(code & 0xFFFF) &<< bits
          bits &+= UInt64(code &>> 16)
        }
        store()
        i &+= 4
      }
      while i < bytes.count {
        unsafe put(codes[Int(bytes[i])])
        i += 1
      }
    }

    mutating func align() { put(0, bits: (8 &- bits) & 7) }

    /// Stores the pending bits, at most 63, and keeps less than a byte of them.
    @inline(__always)
    private mutating func store() {
      unsafe target.storeBytes(of: waiting.littleEndian, toByteOffset: count, as: UInt64.self)
      count &+= Int(bits &>> 3)
      waiting &>>= bits & ~7
      bits &= 7
    }
  }
}

import ImageCore

/// A bit reader, most significant bit first: numbers, runs of zeros, and codes of both.
///
/// `window` holds the next bits at its top; a refill leaves at least 56. Zeros follow the end; they
/// are counted, and a stream that used more than a byte of them, which readers tolerate, is
/// damaged. It never reads outside its bytes; they must outlive it.
@safe struct HighBits {
  private var next: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private var window: UInt64 = 0
  /// Valid bits of `window`; some of the following bits may already be stored after them.
  private var available: UInt64 = 0
  /// Number of zero bits appended after the end.
  private var madeUp: UInt64 = 0

  /// Runs up to this length are read at once, with the terminating bit and up to 15 bits.
  private static let short = 40

  /// Reads `bytes`; nil if empty.
  init?(_ bytes: ByteView) {
    guard let first = unsafe bytes.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      return nil
    }
    unsafe (next, end) = (first, first + bytes.count)
  }

  /// Whether bits beyond the end were used.
  var isPastEnd: Bool { madeUp > available &+ 8 }

  /// The next `count` bits, at most 56, as a number.
  @inline(__always)
  mutating func bits(_ count: Int) -> UInt64 {
    refill()
    let value = (window &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- count)
    skip(count)
    return value
  }

  /// The length of a run of zeros terminated by a one, or `limit` zeros without a terminator; at
  /// most 55.
  @inline(__always)
  mutating func zeros(atMost limit: Int) -> Int {
    refill()
    let run = window.leadingZeroBitCount
    skip(min(run &+ 1, limit))
    return min(run, limit)
  }

  /// The next code: a run of fewer than `limit` zeros, followed by `length` bits, at most 15, which
  /// are added to the run shifted left by `length`; or a longer run, followed by the code less 1 in
  /// `bits` bits.
  @inline(__always)
  mutating func code(length: Int, limit: Int, bits: Int) -> Int {
    refill()
    let zeros = window.leadingZeroBitCount
    guard zeros < min(limit, Self.short) else {
      let (reader, code) = Self.longCode(self, length, limit, bits)
      self = reader
      return code
    }
    let rest = window &<< UInt64(truncatingIfNeeded: zeros &+ 1)
    let low = (rest &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- length)
    window = rest &<< UInt64(truncatingIfNeeded: length)
    available = available &- UInt64(truncatingIfNeeded: zeros &+ 1 &+ length)
    return zeros &<< length | Int(truncatingIfNeeded: low)
  }

  @inline(never)
  private static func longCode(
    _ reader: HighBits, _ length: Int, _ limit: Int, _ bits: Int
  ) -> (HighBits, Int) {
    var reader = reader
    var zeros = 0
    while true {
      reader.refill()
      let run = min(reader.window.leadingZeroBitCount, Int(reader.available))
      zeros += run
      reader.skip(run)
      if reader.isPastEnd { return (reader, 0) }
      if reader.available > 0 { break }
    }
    reader.skip(1)
    reader.refill()
    let count = zeros < limit ? length : bits
    let low = Int((reader.window &>> 1) &>> UInt64(63 - count))
    reader.skip(count)
    return (reader, zeros < limit ? zeros << length | low : low + 1)
  }

  /// Skips `count` bits, at most 63, which the window must contain.
  @inline(__always)
  private mutating func skip(_ count: Int) {
    window = window &<< UInt64(count)
    available = available &- UInt64(count)
  }

  /// Fills the window to 56 bits or more.
  @inline(__always)
  private mutating func refill() {
    guard unsafe end - next >= 8 else {
      self = Self.refilledByBytes(self)
      return
    }
    let bytes = unsafe UInt64(bigEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self))
    window |= bytes &>> available
    unsafe next += Int(truncatingIfNeeded: (63 &- available) &>> 3)
    available |= 56
  }

  @inline(never)
  private static func refilledByBytes(_ reader: HighBits) -> HighBits {
    var reader = reader
    while reader.available < 56 {
      if unsafe reader.next < reader.end {
        reader.window |= unsafe UInt64(reader.next.pointee) &<< (56 &- reader.available)
        unsafe reader.next += 1
      } else {
        reader.madeUp += 8
      }
      reader.available += 8
    }
    return reader
  }
}

import ImageCore

/// The entropy-coded bits of a lossless JPEG stream (ITU-T T.81, 1992, F.2.2 and H.2.2).
///
/// `window` holds the next bits at its top. A refill reads 8 bytes at once when none of them is FF,
/// which may be stuffed or a marker, and leaves at least 56 bits. Behind the end or a marker zeros
/// follow; they are counted, so that a row that used any of them is known to be damaged. The reader
/// never reads outside its bytes, whatever they hold; they must outlive it.
@safe struct LosslessJPEGReader {
  private var next: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private var window: UInt64 = 0
  /// Bits of `window` that count; behind them some of the following ones may already be stored.
  private var available: UInt64 = 0
  /// Bits of zeros that were made up.
  private var madeUp: UInt64 = 0
  private var metUnknownCode = false

  /// Reads the bytes of `stream` from `start` on; nil when it is empty.
  init?(_ stream: ByteView, from start: Int) {
    guard let first = unsafe stream.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      return nil
    }
    unsafe (next, end) = (first + start, first + stream.count)
  }

  /// Bytes that are left.
  private var left: Int { @inline(__always) get { unsafe end - next } }

  /// Byte `i` of those that are left, which must be there.
  @inline(__always)
  private func byte(_ i: Int) -> UInt8 { unsafe next[i] }

  /// The next eight bytes, which must be there.
  private var eightBytes: UInt64 {
    @inline(__always) get {
      unsafe UInt64(bigEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self))
    }
  }

  @inline(__always)
  private mutating func skip(_ count: Int) { unsafe next += count }

  /// Whether bits were used that are not there, or that are no code.
  var isDamaged: Bool { metUnknownCode || madeUp > available }

  /// Goes on behind the restart marker `number` (0 to 7), from which bits start afresh. False when
  /// another marker or none follows.
  mutating func restart(_ number: Int) -> Bool {
    while left >= 2, !(byte(0) == 0xFF && byte(1) != 0 && byte(1) != 0xFF) { skip(1) }
    guard left >= 2, byte(1) == 0xD0 + UInt8(number & 7) else { return false }
    skip(2)
    window = 0
    available = 0
    madeUp = 0
    return true
  }

  /// The next `count` differences, into `row`; `tables`, one a component, take turns.
  @inline(never)
  mutating func read(
    _ count: Int, into row: CodeRowView, tables: [LosslessJPEGTable.Lookup]
  ) {
    // A copy, so that the loop keeps it in registers.
    var reader = self
    let first = tables[0]
    var i = 0
    switch tables.count {
    case 1, 2:
      let second = tables[tables.count - 1]
      while i &+ 1 < count {
        reader.refill()
        row[i] = reader.difference(first)
        row[i &+ 1] = reader.difference(second)
        i &+= 2
      }
      if i < count {
        reader.refill()
        row[i] = reader.difference(first)
      }
    case 3:
      let (second, third) = (tables[1], tables[2])
      while i < count {
        reader.refill()
        row[i] = reader.difference(first)
        row[i &+ 1] = reader.difference(second)
        // Seldom: two differences take far fewer than the 56 bits they may.
        if reader.available < 28 { reader.refill() }
        row[i &+ 2] = reader.difference(third)
        i &+= 3
      }
    default:
      let (second, third, fourth) = (tables[1], tables[2], tables[3])
      while i < count {
        reader.refill()
        row[i] = reader.difference(first)
        row[i &+ 1] = reader.difference(second)
        reader.refill()
        row[i &+ 2] = reader.difference(third)
        row[i &+ 3] = reader.difference(fourth)
        i &+= 4
      }
    }
    self = reader
  }

  /// Takes a code and its value. Needs 28 bits in the window.
  @inline(__always)
  private mutating func difference(_ table: LosslessJPEGTable.Lookup) -> UInt16 {
    let entry = table[Int(truncatingIfNeeded: window &>> UInt64(64 - LosslessJPEGTable.prefixBits))]
    if entry >= LosslessJPEGTable.slow {
      let (reader, value) = Self.slowDifference(self, entry, table)
      self = reader
      return value
    }
    let value = Self.value(window &<< UInt64(entry &>> 8), shift: UInt64(entry &>> 16))
    let used = UInt64(entry & 63)
    window = window &<< used
    available = available &- used
    return value
  }

  /// The difference whose bits are at the top of `bits`, F.2.2.1: a leading 0 marks a negative
  /// one, stored less one. `shift` is 63 less their number.
  @inline(__always)
  private static func value(_ bits: UInt64, shift: UInt64) -> UInt16 {
    let sign = ~(Int64(bitPattern: bits) &>> 63)
    let magnitude = Int64(
      bitPattern: ((bits ^ UInt64(bitPattern: sign)) &>> 1) &>> shift)
    return UInt16(truncatingIfNeeded: (magnitude ^ sign) &- sign)
  }

  @inline(never)
  private static func slowDifference(
    _ reader: LosslessJPEGReader, _ entry: UInt32, _ table: LosslessJPEGTable.Lookup
  ) -> (LosslessJPEGReader, UInt16) {
    var reader = reader
    reader.refill()
    let next = Int(truncatingIfNeeded: reader.window &>> 48)
    guard let (length, shift, isWholeRange) = table.resolve(entry, next)
    else {
      reader.metUnknownCode = true
      return (reader, 0)
    }
    reader.take(UInt64(length))
    let value = isWholeRange ? 0x8000 : Self.value(reader.window, shift: UInt64(shift))
    reader.take(63 - UInt64(shift))
    reader.refill()
    return (reader, value)
  }

  private mutating func take(_ count: UInt64) {
    window = window &<< count
    available = available &- count
  }

  /// Fills the window to 56 bits or more.
  @inline(__always)
  private mutating func refill() {
    if left >= 8 {
      let bytes = eightBytes
      // Zero in each byte that is FF, found as in a zero test of the complement.
      if (~bytes &- 0x0101_0101_0101_0101) & bytes & 0x8080_8080_8080_8080 == 0 {
        window |= bytes &>> available
        skip(Int(truncatingIfNeeded: (63 &- available) &>> 3))
        available |= 56
        return
      }
    }
    self = Self.refilledByBytes(self)
  }

  @inline(never)
  private static func refilledByBytes(_ reader: LosslessJPEGReader) -> LosslessJPEGReader {
    var reader = reader
    while reader.available < 56 {
      var byte: UInt8 = 0
      if reader.left > 0, reader.byte(0) != 0xFF {
        byte = reader.byte(0)
        reader.skip(1)
      } else if reader.left > 1, reader.byte(1) == 0 {
        byte = 0xFF
        reader.skip(2)
      } else {
        reader.madeUp &+= 8
      }
      reader.window |= UInt64(byte) &<< (56 &- reader.available)
      reader.available &+= 8
    }
    return reader
  }
}

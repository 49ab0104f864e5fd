import CKernels
import ImageCore

/// The entropy-coded bits of a lossless JPEG stream (ITU-T T.81, 1992, F.2.2 and H.2.2).
///
/// They are copied without stuffing, some rows at a time, so that the loop over samples
/// (LosslessJPEG.c) meets no byte that it must look at. Zeros follow the end or a marker: before
/// each row there is as much as its samples can use, whatever the bytes hold. A row that used any
/// of the zeros is known to be damaged. The stream must outlive its reader.
@safe struct LosslessJPEGReader: ~Copyable {
  private var rest: ByteView
  private let tables: ck_codeTables
  private let components: Int
  private let memory: RowMemory<UInt8>
  private var bits = unsafe ck_codedBits()
  /// Bytes of `memory` that are of the stream, and those that the window has taken.
  private var filled = 0
  private var used: Int { unsafe bits.next - UnsafePointer(memory.row.start) }
  /// Bytes that are copied at one time, at least.
  private static let chunk = 1 << 16

  /// Reads the bytes of `stream` from `start` on, of rows of `count` samples; `tables` as in
  /// ``LosslessJPEGHeader``, of which `first` is the first entry.
  init(
    _ stream: ByteView, from start: Int, count: Int, tables: [Int], first: UnsafePointer<UInt32>
  ) {
    rest = stream.from(start)
    components = tables.count
    var starts: (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
    unsafe withUnsafeMutableBytes(of: &starts) { bytes in
      let starts = unsafe bytes.bindMemory(to: Int64.self)
      for c in 0..<min(tables.count, 4) { unsafe starts[c] = Int64(tables[c]) }
    }
    unsafe self.tables = ck_codeTables(first: first, start: starts)
    memory = RowMemory(count: max(Self.chunk, 2 * Self.most(count)))
    unsafe bits.next = UnsafePointer(memory.row.start)
  }

  /// Bytes that a row of `count` samples may use, and the window.
  private static func most(_ count: Int) -> Int { 4 * count + 16 }

  /// Whether bits were used that are not there, or that are no code.
  var isDamaged: Bool {
    unsafe bits.unknown != 0 || 8 * used - Int(bits.available) > 8 * filled
  }

  /// Goes on behind the restart marker `number` (0 to 7), from which bits start afresh. False when
  /// another marker or none follows.
  mutating func restart(_ number: Int) -> Bool {
    var i = 0
    while i + 2 <= rest.count, !(rest[i] == 0xFF && rest[i + 1] != 0 && rest[i + 1] != 0xFF) {
      i += 1
    }
    guard i + 2 <= rest.count, rest[i + 1] == 0xD0 + UInt8(number & 7) else { return false }
    rest = rest.from(i + 2)
    unsafe bits = ck_codedBits()
    unsafe bits.next = UnsafePointer(memory.row.start)
    filled = 0
    return true
  }

  /// The next `count` differences, into `row`; with `left`, the samples before the first of each
  /// component, their sums. Returns all of these together, bit by bit.
  mutating func read(_ count: Int, into row: CodeRowView, left: CodeRowView?) -> UInt16 {
    fill(Self.most(count))
    var tables = unsafe tables
    unsafe ck_codedRow(
      &bits, &tables, Int64(components), Int64(count), left?.start, row.start)
    return unsafe UInt16(truncatingIfNeeded: bits.all)
  }

  /// Makes `count` bytes available behind the window.
  private mutating func fill(_ count: Int) {
    // Less than none where the window holds zeros from behind the end.
    let left = filled - used
    guard left < count else { return }
    let all = memory.row
    if left > 0 { unsafe all.start.update(from: bits.next, count: left) }
    unsafe bits.next = UnsafePointer(all.start)
    let room = all.from(max(left, 0))
    var taken: Int64 = 0
    filled = left
    if let start = unsafe rest.buffer.baseAddress {
      filled += Int(
        unsafe ck_unstuffed(
          start.assumingMemoryBound(to: UInt8.self), Int64(rest.count), room.start,
          Int64(room.count), &taken))
      rest = rest.from(Int(taken))
    }
    let end = max(filled, 0)
    if end < count { all.from(end).update(repeating: 0, count: count - end) }
  }
}

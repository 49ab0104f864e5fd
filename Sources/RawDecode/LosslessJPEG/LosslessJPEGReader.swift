import CKernels
import ImageCore

/// The entropy-coded bits of a lossless JPEG stream (ITU-T T.81, 1992, F.2.2 and H.2.2).
///
/// They are copied without stuffing, some rows at a time, so that the loops over samples
/// (LosslessJPEG.c) need no check for markers. Zeros follow the end or a marker: before each row
/// the buffer contains as many bytes as its samples can use, whatever the stream contains. Two
/// interleaved readers decode differences as long as many bytes remain, and buffer differences
/// beyond the row; one reader decodes the rest and anything irregular. A row that used any of the
/// zeros is damaged. The stream must outlive its reader.
@safe struct LosslessJPEGReader: ~Copyable {
  private var rest: ByteView
  private let tables: ck_codeTables
  private let components: Int
  /// Number of alternating tables: one if all components have the same.
  private let turns: Int
  private let memory: RowMemory<UInt8>
  private var bits = unsafe ck_codedBits()
  /// Bytes of `memory` that contain stream data, and bytes consumed by the window.
  private var filled = 0
  private var used: Int { unsafe bits.next - UnsafePointer(memory.row.start) }
  /// Minimum number of bytes copied at a time.
  private static let chunk = 1 << 16

  /// Differences that each of two readers decodes at a time, and bytes that this may use.
  private static let half = 1 << 13
  private static let window = 3 << 13
  /// Buffered differences: `held` of them from `taken` on belong to following samples.
  private let differences: RowMemory<UInt32>
  private let second: RowMemory<UInt32>
  private var (taken, held) = (0, 0)
  /// Bytes used by the last half batch of differences.
  private var ahead = Self.half

  /// Reads the bytes of `stream` from `start` on, with rows of `count` samples; `tables` as in
  /// ``LosslessJPEGHeader``, with `first` their first entries.
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
    turns = Set(tables).count == 1 ? 1 : components
    differences = RowMemory(count: count + 2 * Self.half + Int(CK_CODED_MEETING))
    second = RowMemory(count: Self.half)
    memory = RowMemory(count: max(Self.chunk, 2 * Self.maxBytes(count)))
    unsafe bits.next = UnsafePointer(memory.row.start)
  }

  /// Maximum number of bytes of a row of `count` samples, including the window.
  private static func maxBytes(_ count: Int) -> Int { 4 * count + 16 }

  /// Whether missing bits or an invalid code were used.
  var isDamaged: Bool {
    unsafe bits.unknown != nil || 8 * used - Int(bits.available) > 8 * filled
  }

  /// Continues after the restart marker `number` (0 to 7), where bits are realigned. False if
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
    (filled, held) = (0, 0)
    return true
  }

  /// Reads the next `count` differences into `row`, or, with `left`, the previous sample of each
  /// component, their running sums. Returns the bitwise OR of all of them.
  mutating func read(_ count: Int, into row: CodeRowView, left: CodeRowView?) -> UInt16 {
    take(count)
    let next = differences.row.from(taken)
    taken += count
    held -= count
    guard let left else {
      unsafe ck_codedValues(next.start, row.start, Int64(count))
      return 0
    }
    var all: UInt32 = 0
    unsafe ck_codedSums(
      next.start, Int64(components), left.start, row.start, Int64(count), &all)
    return UInt16(truncatingIfNeeded: all)
  }

  /// Buffers at least `count` differences.
  private mutating func take(_ count: Int) {
    guard held < count else { return }
    let all = differences.row
    unsafe all.start.update(from: all.from(taken).start, count: held)
    taken = 0
    while held < count, takeByTwo() {}
    guard held < count else { return }
    let left = count - held
    fill(Self.maxBytes(left))
    var tables = unsafe tables
    unsafe ck_codedRow(&bits, &tables, Int64(turns), Int64(left), all.from(held).start)
    held = count
  }

  /// Decodes the next differences by two readers; false if they are not certain to be valid.
  private mutating func takeByTwo() -> Bool {
    fill(Self.window)
    // There may be anything after the last code, so both readers keep a distance.
    let start = used
    let bytes = filled - start - 64
    guard bytes > Self.window / 16 else { return false }
    var run = unsafe ck_codedRun(
      ahead: Int64(min(ahead, bytes / 2)), end: bits.next + bytes,
      out: differences.row.from(held).start, second: second.row.start, half: Int64(Self.half),
      count: 0)
    var tables = unsafe tables
    unsafe ck_codedDifferences(&bits, &tables, Int64(turns), &run)
    let count = unsafe Int(run.count)
    guard count > 0 else { return false }
    ahead = max((used - start) * Self.half / count, 64)
    held += count
    return true
  }

  /// Provides `count` bytes after the window.
  private mutating func fill(_ count: Int) {
    // Negative if the window holds zeros from beyond the end.
    let left = filled - used
    guard left < count else { return }
    let all = memory.row
    if left > 0 { unsafe all.start.update(from: bits.next, count: left) }
    unsafe bits.next = UnsafePointer(all.start)
    let room = all.from(max(left, 0))
    var (taken, made) = (Int64(0), Int64(0))
    filled = left
    if let start = unsafe rest.buffer.baseAddress {
      unsafe ck_unstuffed(
        start.assumingMemoryBound(to: UInt8.self), Int64(rest.count), room.start,
        Int64(room.count), &taken, &made)
      filled += Int(made)
      rest = rest.from(Int(taken))
    }
    let end = max(filled, 0)
    if end < count { all.from(end).update(repeating: 0, count: count - end) }
  }
}

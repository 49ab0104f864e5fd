/// Reads bits of a JPEG XL codestream, from the lowest of each byte up (ISO/IEC 18181-1, annex B).
/// After the end all bits are 0 and ``isExhausted`` is set, so that a caller checks once.
///
/// A code table of a few bits can stand for many symbols, and a number can take none: work is
/// counted by ``charge(_:)``, and the bits end once the steps are used up. It does not keep its
/// memory alive.
@safe struct JPEGXLBits {
  private let data: UnsafeRawBufferPointer
  /// Where the codestream is in `data`.
  private let parts: [Range<Int>]
  private var part = 0
  private var next: Int
  private var held: UInt64 = 0
  private var heldCount = 0
  /// Remaining bytes.
  private(set) var bytesLeft = Int.max
  /// Steps of work that may still be done, some 10 ns each.
  private(set) var stepsLeft: Int
  /// Whether more was read than available.
  private(set) var isExhausted = false

  /// The codestream whose `parts` are in `data`, with a limit on the steps of work.
  init(_ data: UnsafeRawBufferPointer, _ parts: [Range<Int>], maxSteps: Int = 0) {
    unsafe self.data = data
    self.parts = parts
    next = parts.first?.lowerBound ?? 0
    stepsLeft = maxSteps
  }

  mutating func bit() -> Bool { take(1) == 1 }

  /// An unsigned number of up to 32 bits.
  mutating func take(_ count: Int) -> Int {
    while heldCount < count {
      guard !isExhausted, let byte = nextByte() else {
        isExhausted = true
        return 0
      }
      held |= UInt64(byte) << UInt64(heldCount)
      heldCount += 8
    }
    let value = Int(held & (1 << UInt64(count) - 1))
    held >>= UInt64(count)
    heldCount -= count
    return value
  }

  /// One of the four codings of a number by U32(): the number of bits, counted from `from`.
  typealias Coding = (bits: Int, from: Int)

  /// U32(): two bits choose between four codings.
  mutating func number(_ a: Coding, _ b: Coding, _ c: Coding, _ d: Coding) -> Int {
    let coding =
      switch take(2) {
      case 0: a
      case 1: b
      case 2: c
      default: d
      }
    return coding.from + take(coding.bits)
  }

  /// 0, or a number preceded by its length, which has `widthBits` bits.
  mutating func numberWithWidth(of widthBits: Int) -> Int {
    guard bit() else { return 0 }
    let width = take(widthBits)
    return 1 << width + take(width)
  }

  /// Bits of a number up to `maximum`.
  static func width(_ maximum: Int) -> Int { Int.bitWidth - maximum.leadingZeroBitCount }

  /// Enum().
  mutating func enumeration() -> Int { number((0, 0), (0, 1), (4, 2), (6, 18)) }

  /// U64().
  mutating func longNumber() -> UInt64 {
    switch take(2) {
    case 0: return 0
    case 1: return UInt64(1 + take(4))
    case 2: return UInt64(17 + take(8))
    default:
      var value = UInt64(take(12))
      for shift in stride(from: UInt64(12), through: 60, by: 8) {
        guard bit() else { break }
        value |= UInt64(take(shift == 60 ? 4 : 8)) << shift
      }
      return value
    }
  }

  /// Passes over numbers of 16 bits (F16).
  mutating func skipFloats(_ count: Int) { skip(bits: 16 * count) }

  mutating func skip(bits count: Int) {
    if count <= heldCount {
      _ = take(count)
    } else {
      let rest = count - heldCount
      (held, heldCount) = (0, 0)
      skip(bytes: rest / 8)
      _ = take(rest % 8)
    }
  }

  /// Advances to a byte boundary.
  mutating func align() { (held, heldCount) = (0, 0) }

  /// Skips bytes, from a byte boundary on.
  mutating func skip(bytes count: Int) {
    var left = count
    while left > 0 {
      guard part < parts.count else {
        isExhausted = true
        return
      }
      let step = min(left, parts[part].upperBound - next)
      (next, left) = (next + step, left - step)
      if left > 0 { enterNextPart() }
    }
  }

  /// The bits of the next `count` bytes, from a byte boundary on.
  func prefix(bytes count: Int) -> JPEGXLBits {
    var part = self
    part.bytesLeft = count
    return part
  }

  /// Counts steps of work.
  mutating func charge(_ steps: Int) {
    stepsLeft -= steps
    if stepsLeft < 0 { isExhausted = true }
  }

  /// Counts what `other`, a copy that went ahead, has done.
  mutating func charge(like other: JPEGXLBits) { charge(stepsLeft - other.stepsLeft) }

  private mutating func nextByte() -> UInt8? {
    guard bytesLeft > 0 else { return nil }
    while part < parts.count {
      if next < parts[part].upperBound {
        defer { (next, bytesLeft) = (next + 1, bytesLeft - 1) }
        return unsafe data[next]
      }
      enterNextPart()
    }
    return nil
  }

  private mutating func enterNextPart() {
    part += 1
    if part < parts.count { next = parts[part].lowerBound }
  }
}

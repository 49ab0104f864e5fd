import Foundation
import RawTestSupport
import SyntheticRaw

/// Ways to spoil a TIFF file: every field of every directory, of profiles within it and of the
/// tables that have counts of their own, and the bytes at large. The same file gives the same list.
struct Corruption {
  /// One spoiled copy.
  struct Variant: CustomStringConvertible {
    let description: String
    /// Bytes to put at a position.
    var patches: [(position: Int, bytes: [UInt8])] = []
    /// Bytes to keep; nil for all.
    var length: Int?

    func apply(to bytes: [UInt8]) -> [UInt8] {
      var out = bytes
      for patch in patches {
        for (i, byte) in patch.bytes.enumerated() where patch.position + i < out.count {
          out[patch.position + i] = byte
        }
      }
      if let length { out.removeLast(max(0, out.count - length)) }
      return out
    }
  }

  private static let widths = [
    1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8,
    17: 8, 18: 8,
  ]
  /// Numbers that break careless sums and products, truncated to the width at hand.
  private static let numbers: [UInt64] = [
    0, 1, 2, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x1_0000, 0x1000_0000, 0x7FFF_FFFF, 0x8000_0000,
    0xFFFF_FFFE, 0xFFFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF,
  ]
  private static let types: [UInt64] = [0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 16, 18, 0xFFFF]

  private let bytes: [UInt8]
  private(set) var variants: [Variant] = []
  private var seen: Set<Int> = []
  private var bigEndian: Bool
  private var isBig: Bool

  /// All variants of the TIFF file `bytes`.
  init(_ bytes: [UInt8], seed: UInt64) {
    self.bytes = bytes
    bigEndian = bytes.first == 0x4D
    isBig = bytes.count > 3 && (bytes[2] == 43 || bytes[3] == 43)
    header()
    directory(at: number(at: isBig ? 8 : 4, isBig ? 8 : 4), base: 0, name: "IFD0")
    atLarge(seed)
  }

  private func number(at position: Int, _ width: Int) -> Int {
    guard position >= 0, position + width <= bytes.count else { return 0 }
    let part = bytes[position..<(position + width)]
    let value = (bigEndian ? Array(part) : part.reversed()).reduce(UInt64(0)) {
      $0 << 8 | UInt64($1)
    }
    return Int(clamping: value)
  }

  private func encoded(_ value: UInt64, _ width: Int, bigEndian: Bool? = nil) -> [UInt8] {
    let little = (0..<width).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    return bigEndian ?? self.bigEndian ? little.reversed() : little
  }

  /// `numbers` and the neighbors of the stored value.
  private mutating func integer(
    at position: Int, _ width: Int, _ name: String, also: [UInt64] = [], bigEndian: Bool? = nil
  ) {
    let value = UInt64(number(at: position, width))
    for wrong in Self.numbers + [value &+ 1, value &- 1, value &* 2] + also {
      variants.append(
        Variant(
          description: "\(name) = 0x\(String(wrong, radix: 16))",
          patches: [(position, encoded(wrong, width, bigEndian: bigEndian))]))
    }
  }

  private mutating func header() {
    for position in [0, 2, 4, 6] { integer(at: position, 2, "header \(position)") }
    integer(at: 4, 4, "header offset", also: [8, 18, UInt64(bytes.count) - 1])
  }

  private mutating func directory(at offset: Int, base: Int, name: String) {
    let start = base + offset
    guard start > 0, start + 8 <= bytes.count, seen.insert(start).inserted, seen.count < 32 else {
      return
    }
    let (head, entry, pointer) = isBig ? (8, 20, 8) : (2, 12, 4)
    let count = number(at: start, head)
    guard count < 512, start + head + count * entry <= bytes.count else { return }
    integer(at: start, head, "\(name) entries")
    integer(at: start + head + count * entry, pointer, "\(name) next", also: [UInt64(offset)])
    variants.append(Variant(description: "\(name) cut short", length: start + head + count * 6))
    for index in 0..<count {
      let position = start + head + index * entry
      field(at: position, pointer: pointer, base: base, of: name)
    }
  }

  private mutating func field(at position: Int, pointer: Int, base: Int, of directory: String) {
    let tag = number(at: position, 2)
    let type = number(at: position + 2, 2)
    let count = number(at: position + 4, pointer)
    let name = "\(directory) \(tag)"
    let width = Self.widths[type] ?? 1
    let value = position + 4 + pointer
    let isInline = count * width <= pointer
    let valueOffset = isInline ? value : base + number(at: value, pointer)
    for wrong in Self.types {
      variants.append(
        Variant(
          description: "\(name) type = \(wrong)", patches: [(position + 2, encoded(wrong, 2))]))
    }
    integer(at: position + 4, pointer, "\(name) count")
    let ends = [UInt64(bytes.count), UInt64(bytes.count) - 1, UInt64(position)]
    integer(at: value, pointer, "\(name) \(isInline ? "value" : "offset")", also: ends)
    guard valueOffset > 0, valueOffset < bytes.count else { return }
    let element = [1: 1, 2: 1, 3: 2, 8: 2, 12: 8, 16: 8][type] ?? 4
    let length = min(count * width, bytes.count - valueOffset)
    // Exif and GPS have many values that are only passed on; their counts and types are enough.
    let isPassedOn = directory.contains("34665") || directory.contains("34853")
    if !isPassedOn, !isInline || width > 1 {
      elements(at: valueOffset, length, element, type, name)
    }
    // What an offset leads to.
    if [330, 34665, 34853].contains(tag) {
      for i in 0..<min(count, 8) {
        let offset = number(at: valueOffset + i * width, width)
        self.directory(at: offset, base: 0, name: "\(directory)/\(tag)[\(i)]")
      }
    }
    if tag == 50933 {
      for i in 0..<min(count, 4) { profile(at: number(at: valueOffset + i * 4, 4), i) }
    }
  }

  /// The first elements, some in the middle, and the last.
  private mutating func elements(
    at valueOffset: Int, _ length: Int, _ width: Int, _ type: Int, _ name: String
  ) {
    let count = length / width
    let first = type == 7 ? 40 : 6
    let chosen = Array(0..<min(first, count)) + [count / 2, count - 1].filter { $0 >= first }
    for index in chosen {
      let position = valueOffset + index * width
      let isOpcodes = name.hasSuffix("51008") || name.hasSuffix("51009") || name.hasSuffix("51022")
      integer(at: position, width, "\(name)[\(index)]", bigEndian: isOpcodes ? true : nil)
      guard type == 11 || type == 12 || type == 7 else { continue }
      for wrong in [Double.nan, .infinity, -.infinity, -1, 1e30, -1e-30, 65_537] {
        let pattern =
          width == 8 ? encoded(wrong.bitPattern, 8) : encoded(UInt64(Float(wrong).bitPattern), 4)
        variants.append(
          Variant(description: "\(name)[\(index)] = \(wrong)", patches: [(position, pattern)]))
      }
    }
  }

  /// A profile in the form of a small TIFF of its own.
  private mutating func profile(at offset: Int, _ index: Int) {
    guard offset > 0, offset + 8 <= bytes.count else { return }
    let (outer, outerIsBig) = (bigEndian, isBig)
    bigEndian = bytes[offset] == 0x4D
    isBig = false
    integer(at: offset, 2, "profile \(index) order")
    integer(at: offset + 2, 2, "profile \(index) magic")
    integer(at: offset + 4, 4, "profile \(index) offset")
    directory(at: number(at: offset + 4, 4), base: offset, name: "profile \(index)")
    (bigEndian, isBig) = (outer, outerIsBig)
  }

  /// Single bits anywhere, runs of one byte, and ends anywhere.
  private mutating func atLarge(_ seed: UInt64) {
    func random(_ i: Int, _ below: Int) -> Int {
      Int(IntegerNoise.bits(UInt64(i), seed: seed) % UInt64(max(1, below)))
    }
    for i in 0..<400 {
      let offset = random(3 * i, bytes.count)
      switch i % 4 {
      case 0, 1:
        let bit = random(3 * i + 1, 8)
        variants.append(
          Variant(
            description: "bit \(bit) of byte \(offset)",
            patches: [(offset, [bytes[offset] ^ UInt8(1 << bit)])]))
      case 2:
        let run = 1 + random(3 * i + 1, 64)
        let value: UInt8 = [0, 0xFF, 0x7F, 0x80][random(3 * i + 2, 4)]
        variants.append(
          Variant(
            description: "\(run) bytes at \(offset) = \(value)",
            patches: [(offset, [UInt8](repeating: value, count: run))]))
      default: variants.append(Variant(description: "first \(offset) bytes", length: offset))
      }
    }
  }

  /// `count` of the variants, drawn without repetition.
  func sample(_ count: Int, seed: UInt64) -> [Variant] {
    guard count < variants.count else { return variants }
    var order = Array(variants.indices)
    for i in 0..<count {
      let j = i + Int(IntegerNoise.bits(UInt64(i), seed: seed) % UInt64(order.count - i))
      order.swapAt(i, j)
    }
    return order[..<count].map { variants[$0] }
  }
}

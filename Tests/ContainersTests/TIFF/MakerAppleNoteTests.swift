import ImageCore
import TestSupport
import Testing

@testable import Containers

/// The two numbers of Apple's note go, or change, and nothing moves.
@Suite struct MakerAppleNoteTests {
  private static func number(_ value: Int, _ bytes: Int, big: Bool = true) -> [UInt8] {
    let all = (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
    return big ? all : all.reversed()
  }

  /// A block whose note has the tags 8, 33, 48, 60; the fractions are n/1000.
  static func block(big: Bool) -> [UInt8] {
    func n(_ value: Int, _ bytes: Int) -> [UInt8] { number(value, bytes, big: big) }
    let tags = [8, 33, 48, 60]
    var note = Array("Apple iOS\0\0\u{1}MM".utf8) + number(tags.count, 2)
    let values = 16 + 12 * tags.count + 4
    for (index, tag) in tags.enumerated() {
      note += number(tag, 2) + number(10, 2) + number(1, 4) + number(values + 8 * index, 4)
    }
    note += number(0, 4)
    for tag in tags { note += number(tag * 10, 4) + number(1000, 4) }
    var block: [UInt8] = (big ? [0x4D, 0x4D] : [0x49, 0x49]) + n(42, 2) + n(8, 4) + n(1, 2)
    block += n(0x8769, 2) + n(4, 2) + n(1, 4) + n(26, 4) + n(0, 4)
    block += n(2, 2) + n(0x927C, 2) + n(7, 2) + n(note.count, 4) + n(56, 4)
    block += n(0x9286, 2) + n(7, 2) + n(4, 4) + [1, 2, 3, 4] + n(0, 4)
    return block + note + [7, 7, 7]
  }

  /// Tag and value of each entry.
  private func entries(_ block: [UInt8]) -> [Int: [UInt8]] {
    let note = Array(block[56...])
    func word(_ at: Int, _ count: Int) -> Int {
      note[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
    }
    var found: [Int: [UInt8]] = [:]
    for index in 0..<word(14, 2) {
      let offset = word(24 + 12 * index, 4)
      found[word(16 + 12 * index, 2)] = Array(note[offset..<offset + 8])
    }
    return found
  }

  @Test(arguments: [true, false]) func numbersGo(big: Bool) throws {
    let block = Self.block(big: big)
    let note = try #require(MakerAppleNote(block))
    let out = note.withoutHeadroom()
    #expect(out.count == block.count)
    #expect(entries(out) == entries(block).filter { $0.key == 8 || $0.key == 60 })
    #expect(out[..<56] == block[..<56] && out.suffix(3) == block.suffix(3))
    #expect(entries(out)[33] == nil && entries(out)[48] == nil)
    #expect(try #require(MakerAppleNote(out)).withoutHeadroom() == out)
  }

  @Test(arguments: [true, false]) func numbersChange(big: Bool) throws {
    let block = Self.block(big: big)
    let note = try #require(MakerAppleNote(block))
    let out = try #require(note.with(.init(headroom33: 1, gain48: -0.25)))
    let (before, after) = (entries(block), entries(out))
    #expect(after[8] == before[8] && after[60] == before[60])
    #expect(after[33] == Self.number(1_000_000, 4) + Self.number(1_000_000, 4))
    #expect(after[48] == Self.number(-250_000, 4) + Self.number(1_000_000, 4))
    #expect(MakerAppleNote(note.withoutHeadroom())?.with(.init(headroom33: 1, gain48: 0)) == nil)
  }

  @Test func damagedBlocks() {
    for seed in 0..<2000 {
      var random = SeededRandom(seed: UInt64(seed))
      var block = Self.block(big: seed % 2 == 0)
      for _ in 0...seed % 5 {
        block[.random(in: 0..<block.count, using: &random)] =
          [0, 1, 255, 127].randomElement(using: &random) ?? 0
      }
      if seed % 7 == 0 { block.removeLast(.random(in: 1..<block.count - 8, using: &random)) }
      guard let note = MakerAppleNote(block) else { continue }
      #expect(note.withoutHeadroom().count == block.count)
      _ = note.with(.init(headroom33: 1, gain48: 0.01))
    }
  }
}

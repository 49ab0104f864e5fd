import ImageCore
import TestSupport
import Testing

@testable import DNGWriting

@Suite struct LosslessJPEGEncoderTests {
  /// The samples in a stream, read by an independent bitwise decoder according to T.81.
  static func decoded(_ stream: [UInt8], components: Int, count: Int, rows: Int) -> [UInt16] {
    var position = 2
    var codes: [[(length: Int, code: Int, symbol: Int)]] = []
    while stream[position + 1] != 0xDA {
      let length = Int(stream[position + 2]) << 8 | Int(stream[position + 3])
      if stream[position + 1] == 0xC4 {
        let counts = stream[position + 5..<position + 21].map { Int($0) }
        var symbols = stream[position + 21..<position + 2 + length].map { Int($0) }[...]
        var (table, code): ([(Int, Int, Int)], Int) = ([], 0)
        for (index, count) in counts.enumerated() {
          code <<= 1
          for _ in 0..<count {
            table.append((index + 1, code, symbols.removeFirst()))
            code += 1
          }
          // No code is all ones.
          #expect(code < 1 << (index + 1))
        }
        codes.append(table)
      }
      position += 2 + length
    }
    position += 2 + Int(stream[position + 2]) << 8 + Int(stream[position + 3])
    var bits: [Bool] = []
    while !(stream[position] == 0xFF && stream[position + 1] == 0xD9) {
      for bit in (0..<8).reversed() { bits.append(stream[position] >> UInt8(bit) & 1 == 1) }
      position += stream[position] == 0xFF ? 2 : 1
    }
    var next = 0
    func take(_ count: Int) -> Int {
      defer { next += count }
      return bits[next..<next + count].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    }
    var samples: [UInt16] = []
    for y in 0..<rows {
      for x in 0..<count {
        var (code, length, symbol) = (0, 0, -1)
        while symbol < 0 {
          code = code << 1 | take(1)
          length += 1
          symbol =
            codes[x % components].first { $0.length == length && $0.code == code }?.symbol ?? -1
          if length > 16 { return samples }
        }
        var difference = symbol == 16 ? -32768 : take(symbol)
        if symbol > 0, symbol < 16, difference < 1 << (symbol - 1) { difference -= 1 << symbol - 1 }
        let left =
          x >= components
          ? samples[samples.count - components]
          : y > 0 ? samples[samples.count - count] : 32768
        samples.append(UInt16(truncatingIfNeeded: Int(left) + difference))
      }
    }
    // The remaining bits pad the last byte.
    #expect(bits.count - next < 8 && bits[next...].allSatisfy { $0 })
    return samples
  }

  @Test(arguments: 1...4) func decodesToTheSamples(components: Int) {
    var numbers = SeededRandom(seed: UInt64(components))
    let (count, rows) = (components * 9, 7)
    let ends: [UInt16] = [0, 65535, 32768, 32767, 1]
    let pictures: [[UInt16]] = [
      [UInt16](repeating: 32768, count: count * rows),
      [UInt16](repeating: 0, count: count * rows),
      (0..<count * rows).map { _ in UInt16.random(in: 0...65535, using: &numbers) },
      (0..<count * rows).map { _ in ends[Int.random(in: 0..<ends.count, using: &numbers)] },
      (0..<count * rows).map { UInt16($0 * 37 & 1023) },
    ]
    for samples in pictures {
      let encoder = LosslessJPEGEncoder(count: count, rows: rows, components: components)
      let stream = encoder.encode(samples)
      #expect(stream.prefix(2) == [0xFF, 0xD8] && stream.suffix(2) == [0xFF, 0xD9])
      let read = Self.decoded(stream, components: components, count: count, rows: rows)
      #expect(read == samples)
    }
  }

  /// Counts like Fibonacci numbers require codes of more than 16 bits.
  @Test func noCodeIsLongerThanSixteenBits() {
    var counts: [Int64] = [1, 1]
    while counts.count < 17 { counts.append(counts[counts.count - 1] + counts[counts.count - 2]) }
    for order in [counts, counts.reversed()] {
      let table = LosslessJPEGEncoder.Table(order[...])
      #expect(table.symbols.count == 17)
      let used = zip(table.lengths, 1...).reduce(0.0) { $0 + Double($1.0) / Double(1 << $1.1) }
      // Leaves the code of all ones unused.
      #expect(used < 1)
    }
  }
}

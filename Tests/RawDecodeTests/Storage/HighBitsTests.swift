import ImageCore
import TestSupport
import Testing

@testable import Containers
@testable import RawDecode
@testable import SyntheticRaw

@Suite struct HighBitsTests {
  /// Runs of zeros below and above the fast limit, followed by few and many bits.
  @Test func allRunsAndLengthsAreRead() throws {
    var random = SeededRandom(seed: 3)
    var sink = BitSink()
    var expected: [(length: Int, limit: Int, bits: Int, code: Int)] = []
    for limit in [1, 33, 39, 40, 41, 47, 60] {
      for zeros in 0...limit {
        for length in [0, 1, 7, 14, 15] {
          let bits = [1, 6, 14, 16][expected.count % 4]
          let low =
            UInt32(random.next() & 0xFFFF) & (1 << UInt32(zeros < limit ? length : bits) - 1)
          sink.putZeros(zeros)
          sink.put(low, UInt32(zeros < limit ? length : bits))
          expected.append(
            (length, limit, bits, zeros < limit ? zeros << length | Int(low) : Int(low) + 1))
        }
      }
    }
    sink.finish()
    let file = try FileBytes(sink.bytes)
    let view = try #require(file.view(0, sink.bytes.count))
    var bits = try #require(HighBits(view))
    for (index, code) in expected.enumerated() {
      let read = bits.code(length: code.length, limit: code.limit, bits: code.bits)
      #expect(read == code.code, "\(index)")
    }
    #expect(!bits.isPastEnd)
    for _ in 0..<10 { _ = bits.code(length: 3, limit: 41, bits: 14) }
    #expect(bits.isPastEnd)
    withExtendedLifetime(file) {}
  }

  /// The length is the smallest n with number · 2ⁿ ≥ sum.
  @Test func lengthsAreTheSmallest() {
    let memory = RowMemory<Int32>(count: FujifilmStatistics.count)
    let statistics = FujifilmStatistics(memory.row)
    for number in [1, 2, 3, 7, 31, 32, 33, 63, 64] {
      for sum in [2, 3, 4, 8, 63, 64, 65, 100, 255, 256, 257, 5000, 16_383, 16_384, 16_385, 32_768]
      {
        (memory.row[0], memory.row[1]) = (Int32(sum), Int32(number))
        let expected = (0...15).first { number << $0 >= sum } ?? 15
        #expect(statistics.length(0) == expected, "\(sum) \(number)")
      }
    }
    (memory.row[0], memory.row[1]) = (100, 64)
    statistics.add(28, 0)
    #expect(memory.row[0] == 64 && memory.row[1] == 33)
    statistics.add(1, 0)
    #expect(memory.row[0] == 65 && memory.row[1] == 34)
  }

  /// Levels increase at the thresholds, and are odd functions.
  @Test func gradientsHaveNineLevels() {
    let memory = RowMemory<Int8>(count: FujifilmQuantization.tableCount)
    for (base, thresholds, steps, bits) in [
      (0, [1, 18, 67, 276], 16_384, 14), (3, [4, 27, 82, 297], 2342, 12),
      (255, [256, 783, 1342, 2061], 34, 6),
    ] {
      let quantization = FujifilmQuantization(base: base, bits: 14, factor: 9, table: memory.row)
      #expect(quantization.steps == steps && quantization.plainBits == bits)
      #expect(quantization.limit == 56 - bits - 1)
      for gradient in stride(from: -16_383, through: 16_383, by: 1) {
        let level = thresholds.count { abs(gradient) >= $0 } * gradient.signum()
        if quantization.level(gradient, 0) != 9 * level
          || quantization.level(0, gradient) != level
        {
          Issue.record("\(base) \(gradient)")
          return
        }
      }
    }
  }
}

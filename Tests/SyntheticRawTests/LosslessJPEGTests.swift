import Testing

@testable import SyntheticRaw

@Suite("Lossless JPEG")
struct LosslessJPEGTests {
  /// Reads what ``LosslessJPEG`` writes, bit by bit, straight from T.81 annexes F and H.
  static func decode(_ bytes: [UInt8]) throws -> (samples: [UInt16], bits: Int) {
    var position = 2
    var tables: [Int: [UInt32: Int]] = [:]
    var (bits, rows, columns, components) = (0, 0, 0, 0)
    func word(_ at: Int) -> Int { Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
    while true {
      let (marker, length) = (bytes[position + 1], word(position + 2))
      let body = position + 4
      position += 2 + length
      if marker == 0xC4 {
        var (code, next) = (UInt32(0), body + 17)
        var table: [UInt32: Int] = [:]
        for size in 1...16 {
          for _ in 0..<bytes[body + size] {
            table[UInt32(size) << 16 | code] = Int(bytes[next])
            (code, next) = (code + 1, next + 1)
          }
          code <<= 1
        }
        tables[Int(bytes[body])] = table
      } else if marker == 0xC3 {
        (bits, rows, columns) = (Int(bytes[body]), word(body + 1), word(body + 3))
        components = Int(bytes[body + 5])
      } else if marker == 0xDA {
        #expect(bytes[body + 1 + 2 * components] == 1, "predictor")
        break
      }
    }
    var used = 0
    func bit() -> UInt32 {
      let value = UInt32(bytes[position] >> UInt8(7 - used)) & 1
      used += 1
      if used == 8 {
        position += bytes[position] == 0xFF ? 2 : 1
        used = 0
      }
      return value
    }
    var out = [UInt16](repeating: 0, count: rows * columns * components)
    for i in out.indices {
      let (x, y) = (i / components % columns, i / components / columns)
      var (code, size) = (UInt32(0), UInt32(0))
      let table = try #require(tables[i % components])
      var category: Int?
      while category == nil, size < 16 {
        code = code << 1 | bit()
        size += 1
        category = table[size << 16 | code]
      }
      let length = try #require(category)
      var difference = 0
      if length == 16 {
        difference = 32768
      } else if length > 0 {
        for _ in 0..<length { difference = difference << 1 | Int(bit()) }
        if difference >> (length - 1) == 0 { difference -= (1 << length) - 1 }
      }
      let left =
        x > 0
        ? out[i - components] : y > 0 ? out[i - columns * components] : 1 << UInt16(bits - 1)
      out[i] = UInt16(truncatingIfNeeded: Int(left) + difference)
    }
    if used > 0 { position += bytes[position] == 0xFF ? 2 : 1 }
    #expect(Array(bytes.suffix(from: position)) == [0xFF, 0xD9], "nothing is left over")
    return (out, bits)
  }

  @Test("gives every sample back", arguments: [1, 2, 3], [2, 8, 12, 14, 16])
  func roundTrip(components: Int, bits: Int) throws {
    let samples = (0..<(7 * 9 * components)).map { i in
      UInt16(IntegerNoise.bits(UInt64(i), seed: 5) & ((1 << UInt64(bits)) - 1))
    }
    let jpeg = LosslessJPEG(columns: 7, rows: 9, components: components, bits: bits)
    let back = try Self.decode(jpeg.encode(samples, stride: 7 * components))
    #expect(back.samples == samples)
    #expect(back.bits == bits)
  }

  @Test("stores a difference of 32768 in category 16")
  func largestDifference() throws {
    let samples: [UInt16] = [0, 32768, 0, 65535, 32767, 1, 32769, 0]
    let jpeg = LosslessJPEG(columns: 8, rows: 1, components: 1, bits: 16)
    #expect(try Self.decode(jpeg.encode(samples, stride: 8)).samples == samples)
  }

  @Test("stores a picture of one value")
  func flat() throws {
    let samples = [UInt16](repeating: 8192, count: 64)
    let jpeg = LosslessJPEG(columns: 8, rows: 8, components: 1, bits: 14)
    let bytes = jpeg.encode(samples, stride: 8)
    #expect(try Self.decode(bytes).samples == samples)
    #expect(bytes.count < 80)
  }
}

@Suite("Huffman tables")
struct HuffmanTableTests {
  @Test("stay within 16 bits and leave the code of ones free, whatever the counts")
  func limits() {
    var fibonacci = [1, 1]
    while fibonacci.count < 17 {
      fibonacci.append(fibonacci[fibonacci.count - 1] + fibonacci[fibonacci.count - 2])
    }
    let single = [0, 0, 9] + [Int](repeating: 0, count: 14)
    for counts in [fibonacci, fibonacci.reversed(), [Int](repeating: 3, count: 17), single] {
      let table = HuffmanTable(counts: counts)
      var kraft = 0.0
      for (symbol, count) in counts.enumerated() where count > 0 {
        let bits = table.bits[symbol]
        #expect((1...16).contains(bits))
        #expect(table.codes[symbol] != (1 << bits) - 1)
        kraft += 1 / Double(1 << bits)
      }
      #expect(kraft < 1)
      #expect(table.lengths.reduce(0) { $0 + Int($1) } == table.symbols.count)
    }
  }
}

import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode

@Suite struct DNGGainTableMapTests {
  private func bytes(
    _ rows: UInt32, _ columns: UInt32, _ points: UInt32, tail: [UInt32], gains: [UInt8]
  ) -> [UInt8] {
    func little(_ value: UInt64, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var out = little(UInt64(rows), 4) + little(UInt64(columns), 4)
    for value in [0.5, 0.25, 0.125, 0.0625] { out += little(value.bitPattern, 8) }
    out += little(UInt64(points), 4)
    for value: Float in [0.1, 0.2, 0.3, 0.4, 0.5] { out += little(UInt64(value.bitPattern), 4) }
    for value in tail { out += little(UInt64(value), 4) }
    return out + gains
  }

  private func map(_ tag: UInt16, _ bytes: [UInt8]) throws -> RawDecode.GainTableMap {
    var dng = AuxiliaryDNG()
    dng.fields[tag] = .undefined(bytes)
    let file = try RawFile.open(bytes: dng.bytes())
    #expect(file.storedGainTableMaps.first?.version == (tag == 52544 ? 2 : 1))
    return try #require(file.info.profiles[0].gainTableMap)
  }

  private func floats(_ values: [Float]) -> [UInt8] {
    values.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
    }
  }

  @Test func firstVersionHoldsFloats() throws {
    let gains: [Float] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    let map = try map(52525, bytes(2, 3, 2, tail: [], gains: floats(gains)))
    #expect(map.rows == 2 && map.columns == 3 && map.points == 2 && map.gamma == 1)
    #expect(map.spacing == SIMD2(0.25, 0.5) && map.origin == SIMD2(0.0625, 0.125))
    #expect(map.weights == [0.1, 0.2, 0.3, 0.4, 0.5] && map.gains == gains)
  }

  @Test func secondVersionSpreadsIntegersOverItsRange() throws {
    let tail: [UInt32] = [0, Float(2).bitPattern, Float(0.5).bitPattern, Float(4.5).bitPattern]
    let small = try map(52544, bytes(1, 1, 3, tail: tail, gains: [0, 51, 255]))
    #expect(small.gamma == 2 && small.spacing == SIMD2(1, 1) && small.origin == SIMD2(0, 0))
    #expect(zip(small.gains, [0.5, 1.3, 4.5]).allSatisfy { abs($0 - $1) < 1e-6 })
    var wide = tail
    wide[0] = 1
    let words = try map(52544, bytes(1, 1, 2, tail: wide, gains: [0, 0, 0xFF, 0xFF]))
    #expect(words.gains == [0.5, 4.5])
    let half: [UInt32] = [2, Float(1).bitPattern, 0, 0]
    #expect(try map(52544, bytes(1, 1, 1, tail: half, gains: [0, 0x3E])).gains == [1.5])
  }

  @Test func impossibleMapsAreAnError() {
    let tail: [UInt32] = [9, 0, 0, 0]
    let cases: [(UInt16, [UInt8])] = [
      (52525, bytes(.max, .max, .max, tail: [], gains: floats([1]))),
      (52525, bytes(1, 1, 2, tail: [], gains: floats([1]))),
      (52525, bytes(0, 1, 1, tail: [], gains: floats([1]))), (52525, [1, 2, 3]),
      (52544, bytes(1, 1, 1, tail: tail, gains: [0])),
    ]
    for (tag, bytes) in cases {
      #expect(throws: RAWError.self) {
        var dng = AuxiliaryDNG()
        dng.fields[tag] = .undefined(bytes)
        _ = try RawFile.open(bytes: dng.bytes())
      }
    }
  }
}

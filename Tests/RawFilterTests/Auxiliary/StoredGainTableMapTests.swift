import SyntheticRaw
import Testing

@testable import RawFilter

@Suite struct StoredGainTableMapTests {
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

  private func map(_ tag: UInt16, _ bytes: [UInt8]) throws -> StoredGainTableMap? {
    var dng = AuxiliaryDNG()
    dng.fields[tag] = .undefined(bytes)
    return try dng.filter().storedGainTableMaps.first
  }

  private func floats(_ values: [Float]) -> [UInt8] {
    values.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
    }
  }

  @Test func firstVersionHoldsFloats() throws {
    let gains: [Float] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    let map = try #require(try map(52525, bytes(2, 3, 2, tail: [], gains: floats(gains))))
    #expect(map.version == 1 && map.rows == 2 && map.columns == 3 && map.points == 2)
    #expect(map.spacing == [0.5, 0.25] && map.origin == [0.125, 0.0625] && map.gamma == 1)
    #expect(map.weights == [0.1, 0.2, 0.3, 0.4, 0.5] && !map.bigEndian)
    #expect(map.gains == [[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]])
  }

  @Test func secondVersionSpreadsIntegersOverItsRange() throws {
    let tail: [UInt32] = [0, Float(2).bitPattern, Float(0.5).bitPattern, Float(4.5).bitPattern]
    let map = try #require(try map(52544, bytes(1, 1, 3, tail: tail, gains: [0, 51, 255])))
    #expect(map.version == 2 && map.gamma == 2)
    #expect(zip(map.gains[0][0], [0.5, 1.3, 4.5]).allSatisfy { abs($0 - $1) < 1e-6 })
    let half: [UInt32] = [2, Float(1).bitPattern, 0, 0]
    #expect(try self.map(52544, bytes(1, 1, 1, tail: half, gains: [0, 0x3E]))?.gains == [[[1.5]]])
  }

  @Test func sizesBeyondTheTagAreNoMap() throws {
    #expect(try map(52525, bytes(.max, .max, .max, tail: [], gains: floats([1]))) == nil)
    #expect(try map(52525, bytes(1, 1, 2, tail: [], gains: floats([1]))) == nil)
    #expect(try map(52525, bytes(0, 1, 1, tail: [], gains: floats([1]))) == nil)
    #expect(try map(52525, [1, 2, 3]) == nil)
    let tail: [UInt32] = [9, 0, 0, 0]
    #expect(try map(52544, bytes(1, 1, 1, tail: tail, gains: [0])) == nil)
  }
}

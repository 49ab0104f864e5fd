import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct HueSatTableTests {
  static func table(
    _ hues: Int, _ saturations: Int, _ values: Int, isEncoded: Bool = false,
    _ entry: (_ v: Int, _ h: Int, _ s: Int) -> SIMD3<Float>
  ) throws -> HueSatTable {
    var entries: [SIMD3<Float>] = []
    for v in 0..<values {
      for h in 0..<hues { for s in 0..<saturations { entries.append(entry(v, h, s)) } }
    }
    return try #require(
      HueSatTable(
        hues: hues, saturations: saturations, values: values, isEncoded: isEncoded,
        entries: entries))
  }

  static func mapped(
    _ rgb: SIMD3<Float>, _ table: HueSatTable, isHighRange: Bool = false, scale: Float = 1
  ) throws -> SIMD3<Float> {
    let mapping = try #require(HueSatMapping(table, isHighRange: isHighRange))
    let buffer = try PlanarBuffer(size: PixelSize(width: 8, height: 1))
    for x in 0..<8 { for c in 0..<3 { buffer.row(c, 0)[x] = rgb[c] } }
    mapping.apply(buffer.rows(0).prefix(3), scale: scale)
    return SIMD3(buffer.row(0, 0)[2], buffer.row(1, 0)[2], buffer.row(2, 0)[2])
  }

  static func isNear(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ tolerance: Float = 2e-6) -> Bool {
    let d = a - b
    return max(abs(d.x), abs(d.y), abs(d.z)) < tolerance
  }

  /// All hues by 120°: red becomes green, green blue, blue red.
  @Test func hueTurns() throws {
    let table = try Self.table(1, 2, 1) { _, _, _ in SIMD3(120, 1, 1) }
    #expect(Self.isNear(try Self.mapped(SIMD3(0.5, 0.2, 0.1), table), SIMD3(0.1, 0.5, 0.2)))
    #expect(Self.isNear(try Self.mapped(SIMD3(0.1, 0.2, 0.5), table), SIMD3(0.5, 0.1, 0.2)))
    let back = try Self.table(1, 2, 1) { _, _, _ in SIMD3(-120, 1, 1) }
    #expect(Self.isNear(try Self.mapped(SIMD3(0.5, 0.2, 0.1), back), SIMD3(0.2, 0.1, 0.5)))
    #expect(Self.isNear(try Self.mapped(SIMD3(0.3, 0.3, 0.3), back), SIMD3(0.3, 0.3, 0.3)))
  }

  /// S = 0.8 becomes 0.4, V = 0.5 becomes 1; above 1 it is the same.
  @Test func saturationAndValueScale() throws {
    let table = try Self.table(1, 2, 1) { _, _, _ in SIMD3(0, 0.5, 2) }
    #expect(Self.isNear(try Self.mapped(SIMD3(0.5, 0.1, 0.1), table), SIMD3(1, 0.6, 0.6)))
    #expect(Self.isNear(try Self.mapped(SIMD3(20, 4, 4), table), SIMD3(40, 24, 24), 1e-4))
    let strong = try Self.table(1, 2, 1) { _, _, _ in SIMD3(0, 5, 1) }
    #expect(Self.isNear(try Self.mapped(SIMD3(0.5, 0.1, 0.1), strong), SIMD3(0.5, 0, 0)))
    #expect(
      Self.isNear(try Self.mapped(SIMD3(0.5, 0.1, 0.1), strong, scale: 3), SIMD3(1.5, 0, 0)))
  }

  /// Six hues: between the last (magenta) and the first (red) the index wraps. S = 0.5 of three
  /// divisions is the middle one.
  @Test func indicesInterpolateAndWrap() throws {
    let table = try Self.table(6, 3, 1) { _, h, s in SIMD3(0, 1, h == 0 && s == 1 ? 2 : 1) }
    // Hue 0 exactly, S = 0.5; hue 5.5; hue 0.5; S = 0.75.
    #expect(Self.isNear(try Self.mapped(SIMD3(0.4, 0.2, 0.2), table), SIMD3(0.8, 0.4, 0.4)))
    #expect(Self.isNear(try Self.mapped(SIMD3(0.4, 0.2, 0.3), table), SIMD3(0.6, 0.3, 0.45)))
    #expect(Self.isNear(try Self.mapped(SIMD3(0.4, 0.3, 0.2), table), SIMD3(0.6, 0.45, 0.3)))
    #expect(Self.isNear(try Self.mapped(SIMD3(0.4, 0.1, 0.1), table), SIMD3(0.6, 0.15, 0.15)))
  }

  /// Value divisions: V = 0.25 of two divisions takes a quarter of the upper entry; over 1 the
  /// index ends and the linear value does not.
  @Test func valueIsIndexed() throws {
    let table = try Self.table(1, 2, 2) { v, _, _ in SIMD3(0, 1, v == 0 ? 1 : 3) }
    #expect(Self.isNear(try Self.mapped(SIMD3(repeating: 0.25), table), SIMD3(repeating: 0.375)))
    #expect(Self.isNear(try Self.mapped(SIMD3(repeating: 4), table), SIMD3(repeating: 12)))
    // Encoding 1: V = 0.25 has the signal s, which is indexed and scaled.
    let encoded = try Self.table(1, 2, 2, isEncoded: true) { v, _, _ in
      SIMD3(0, 1, v == 0 ? 1 : 1.2)
    }
    let s = SRGB.signal(linear: 0.25)
    let expected = Float(SRGB.linear(signal: s * (1 + 0.2 * s)))
    #expect(
      Self.isNear(try Self.mapped(SIMD3(repeating: 0.25), encoded), SIMD3(repeating: expected)))
    // In HDR V is f(V) and comes back by f⁻¹.
    func f(_ x: Double) -> Double { x * (256 + x) / (256 * (1 + x)) }
    let y = f(2) * (1 + 0.1 * f(2))
    let value = Float(16 * (8 * y - 8 + (64 * y * y - 127 * y + 64).squareRoot()))
    let high = try Self.table(1, 2, 2) { v, _, _ in SIMD3(0, 1, v == 0 ? 1 : 1.1) }
    let result = try Self.mapped(SIMD3(repeating: 2), high, isHighRange: true)
    #expect(Self.isNear(result, SIMD3(repeating: value), 1e-5))
  }

  @Test func lightBelowZeroComesBack() throws {
    let table = try Self.table(1, 2, 1) { _, _, _ in SIMD3(0, 1, 2) }
    let result = try Self.mapped(SIMD3(0.5, 0.2, -0.1), table)
    #expect(Self.isNear(result, SIMD3(1, 0.4, -0.1)))
    #expect(Self.isNear(try Self.mapped(SIMD3(-0.5, -0.2, -0.1), table), SIMD3(-0.5, -0.2, -0.1)))
  }

  @Test func neutralTablesAreNone() throws {
    let table = try Self.table(4, 3, 2) { _, _, _ in SIMD3(0, 1, 1) }
    #expect(table.isNeutral)
    #expect(HueSatMapping(table, isHighRange: false) == nil)
    #expect(HueSatMapping(nil, isHighRange: false) == nil)
  }

  @Test func tablesOfCalibrationsMix() throws {
    let a = try Self.table(1, 2, 1) { _, _, _ in SIMD3(10, 1, 1) }
    let b = try Self.table(1, 2, 1) { _, _, _ in SIMD3(30, 2, 1) }
    let mixed = try #require(HueSatTable.mixed([a, b, nil], weights: [0.25, 0.75]))
    #expect(mixed.entries[0] == SIMD3(25, 1.75, 1))
    #expect(HueSatTable.mixed([a, b], weights: [0, 1]) == b)
    #expect(HueSatTable.mixed([nil, b], weights: [1, 0]) == b, "one alone is always used")
    #expect(HueSatTable.mixed([nil, nil, nil], weights: [1]) == nil)
    let other = try Self.table(2, 2, 1) { _, _, _ in SIMD3(30, 2, 1) }
    #expect(HueSatTable.mixed([a, other], weights: [0.5, 0.5]) == a)
  }

  /// Damaged tables are left out, and a note names the tag; absurd sizes allocate nothing.
  @Test func damageIsNamed() throws {
    let entry: [Float] = [0, 1, 1]
    let good = Array([entry, entry, entry, entry].joined())
    let cases: [(dims: [Int], data: [Float])] = [
      ([2, 2, 2], good), ([0, 2, 1], good), ([2, 1, 1], Array(good.prefix(6))),
      ([1 << 20, 1 << 20, 1 << 20], good), ([65536, 65536, 1], good),
      ([2, 2], Array(good.dropLast())),
      ([2, 2, 1], good.map { $0 == 0 ? .nan : $0 }), ([4], good),
      ([2, 2, 1], good.dropLast() + [.nan]), ([2, 2, 1], good.dropLast() + [65_537]),
      ([2, 2, 1], good.map { $0 == 0 ? -1e38 : $0 }),
    ]
    for (dims, data) in cases {
      for (size, table, name) in [
        (UInt16(50937), UInt16(50938), "ProfileHueSatMapData"),
        (50981, 50982, "ProfileLookTableData"),
      ] {
        var dng = TinyDNG()
        dng.fields = [size: .longs(dims), table: .floats(data)]
        let filter = try RAWFilter(data: dng.data)
        #expect(filter.profiles[0].hueSatMap.isEmpty && filter.profiles[0].lookTable.isEmpty)
        #expect(filter.file.info.warnings.contains { $0.contains(name) }, "\(dims)")
      }
    }
    var dng = TinyDNG()
    dng.fields = [50937: .longs([2, 2]), 50938: .floats(good)]
    #expect(try RAWFilter(data: dng.data).profiles[0].hueSatMap == [2, 2, 1])
  }
}

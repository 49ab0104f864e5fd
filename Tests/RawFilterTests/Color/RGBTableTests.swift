import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct RGBTableTests {
  /// RGBTables as the tag stores them: one cube of floats, entries by `color` of their position in
  /// 0…1.
  static func tag(
    count: UInt32 = 1, method: UInt32 = 0, name: String = "", side: UInt8 = 3, kind: UInt8 = 2,
    gamma: UInt8 = 0, space: UInt8 = 4, extends: UInt8 = 1,
    _ color: @escaping @Sendable (SIMD3<Float>) -> SIMD3<Float>
  ) -> TinyDNG.Value {
    .undefined { big in
      var out = TinyDNG.number(count, big) + TinyDNG.number(method, big)
      out += TinyDNG.number(UInt16(name.utf8.count), big) + Array(name.utf8)
      out += [side, kind, gamma, space, extends]
      let top = Float(max(Int(side) - 1, 1))
      for r in 0..<side {
        for g in 0..<side {
          for b in 0..<side {
            let v = color(SIMD3(Float(r), Float(g), Float(b)) / top)
            for c in 0..<3 {
              switch kind {
              case 0: out.append(UInt8((v[c] * 255).rounded()))
              case 1: out += TinyDNG.number(UInt16((v[c] * 65535).rounded()), big)
              default: out += TinyDNG.number(v[c].bitPattern, big)
              }
            }
          }
        }
      }
      return out
    }
  }

  static func table(_ value: TinyDNG.Value, bigEndian: Bool = false) throws -> RGBTable {
    var dng = TinyDNG(bigEndian: bigEndian)
    dng.fields[52543] = value
    return try #require(try RAWFilter(data: dng.data).activeProfile?.rgbTables?.background)
  }

  static func mapped(
    _ rgb: SIMD3<Float>, _ table: RGBTable, isHighRange: Bool = false
  ) throws -> SIMD3<Float> {
    let buffer = try PlanarBuffer(size: PixelSize(width: 8, height: 1))
    for x in 0..<8 { for c in 0..<3 { buffer.row(c, 0)[x] = rgb[c] } }
    RGBTableMapping(table, isHighRange: isHighRange).apply(buffer.rows(0).prefix(5))
    return SIMD3(buffer.row(0, 0)[4], buffer.row(1, 0)[4], buffer.row(2, 0)[4])
  }

  /// An identity cube changes nothing in any space, on any curve, in any kind of numbers, below
  /// zero and above one.
  @Test func theIdentityIsOneEverywhere() throws {
    for space: UInt8 in 0...4 {
      for gamma: UInt8 in 0...4 {
        for kind: UInt8 in 0...2 {
          let table = try Self.table(
            Self.tag(side: 2, kind: kind, gamma: gamma, space: space) { $0 },
            bigEndian: kind == 1)
          for rgb: SIMD3<Float> in [[0.2, 0.5, 0.7], [0.9, 0.01, 0.3], [1.5, 0.2, -0.1]] {
            let out = try Self.mapped(rgb, table)
            #expect(HueSatTableTests.isNear(out, rgb, 3e-4), "\(space) \(gamma) \(kind) \(out)")
          }
          let high = try Self.mapped([5, 3, 20], table, isHighRange: true)
          #expect(HueSatTableTests.isNear(high / 20, [0.25, 0.15, 1], 2e-3), "\(high)")
        }
      }
    }
  }

  /// Tetrahedral: a linear cube is exact; the product r·g of a cube of side 2 at (0.75, 0.5, 0.2)
  /// lies on the diagonal path to 0.5.
  @Test func placesInterpolateOnTetrahedra() throws {
    let swap = try Self.table(Self.tag(side: 5) { SIMD3($0.z, $0.x, $0.y) })
    #expect(
      try HueSatTableTests.isNear(Self.mapped([0.3, 0.9, 0.61], swap), [0.61, 0.3, 0.9], 1e-6))
    let product = try Self.table(Self.tag(side: 2) { SIMD3(repeating: $0.x * $0.y) })
    #expect(try abs(Self.mapped([0.75, 0.5, 0.2], product).x - 0.5) < 1e-6)
  }

  @Test func theGammasAreWhatTheyAreCalled() {
    for gamma in [RGBTable.Gamma.linear, .srgb, .power18, .power22, .bt2020] {
      #expect(abs(gamma.signal(1) - 1) < 1e-9 && abs(gamma.signal(0)) < 1e-12)
      for x in [0.0001, 0.0008, 0.0009, 0.003, 0.004, 0.02, 0.2, 0.9] {
        #expect(abs(gamma.linearValue(gamma.signal(x)) - x) < 1e-9)
      }
    }
    #expect(abs(RGBTable.Gamma.power18.signal(0.5) - pow(0.5, 1 / 1.8)) < 1e-12)
    #expect(abs(RGBTable.Gamma.power22.signal(0.5) - pow(0.5, 1 / 2.2)) < 1e-12)
  }

  @Test func damageIsNamed() throws {
    let values = [
      Self.tag(count: 0) { $0 }, Self.tag(count: 21) { $0 }, Self.tag(count: 2) { $0 },
      Self.tag(method: 2) { $0 }, Self.tag(side: 1) { $0 }, Self.tag(side: 33) { $0 },
      Self.tag(gamma: 5) { $0 }, Self.tag(space: 5) { $0 }, Self.tag(extends: 2) { $0 },
      Self.tag { _ in SIMD3(repeating: .nan) },
    ]
    for value in values {
      var dng = TinyDNG()
      dng.fields[52543] = value
      let filter = try RAWFilter(data: dng.data)
      #expect(filter.activeProfile?.rgbTables == nil)
      #expect(filter.file.info.warnings.contains { $0.contains("RGBTables") })
    }
  }

  @Test func tablesOfMasksAreNamedAndLeftOut() throws {
    var dng = TinyDNG()
    dng.fields[52543] = Self.tag(name: "sky") { _ in SIMD3(0, 0, 0) }
    let filter = try RAWFilter(data: dng.data)
    #expect(filter.warnings.contains { $0.contains("sky") })
    #expect(filter.activeProfile?.rgbTables?.background == nil)
    #expect(filter.profiles[0].rgbTables == 1)
    #expect(try filter.scenePipeline().profileColor == nil)
  }

  /// As many as there are profiles, each of 64 KiB.
  @Test func manyAndLongNamesOfMasksAreCut() throws {
    var dng = TinyDNG()
    dng.profiles = (10..<50).map { number in
      let name = "mask \(number) " + String(repeating: "x", count: 60_000)
      var fields = TinyDNG.colors
      fields[52543] = Self.tag(name: name, side: 2) { $0 }
      return (bigEndian: false, fields: fields)
    }
    let filter = try RAWFilter(data: dng.data)
    let warning = try #require(filter.warnings.first { $0.contains("semantic masks") })
    #expect(warning.contains("mask 10 x") && warning.hasSuffix(" and 34 more"))
    #expect(warning.utf8.count < 2000)
  }
}

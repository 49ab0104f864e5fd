import Foundation
import ImageCore
import TestSupport
import Testing

@testable import HDRRender

@Suite struct ColorLookupTests {
  /// A cube of `side` a side of what `look` makes of signals.
  static func cube(
    _ side: Int, first: SIMD3<Float> = SIMD3(0, 0, 0), last: SIMD3<Float> = SIMD3(1, 1, 1),
    _ look: (SIMD3<Float>) -> SIMD3<Float>
  ) throws -> ColorLookup {
    var values: [Float] = []
    let scale = 1 / Float(side - 1)
    for blue in 0..<side {
      for green in 0..<side {
        for red in 0..<side {
          let at = SIMD3(Float(red), Float(green), Float(blue)) * scale
          let out = look(first + (last - first) * at)
          values += [out.x, out.y, out.z]
        }
      }
    }
    return try #require(
      ColorLookup(side: side, isCube: true, values: values, first: first, last: last))
  }

  static func curves(_ side: Int, _ look: (SIMD3<Float>) -> SIMD3<Float>) throws -> ColorLookup {
    let values = (0..<side).flatMap { index -> [Float] in
      let out = look(SIMD3(repeating: Float(index) / Float(side - 1)))
      return [out.x, out.y, out.z]
    }
    return try #require(ColorLookup(side: side, isCube: false, values: values))
  }

  static func changed(
    _ color: SIMD3<Float>, _ table: ColorLookup, _ space: LookSpace = .srgb, amount: Float = 1,
    ceiling: Float = 20
  ) -> SIMD3<Float> {
    let look = DisplayLook.Lookup(table, space: space, amount: amount)
    let table = LookTable(look, toBT2020: .identity, ceiling: ceiling)
    return OneColorRow.run(color) { table.apply($0) }
  }

  static func difference(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
    max(abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z))
  }

  /// Grays, colors inside and outside sRGB, above white and below black.
  static let colors: [SIMD3<Float>] = [
    SIMD3(0.18, 0.18, 0.18), SIMD3(0.001, 0.001, 0.001), SIMD3(0.5, 0.3, 0.2), SIMD3(1, 1, 1),
    SIMD3(0.05, 0.6, 0.1), SIMD3(4, 2, 1), SIMD3(0, 0, 0), SIMD3(0.02, -0.004, 0.01),
  ]

  @Test func tablesAreChecked() {
    #expect(ColorLookup(side: 1, isCube: false, values: [0, 0, 0]) == nil)
    #expect(ColorLookup(side: 2, isCube: true, values: [0, 0, 0]) == nil)
    #expect(ColorLookup(side: 2, isCube: false, values: [0, 0, .nan, 1, 1, 1]) == nil)
    #expect(
      ColorLookup(
        side: 2, isCube: false, values: [0, 0, 0, 1, 1, 1], first: SIMD3(0, 0, 1)) == nil)
  }

  @Test(arguments: LookSpace.allCases) func identityKeepsColors(space: LookSpace) throws {
    for table in [try Self.cube(17) { $0 }, try Self.curves(1024) { $0 }] {
      for color in Self.colors {
        let out = Self.changed(color, table, space)
        #expect(Self.difference(out, color) < 2e-4 * max(color.max(), 0.05), "\(color) in \(space)")
      }
    }
  }

  @Test(arguments: LookSpace.allCases) func amountMixes(space: LookSpace) throws {
    let table = try Self.cube(9) { SIMD3($0.y, $0.z, $0.x) }
    for color in Self.colors {
      let full = Self.changed(color, table, space)
      let half = Self.changed(color, table, space, amount: 0.5)
      #expect(Self.difference(half, (full + color) / 2) < 1e-5 * max(color.max(), 1))
    }
  }

  /// What a table says of a gray signal is what comes out.
  @Test(arguments: LookSpace.allCases) func signalsAreThoseOfTheSpace(space: LookSpace) throws {
    let table = try Self.curves(4096) { $0 * $0 }
    for signal in [0.1, 0.3, 0.5, 0.7] {
      let (from, to) = (
        space.fraction(signal) * space.peak, space.fraction(signal * signal) * space.peak
      )
      let out = Self.changed(SIMD3(repeating: Float(from)), table, space)
      #expect(abs(Double(out.y) - to) < 1e-3 * max(to, 1e-3), "\(space) at \(signal)")
    }
  }

  /// Tetrahedral: along the gray axis only grays of the table count.
  @Test func graysStayGray() throws {
    let table = try Self.cube(5) { color in
      let spread = color.max() - color.min()
      return color + SIMD3(spread, -spread, 0) * 0.3
    }
    for gray: Float in [0.01, 0.1, 0.37, 0.82, 3] {
      let out = Self.changed(SIMD3(repeating: gray), table)
      #expect(out.max() - out.min() < 1e-5 * gray)
    }
  }

  /// Above white a color of SDR's table has the change of its chromaticity at white.
  @Test func headroomKeepsItsColor() throws {
    let table = try Self.cube(9) { SIMD3($0.x * 0.8, $0.y, $0.z * $0.z) }
    let color = SIMD3<Float>(1, 0.7, 0.4)
    let white = Self.changed(color, table)
    for gain: Float in [1.5, 4, 12] {
      #expect(Self.difference(Self.changed(color * gain, table), white * gain) < 1e-4 * gain)
    }
    let before = Self.changed(color * 0.999, table)
    #expect(Self.difference(before, white) < 0.01)
    // And nothing leaves it.
    let bright = try Self.cube(3) { _ in SIMD3(1, 1, 1) }
    for ceiling: Float in [1, 5] {
      let out = Self.changed(SIMD3(repeating: ceiling), bright, ceiling: ceiling)
      #expect(out.max() <= ceiling * 1.000001)
      #expect(Self.changed(SIMD3(ceiling, 0, 0), bright, .pq, ceiling: ceiling).max() <= ceiling)
    }
  }

  @Test func domainsAreTheirs() throws {
    let table = try Self.cube(3, first: SIMD3(0.25, 0.25, 0.25), last: SIMD3(0.75, 0.75, 0.75)) {
      $0
    }
    let gray = Float(SRGB.linear(signal: 0.6))
    #expect(abs(Self.changed(SIMD3(repeating: gray), table).x - gray) < 1e-4)
    let dark = Self.changed(SIMD3(repeating: Float(SRGB.linear(signal: 0.1))), table)
    #expect(abs(Double(dark.x) - SRGB.linear(signal: 0.25)) < 1e-4)
  }

  @Test func whatIsNoColorDoesNoHarm() throws {
    let table = try Self.cube(3) { $0 * 0.9 + SIMD3(0.05, 0, 0) }
    for space in LookSpace.allCases {
      for color: SIMD3<Float> in [
        SIMD3(.nan, 1, 0), SIMD3(-1, -0.2, -3), SIMD3(1e30, -1e30, .infinity), SIMD3(0, 0, 2e-38),
      ] {
        let out = Self.changed(color, table, space)
        #expect(out.x.isFinite && out.y.isFinite && out.z.isFinite, "\(color)")
      }
    }
  }
}

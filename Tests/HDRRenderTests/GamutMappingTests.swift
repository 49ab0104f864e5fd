import ImageCore
import TestSupport
import Testing

@testable import HDRRender

@Suite struct GamutMappingTests {
  static func map(_ color: SIMD3<Float>, headroom: Float = 1) -> SIMD3<Float> {
    let mapping = GamutMapping(primaries: .bt2020, headroom: headroom)
    return OneColorRow.run(color) { mapping.apply($0) }
  }

  /// Colors over a coarse lattice that reaches outside the gamut on every side.
  static let lattice: [SIMD3<Float>] = {
    let steps = stride(from: Float(-0.3), through: 1.5, by: 0.15).map { $0 }
    return steps.flatMap { r in steps.flatMap { g in steps.map { b in SIMD3(r, g, b) } } }
  }()

  @Test func insideStaysBitForBit() {
    for c in Self.lattice where c.min() >= 0.15 * c.max() && c.max() <= 1 && c.min() >= 0 {
      #expect(Self.map(c) == c)
    }
  }

  @Test func everythingEndsInside() {
    for headroom in [Float(1), 1.3] {
      for c in Self.lattice {
        let m = Self.map(c, headroom: headroom)
        #expect(m.min() >= 0 && m.max() <= headroom, "\(c) became \(m)")
      }
    }
  }

  @Test func luminanceStays() {
    let w = SIMD3<Float>(Primaries.bt2020.luminance)
    for c in Self.lattice where c.max() > 0 {
      let y = (c * w).sum()
      guard y > 0.3 * c.max(), y <= 1 else { continue }
      #expect(abs((Self.map(c) * w).sum() - y) < 2e-5 * max(1, c.max()))
    }
  }

  @Test func isContinuousAcrossTheSurface() {
    // From inside to far outside: no step anywhere.
    var last = Self.map(SIMD3(0.8, 0.4, 0.1))
    for i in 0...2000 {
      let m = Self.map(SIMD3(0.8, 0.4, 0.1 - Float(i) * 0.0005))
      #expect(abs(m.x - last.x) + abs(m.y - last.y) + abs(m.z - last.z) < 0.003)
      last = m
    }
  }

  @Test func blackStaysBlackAndBlueDoesNotTurnBlack() {
    #expect(Self.map(SIMD3(0, 0, 0)) == SIMD3(0, 0, 0))
    #expect(Self.map(SIMD3(-0.2, -0.1, -0.3)) == SIMD3(0, 0, 0))
    #expect(Self.map(SIMD3(-0.2, -0.05, 0.5)).z > 0.2)
  }
}

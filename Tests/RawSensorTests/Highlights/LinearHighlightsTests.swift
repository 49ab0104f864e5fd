import ImageCore
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct LinearHighlightsTests {
  static let stage = LinearHighlights(clip: SIMD4(2.2, 0.99, 1.8, 1), ceiling: 2.2)

  static func treated(_ rgb: SIMD3<Float>) throws -> SIMD3<Float> {
    let buffer = try PlanarBuffer(size: PixelSize(width: 8, height: 1))
    for c in 0..<3 { for x in 0..<8 { buffer.row(c, 0)[x] = rgb[c] } }
    stage.apply(buffer.rows(0))
    return SIMD3(buffer.row(0, 0)[5], buffer.row(1, 0)[5], buffer.row(2, 0)[5])
  }

  @Test func belowSaturationNothingChanges() throws {
    for rgb in [SIMD3<Float>(0.5, 0.5, 0.5), SIMD3(2.1, 0.9, 0.1), SIMD3(-0.1, 0, 0.3)] {
      #expect(try Self.treated(rgb) == rgb)
    }
  }

  @Test func saturatedGreenFollowsTheOthers() throws {
    let rgb = try Self.treated(SIMD3(1.6, 1, 1.5))
    #expect(rgb.x == 1.6 && rgb.z == 1.5 && abs(rgb.y - 1.55) < 0.01)
    // A color whose other channels are darker keeps its green.
    #expect(try Self.treated(SIMD3(0.3, 1, 0.2)) == SIMD3(0.3, 1, 0.2))
  }

  @Test func allSaturatedEndsNeutral() throws {
    let rgb = try Self.treated(SIMD3(2.25, 1, 1.83))
    #expect(rgb.max() - rgb.min() < 0.06 && rgb.max() <= 2.25)
  }

  @Test func risesWithoutSteps() throws {
    // A neutral from dark to far above saturation, each channel clipped at its own level.
    var last = SIMD3<Float>()
    for step in 0...4000 {
      let level = Float(step) / 1000
      let rgb = try Self.treated(SIMD3(min(level, 2.23), min(level, 1), min(level, 1.83)))
      let change = rgb - last
      #expect(change.min() > -1e-4 && change.max() < 0.05, "\(level)")
      if level < 2.1 { #expect(rgb.max() / max(rgb.min(), 1e-6) < 1.06 || level < 0.01) }
      last = rgb
    }
  }
}

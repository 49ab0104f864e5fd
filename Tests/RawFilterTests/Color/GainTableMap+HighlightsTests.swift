import Foundation
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

/// Expansion of a map that compresses highlights.
@Suite struct GainTableMapHighlightsTests {
  /// Two cells, gains falling from 2 to 0.4, weights that add up to a half.
  static let map = GainTableMap(
    rows: 1, columns: 2, spacing: SIMD2(0.5, 1), origin: SIMD2(0.25, 0), points: 64,
    weights: [0.1, 0.2, 0.1, 0, 0.1], gamma: 1, gains: falling(by: 1.6) + falling(by: 1.2))

  static func falling(by drop: Float) -> [Float] {
    (0..<64).map { (point: Int) -> Float in 2 - Float(point) / 64 * drop }
  }

  func toned(_ map: GainTableMap, _ x: Float, _ u: Double) -> Float {
    x * map.gain(SIMD3(x, x, x), u: u, v: 0.5)
  }

  @Test func fractionZeroChangesNothing() {
    #expect(Self.map.expandingHighlights(.none) == Self.map)
    #expect(Self.map.expandingHighlights(HighlightExpansion(fraction: 0, knee: 0.3)) == Self.map)
    // A knee that is never reached.
    #expect(Self.map.expandingHighlights(HighlightExpansion(fraction: 1, knee: 100)) == Self.map)
  }

  @Test func belowTheKneeNothingChanges() {
    let open = Self.map.expandingHighlights(HighlightExpansion(fraction: 1, knee: 0.5))
    for u in [0.2, 0.5, 0.9] {
      for x in stride(from: Float(0.01), to: 0.2, by: 0.01) {
        #expect(toned(open, x, u) == toned(Self.map, x, u))
      }
    }
  }

  @Test func tonesRiseWithTheFractionAndTheInput() {
    for u in [0.25, 0.5, 0.75] {
      var last = [Float](repeating: 0, count: 300)
      for fraction: Float in [0, 0.3, 0.7, 1] {
        let map = Self.map.expandingHighlights(HighlightExpansion(fraction: fraction, knee: 0.5))
        let values = (0..<300).map { toned(map, Float($0) / 100, u) }
        #expect(zip(last, values).allSatisfy { $0 <= $1 + 1e-5 })
        if fraction == 1 { #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 + 1e-5 }) }
        last = values
      }
      // Fully expanded: values keep their ratios.
      let open = Self.map.expandingHighlights(HighlightExpansion(fraction: 1, knee: 0.5))
      #expect(abs(toned(open, 2.8, u) / toned(open, 1.4, u) - 2) < 0.02)
    }
  }
}

import Testing

@testable import HDRRender

@Suite struct ConstrainedHeadroomTests {
  @Test func documentedValues() {
    for (average, headroom) in [
      (0.18, 2.0), (0.045, 4), (0.36, 1.4142136), (0.001, 4), (5, 1.4142136),
    ] {
      #expect(abs(ConstrainedHeadroom.limit(averageLightLevel: average) - headroom) < 1e-6)
    }
    for unknown in [nil, 0, -1, Double.nan, .infinity] {
      #expect(ConstrainedHeadroom.limit(averageLightLevel: unknown) == 2)
    }
  }

  @Test func brighterPicturesKeepLess() {
    var last = 100.0
    for step in 1...400 {
      let limit = ConstrainedHeadroom.limit(averageLightLevel: Double(step) / 200)
      #expect(limit <= last && limit > 1)
      last = limit
    }
  }
}

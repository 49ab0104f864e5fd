import ImageCore
import TestSupport
import Testing

@testable import HDRRender

@Suite struct GamutCheckTests {
  @Test func widerPrimariesHoldNarrowerOnes() {
    let order = [Primaries.srgb, .displayP3, .bt2020]
    for (i, narrow) in order.enumerated() {
      for (j, wide) in order.enumerated() {
        for c in 0..<3 {
          var pure = SIMD3<Double>(0, 0, 0)
          pure[c] = 3
          // Display P3 red and blue lie on the edges of BT.2020 or a little outside: green decides.
          if c == 1 || i == j || (i == 0 && j == 2) {
            #expect(
              wide.hold(pure, of: narrow, tolerance: 2e-3) == (j >= i), "\(narrow) in \(wide), \(c)"
            )
          }
        }
        #expect(wide.hold(SIMD3(5, 5, 5), of: narrow))
      }
    }
  }

  @Test func fractionsAreCounted() throws {
    let picture = EditScene.picture(40, 600, primaries: .bt2020) { x, _ in
      x < 10 ? SIMD3(0, 1, 0) : SIMD3(repeating: 2)
    }
    for workers in [1, 3] {
      #expect(try picture.fraction(outside: .displayP3, workers: workers) == 0.25)
      #expect(try picture.fraction(outside: .bt2020, workers: workers) == 0)
    }
  }
}

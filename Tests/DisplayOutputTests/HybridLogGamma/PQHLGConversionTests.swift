import ImageCore
import Testing

@testable import DisplayOutput
@testable import HDRRender

@Suite struct PQHLGConversionTests {
  @Test func publishedValues() {
    for (pq, hlg) in [(0.580689, 0.749877), (0.508078, 0.629620), (0.380032, 0.378558)] {
      #expect(abs(PQHLGConversion.hlg(pq: SIMD3(repeating: pq)).y - hlg) < 2e-6)
      #expect(abs(PQHLGConversion.pq(hlg: SIMD3(repeating: hlg)).y - pq) < 2e-6)
    }
    #expect(abs(PQHLGConversion.hlg(pq: SIMD3(repeating: 0.751827)).x - 1) < 2e-6)
    #expect(abs(PQHLGConversion.hlg(pq: SIMD3(repeating: 1)).x - 1) < 1e-6)
  }

  @Test func colorsOfTheReferenceDisplayComeBack() {
    let steps = stride(from: 0.05, through: 0.95, by: 0.15).map { $0 }
    for r in steps {
      for g in steps {
        for b in steps {
          let hlg = SIMD3(r, g, b)
          let back = PQHLGConversion.hlg(pq: PQHLGConversion.pq(hlg: hlg)) - hlg
          #expect(max(back.max(), -back.min()) < 1e-6)
        }
      }
    }
  }

  @Test func graysRise() {
    var last = -1.0
    for step in 0...200 {
      let hlg = PQHLGConversion.hlg(pq: SIMD3(repeating: Double(step) / 200)).x
      #expect(hlg >= last)
      last = hlg
    }
  }
}

import ImageCore
import Testing

@Suite struct SmoothstepTests {
  @Test func risesFromZeroToOne() {
    #expect(smoothstep(-3.0) == 0 && smoothstep(0.0) == 0 && smoothstep(Float(0.5)) == 0.5)
    #expect(smoothstep(1.0) == 1 && smoothstep(7.0) == 1)
    let values = (0...100).map { smoothstep(Double($0) / 100) }
    #expect(values == values.sorted())
  }
}

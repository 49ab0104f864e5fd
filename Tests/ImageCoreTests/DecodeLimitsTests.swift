import Foundation
import ImageCore
import Testing

@Suite struct DecodeLimitsTests {
  @Test func memoryGivesBytesAndPixels() {
    let large = DecodeLimits(memoryBytes: 8 << 30)
    #expect(large.maxDecodeBytes == 6 << 30 && large.maxPixels == 1 << 29)
    let small = DecodeLimits(memoryBytes: 512 << 20)
    #expect(small.maxDecodeBytes == 384 << 20 && small.maxPixels == 1 << 26)
    // What does not depend on memory.
    for limits in [large, small] {
      #expect(limits.maxFileBytes == 4 << 30 && limits.maxSeconds == nil)
      #expect(limits.maxItems == 262_144 && limits.maxNesting == 64)
    }
    let none = DecodeLimits(memoryBytes: -1)
    #expect(none.maxDecodeBytes == 0 && none.maxPixels == 0)
    #expect(DecodeLimits(memoryBytes: .max).maxPixels == .max / 16)
  }

  /// The limits of this machine never exceed those for 8 GiB, nor its memory.
  @Test func defaultsAreThoseOfTheMachine() {
    let limits = DecodeLimits()
    #expect(limits == .standard && limits == DecodeLimits())
    #expect(limits.maxDecodeBytes <= 6 << 30 && limits.maxDecodeBytes < Machine.memoryBytes)
    #expect(limits == DecodeLimits(memoryBytes: min(Machine.memoryBytes, 8 << 30)))
    #expect(DecodeLimits(maxPixels: 7).maxPixels == 7)
    #expect(DecodeLimits(maxPixels: 7).maxItems == limits.maxItems)
  }

  @Test func codingKeepsThem() throws {
    for limits in [DecodeLimits(), DecodeLimits(maxItems: 3, maxSeconds: 0.5)] {
      let coded = try JSONEncoder().encode(limits)
      #expect(try JSONDecoder().decode(DecodeLimits.self, from: coded) == limits)
    }
  }
}

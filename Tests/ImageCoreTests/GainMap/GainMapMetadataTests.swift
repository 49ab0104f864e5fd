import Foundation
import TestSupport
import Testing

@testable import ImageCore

@Suite struct GainMapMetadataTests {
  @Test func refusesWhatHasNoMeaning() {
    #expect(throws: GainMapError.self) {
      try GainMapMetadata.Channel(minimumStops: 1, maximumStops: 0.5)
    }
    #expect(throws: GainMapError.self) { try GainMapMetadata.Channel(maximumStops: 1, gamma: 0) }
    #expect(throws: GainMapError.self) { try GainMapMetadata.Channel(maximumStops: 1, gamma: -1) }
    for bad in [Double.nan, .infinity, -.infinity] {
      #expect(throws: GainMapError.self) { try GainMapMetadata.Channel(maximumStops: bad) }
      #expect(throws: GainMapError.self) {
        try GainMapMetadata.Channel(maximumStops: 1, baseOffset: bad)
      }
      #expect(throws: GainMapError.self) { try GainMapMetadata.example(base: bad) }
    }
    #expect(throws: GainMapError.self) { try GainMapMetadata.example(alternate: -1) }
    #expect(throws: GainMapError.self) {
      let channel = try GainMapMetadata.Channel(maximumStops: 1)
      _ = try GainMapMetadata(channels: [channel, channel], alternateHeadroomStops: 1)
    }
  }

  @Test func refusesWhatFloatsCannotApply() throws {
    for (offset, isValid) in [(0.0, true), (-0.1, true), (16, true), (17, false), (-1e39, false)] {
      let base = try? GainMapMetadata.Channel(maximumStops: 1, baseOffset: offset)
      let alternate = try? GainMapMetadata.Channel(maximumStops: 1, alternateOffset: offset)
      #expect((base != nil) == isValid && (alternate != nil) == isValid)
    }
    for (gamma, isValid) in [(0x1p-10, true), (0x1p10, true), (1e-39, false), (1025, false)] {
      #expect(((try? GainMapMetadata.Channel(maximumStops: 1, gamma: gamma)) != nil) == isValid)
    }
    for (stops, isValid) in [(64.0, true), (65, false), (1e300, false)] {
      #expect(((try? GainMapMetadata.Channel(maximumStops: stops)) != nil) == isValid)
      let channel = try? GainMapMetadata.Channel(minimumStops: -stops, maximumStops: 0)
      #expect((channel != nil) == isValid)
      #expect(((try? GainMapMetadata.example(alternate: stops)) != nil) == isValid)
    }
  }

  @Test func weightGoesFromTheBaseToTheAlternate() throws {
    let forward = try GainMapMetadata.example()
    #expect([0.5, 1, 2, 4, 16].map { forward.weight(displayHeadroom: $0) } == [0, 0, 0.5, 1, 1])
    let backward = try GainMapMetadata.example(base: 2, alternate: 0)
    #expect(backward.isBaseHDR)
    #expect([1, 2, 4, 16].map { backward.weight(displayHeadroom: $0) } == [-1, -0.5, 0, 0])
    #expect(forward.weight(displayHeadroom: .nan) == 0)
    #expect(forward.weight(displayHeadroom: .infinity) == 1)
    #expect(try GainMapMetadata.example(base: 1, alternate: 1).weight(displayHeadroom: 8) == 0)
  }
}

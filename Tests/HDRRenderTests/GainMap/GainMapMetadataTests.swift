import Foundation
import Testing

@testable import HDRRender

@Suite struct GainMapMetadataTests {
  static func metadata(
    _ low: Double = 0, _ high: Double = 2, base: Double = 0, alternate: Double = 2
  ) throws -> GainMapMetadata {
    try GainMapMetadata(
      channels: [.init(minimumStops: low, maximumStops: high)], baseHeadroomStops: base,
      alternateHeadroomStops: alternate)
  }

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
      #expect(throws: GainMapError.self) { try Self.metadata(base: bad) }
    }
    #expect(throws: GainMapError.self) { try Self.metadata(alternate: -1) }
    #expect(throws: GainMapError.self) {
      let channel = try GainMapMetadata.Channel(maximumStops: 1)
      _ = try GainMapMetadata(channels: [channel, channel], alternateHeadroomStops: 1)
    }
  }

  @Test func weightGoesFromTheBaseToTheAlternate() throws {
    let forward = try Self.metadata()
    #expect([0.5, 1, 2, 4, 16].map { forward.weight(displayHeadroom: $0) } == [0, 0, 0.5, 1, 1])
    let backward = try Self.metadata(base: 2, alternate: 0)
    #expect(backward.isBaseHDR)
    #expect([1, 2, 4, 16].map { backward.weight(displayHeadroom: $0) } == [-1, -0.5, 0, 0])
    #expect(forward.weight(displayHeadroom: .nan) == 0)
    #expect(forward.weight(displayHeadroom: .infinity) == 1)
    #expect(try Self.metadata(base: 1, alternate: 1).weight(displayHeadroom: 8) == 0)
  }
}

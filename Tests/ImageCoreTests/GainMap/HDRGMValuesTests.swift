import Testing

@testable import ImageCore

@Suite struct HDRGMValuesTests {
  @Test func bothDirectionsComeBack() throws {
    let channels = try [1.0, 2, 3].map {
      try GainMapMetadata.Channel(
        minimumStops: -$0, maximumStops: $0, gamma: $0, baseOffset: $0 / 10,
        alternateOffset: $0 / 20)
    }
    for (base, alternate) in [(0.0, 3.0), (3, 0.5)] {
      for count in [1, 3] {
        let metadata = try GainMapMetadata(
          channels: Array(channels.prefix(count)), baseHeadroomStops: base,
          alternateHeadroomStops: alternate)
        let values = HDRGMValues(metadata)
        #expect(values.baseRenditionIsHDR == (base > alternate))
        #expect(values.offsetHDR[0] == (base > alternate ? 0.1 : 0.05))
        #expect(values.hdrCapacityMin < values.hdrCapacityMax)
        #expect(try GainMapMetadata(values) == metadata)
      }
    }
  }

  @Test func oneValueStandsForThreeChannels() throws {
    let metadata = try GainMapMetadata(
      HDRGMValues(gainMapMin: [0], gainMapMax: [1, 2, 3], hdrCapacityMax: 3))
    #expect(metadata.channels.map(\.maximumStops) == [1, 2, 3])
    #expect(metadata.channels.allSatisfy { $0.gamma == 1 && $0.baseOffset == 1.0 / 64 })
  }

  @Test func nonsenseIsRefused() {
    for values in [
      HDRGMValues(gainMapMax: [], hdrCapacityMax: 1),
      HDRGMValues(gainMapMax: [1, 2], hdrCapacityMax: 1),
      HDRGMValues(gainMapMax: [1], hdrCapacityMax: 0),
      HDRGMValues(gainMapMax: [1], hdrCapacityMin: -1, hdrCapacityMax: 1),
      HDRGMValues(gainMapMax: [1], hdrCapacityMin: .nan, hdrCapacityMax: 1),
      HDRGMValues(gainMapMax: [1], gamma: [0], hdrCapacityMax: 1),
      HDRGMValues(gainMapMin: [2], gainMapMax: [1], hdrCapacityMax: 1),
    ] {
      #expect(throws: GainMapError.self) { try GainMapMetadata(values) }
    }
  }
}

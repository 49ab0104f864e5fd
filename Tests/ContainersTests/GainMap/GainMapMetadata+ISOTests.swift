import Foundation
import ImageCore
import TestSupport
import Testing

@testable import Containers

@Suite struct GainMapMetadataISOTests {
  static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.filter { $0 != " " && $0 != "\n" })
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
  }

  /// One channel, base primaries, headrooms 0 and 2, gains 0 to 2, gamma 1, offsets 1/64.
  static let record = bytes(
    """
    0000000040 00000000 00000001 00000002 00000001 00000000 00000001 00000002 00000001
    00000001 00000001 00000001 00000040 00000001 00000040
    """)

  @Test func theReferenceRecordIsReadAndWritten() throws {
    let metadata = try GainMapMetadata(isoRecord: Self.record)
    #expect(metadata == (try GainMapMetadata.example()))
    #expect(metadata.isoRecord == Self.record)
    #expect(Self.record.count == 61)
  }

  @Test func threeChannelsAndBothFlagsComeBack() throws {
    let channels = try [0.1, 0.2, 0.3].map {
      try GainMapMetadata.Channel(
        minimumStops: -$0, maximumStops: 2 + $0, gamma: 1 + $0, baseOffset: $0 / 64,
        alternateOffset: -$0)
    }
    for usesBase in [false, true] {
      let metadata = try GainMapMetadata(
        channels: channels, baseHeadroomStops: 2.300448, alternateHeadroomStops: 0.25,
        usesBaseColorSpace: usesBase)
      let record = metadata.isoRecord
      #expect(record.count == 141)
      #expect(record[4] == (usesBase ? 0xC0 : 0x80))
      #expect(try GainMapMetadata(isoRecord: record) == metadata)
      #expect(try GainMapMetadata(isoRecord: record + [1, 2, 3]) == metadata)
    }
  }

  @Test func whatNoFractionOf32BitsHoldsStaysAsFirstWritten() throws {
    let metadata = try GainMapMetadata.example(
      -.pi, 1 / 3, base: log2(1000.0 / 203), alternate: .pi.squareRoot())
    let once = try GainMapMetadata(isoRecord: metadata.isoRecord)
    #expect(once.isoRecord == metadata.isoRecord)
    #expect(abs(once.baseHeadroomStops - metadata.baseHeadroomStops) < 1e-14)
    #expect(abs(once.channels[0].minimumStops - metadata.channels[0].minimumStops) < 1e-14)
  }

  @Test func theDraftsCommonDenominatorIsRead() throws {
    // Denominator 64, then numerators only.
    let record = Self.bytes(
      """
      0000000048 00000040 00000000 00000080 ffffffc0 00000080 00000040 00000001 00000001
      """)
    let metadata = try GainMapMetadata(isoRecord: record)
    #expect(metadata == (try GainMapMetadata.example(-1, 2)))
  }

  @Test func theDraftsBackwardFlagMakesTheBaseHDR() throws {
    var record = Self.record
    record[4] |= 0x04
    let swapped = try GainMapMetadata(isoRecord: record)
    #expect(swapped == (try GainMapMetadata.example(base: 2, alternate: 0)))
    var ordered = try GainMapMetadata.example(base: 2, alternate: 0).isoRecord
    ordered[4] |= 0x04
    #expect(try GainMapMetadata(isoRecord: ordered) == swapped)
  }

  @Test func damagedRecordsAreRefused() throws {
    for count in 0..<Self.record.count {
      #expect(throws: GainMapError.self) {
        try GainMapMetadata(isoRecord: Array(Self.record.prefix(count)))
      }
    }
    // A zero in each denominator and in gamma; a maximum below the minimum; a newer version.
    for offset in [12, 20, 28, 36, 40, 44, 52, 60] {
      var record = Self.record
      record[offset] = 0
      #expect(throws: GainMapError.self) { try GainMapMetadata(isoRecord: record) }
    }
    var record = Self.record
    record[29] = 0xFF
    #expect(throws: GainMapError.self) { try GainMapMetadata(isoRecord: record) }
    record = Self.record
    record[1] = 1
    #expect(throws: GainMapError.self) { try GainMapMetadata(isoRecord: record) }
    #expect(throws: GainMapError.self) {
      try GainMapMetadata(isoRecord: Self.bytes("0000000048 00000000 00000000 00000080"))
    }
  }

  @Test func randomBytesNeverTrap() {
    var seed: UInt64 = 7
    for _ in 0..<5000 {
      var record = Self.record
      for _ in 0..<4 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        record[Int(seed >> 33) % record.count] = UInt8(truncatingIfNeeded: seed >> 20)
      }
      guard let metadata = try? GainMapMetadata(isoRecord: record) else { continue }
      #expect(metadata.isoRecord.count == 61)
      #expect((try? GainMapMetadata(isoRecord: metadata.isoRecord)) != nil)
    }
  }

  @Test func theSmallestAndLargestGammaComeBack() throws {
    for gamma in [0x1p-10, 0x1p10] {
      let channel = try GainMapMetadata.Channel(maximumStops: 1, gamma: gamma)
      let metadata = try GainMapMetadata(channels: [channel], alternateHeadroomStops: 1)
      #expect(try GainMapMetadata(isoRecord: metadata.isoRecord) == metadata)
    }
  }
}

import Formats
import HDRRender
import ImageCore
import Testing

@testable import Export
@testable import Writers

@Suite struct EncoderCapabilityTests {
  @Test func everyContainerHasAnEncoderInSoftware() throws {
    let all = EncoderCapability.all
    #expect(!all.contains { $0.containers.contains(.dng) })
    for container in EncoderSettings.Container.pictures {
      let encoder = try #require(all.first { $0.containers.contains(container) })
      #expect(!encoder.isHardware && !encoder.bits.isEmpty)
      #expect(encoder.isHDRCapable == (container != .jpeg))
      var settings = EncoderSettings.template(
        .sdr,
        source: PictureFormat(
          .sdr, primaries: .displayP3, bitDepth: 8, size: PixelSize(width: 1, height: 1)),
        container: container)
      settings.encoder = encoder.name
      #expect(throws: Never.self) { try StillExporter(settings) }
    }
    let own = try #require(all.first { $0.codec == "hevc" })
    #expect(own.name == "rawdev" && own.bits == [8, 10])
    let other = try #require(all.first { $0.codec == "av1" })
    #expect(other.name == "rawdev" && other.bits == [8, 10, 12])
  }
}

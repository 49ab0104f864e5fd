import HDRRender
import ImageCore
import Testing
import Writers

@testable import Film

struct FilmSettingsTests {
  @Test("Every codec has settings in each of its files and formats")
  func combinations() throws {
    for codec in FilmCodec.allCases {
      for container in codec.row.containers {
        for format in FilmFormat.allCases where format == .sdr || !codec.row.hdrBits.isEmpty {
          let settings = try FilmSettings(codec, in: container, format)
          #expect(settings.bits == (format == .sdr ? codec.row.sdrBits : codec.row.hdrBits)[0])
          #expect(settings.chroma == codec.row.chroma[0])
          #expect(!settings.isFullRange)
        }
      }
    }
  }

  @Test("What contradicts itself is refused, and the message names both")
  func contradictions() {
    func refused(_ words: [String], _ make: () throws -> FilmSettings) {
      let error = #expect(throws: FilmError.self) { try make() }
      #expect(error?.code == .badSetting)
      for word in words {
        #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
      }
    }
    refused(["AV1", ".mov", ".mp4"]) { try FilmSettings(.av1, in: .mov, .pq) }
    refused(["ProRes 422", ".mp4", ".mov"]) { try FilmSettings(.proRes422, in: .mp4, .pq) }
    refused(["H.264", "hlg", "HDR"]) { try FilmSettings(.h264, in: .mp4, .hlg) }
    refused(["8 bits"]) { try FilmSettings(.hevc, in: .mp4, .pq, bits: 8) }
    refused(["12"]) { try FilmSettings(.hevc, in: .mp4, .sdr, bits: 12) }
    refused(["AV1", "444"]) { try FilmSettings(.av1, in: .mp4, .pq, chroma: .yuv444) }
    refused(["444", "10 bits"]) { try FilmSettings(.hevc, in: .mp4, .sdr, chroma: .yuv444) }
    refused(["ProRes 4444", "limited"]) {
      try FilmSettings(.proRes4444, in: .mov, .hlg, isFullRange: true)
    }
    refused(["BT.2020"]) { try FilmSettings(.hevc, in: .mov, .hlg, primaries: .displayP3) }
    refused(["Adobe RGB"]) { try FilmSettings(.hevc, in: .mov, .sdr, primaries: .adobeRGB) }
    refused(["1.5"]) { try FilmSettings(.hevc, in: .mov, .hlg, coding: .quality(1.5)) }
    refused(["bit rate"]) { try FilmSettings(.hevc, in: .mov, .hlg, coding: .bitRate(1)) }
    refused(["ProRes"]) {
      try FilmSettings(.proRes422, in: .mov, .hlg, coding: .bitRate(10_000_000))
    }
    refused(["hlg"]) {
      var metadata = HDRMetadata()
      metadata.contentLight = .init(maximumNits: 1000, averageNits: 100)
      return try FilmSettings(.hevc, in: .mov, .hlg, metadata: metadata)
    }
  }

  @Test("Code points and names are those of H.273")
  func codePoints() throws {
    let pq = try FilmSettings(.hevc, in: .mov, .pq)
    #expect(pq.codePoints.primaries == 9 && pq.codePoints.transfer == 16)
    #expect(pq.codePoints.matrix.rawValue == 9)
    let hlg = try FilmSettings(.proRes422, in: .mov, .hlg)
    #expect(hlg.codePoints.transfer == 18 && hlg.names.transfer == "arib-std-b67")
    let p3 = try FilmSettings(.hevc, in: .mov, .pq, primaries: .displayP3)
    #expect(p3.codePoints.primaries == 12 && p3.names.primaries == "smpte432")
    let sdr = try FilmSettings(.h264, in: .mp4, .sdr)
    #expect(sdr.codePoints.primaries == 1 && sdr.codePoints.transfer == 1)
    #expect(sdr.codePoints.matrix.rawValue == 1 && sdr.pixelFormat == "yuv420p")
  }

  @Test("What is proposed for a source keeps it, and holds for every codec")
  func proposals() throws {
    let size = PixelSize(width: 64, height: 64)
    func source(_ range: DynamicRangeMix, _ primaries: Primaries) -> PictureFormat {
      PictureFormat(range, primaries: primaries, bitDepth: 10, size: size)
    }
    #expect(try FilmSettings.proposed(for: source(.hlg, .bt2020)).format == .hlg)
    let p3 = try FilmSettings.proposed(for: source(.hdr10, .displayP3), in: .mp4)
    #expect(p3.format == .pq && p3.primaries == .displayP3 && p3.container == .mp4)
    #expect(try FilmSettings.proposed(for: source(.sdr, .adobeRGB)).primaries == .srgb)
    for codec in FilmCodec.allCases {
      for range in [DynamicRangeMix.sdr, .pq, .hdr10, .hlg] {
        _ = try FilmSettings.proposed(for: source(range, .bt2020), by: codec)
      }
    }
  }

  @Test("Presets have names of their own and settings that hold")
  func presets() throws {
    #expect(Set(FilmPreset.all.map(\.name)).count == FilmPreset.all.count)
    for preset in FilmPreset.all {
      var options = FilmOptions()
      options.take(try #require(FilmPreset(preset.name)))
      #expect(options.codec == preset.codec)
      _ = try FilmSettings(
        options.codec, in: preset.codec.row.containers[0], .sdr, coding: options.coding)
    }
    #expect(FilmPreset("hevc-1x1") == nil)
  }
}

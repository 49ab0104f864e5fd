import Formats
import HDRRender
import ImageCore
import Testing

@testable import Export
@testable import Writers

@Suite struct EncoderSettingsTests {
  private func source(
    _ range: DynamicRangeMix, bits: Int = 10, map: Bool = false, _ primaries: Primaries = .bt2020
  ) -> PictureFormat {
    PictureFormat(
      range, primaries: primaries, bitDepth: bits, size: PixelSize(width: 8, height: 8),
      hasGainMap: map)
  }

  @Test func presetsKeepOrSetTheRange() {
    for range in [DynamicRangeMix.sdr, .hlg, .pq, .hdr10] {
      #expect(ExportPreset.preserve.dynamicRange(of: range) == range)
      #expect(ExportPreset.sdr.dynamicRange(of: range) == .sdr)
      #expect(ExportPreset.hlg.dynamicRange(of: range) == .hlg)
      #expect(ExportPreset.hdr10.dynamicRange(of: range) == .hdr10)
    }
  }

  /// The template of any preset, source and container is in order.
  @Test func templatesAreInOrder() throws {
    for preset in ExportPreset.allCases {
      for container in EncoderSettings.Container.pictures {
        for range in [DynamicRangeMix.sdr, .hlg, .pq, .hdr10] {
          for primaries in Primaries.allCases {
            for (bits, map) in [(8, false), (10, false), (16, false), (8, true), (10, true)] {
              let settings = EncoderSettings.template(
                preset, source: source(range, bits: bits, map: map, primaries),
                container: container)
              #expect(throws: Never.self) { try settings.validate() }
              #expect(settings.container == container)
            }
          }
        }
      }
    }
  }

  /// HDR is BT.2020 with its own luma unless something else is asked for, which is refused.
  @Test func highRangeIsBT2020InTenBits() {
    for preset in [ExportPreset.hlg, .hdr10] {
      let settings = EncoderSettings.template(preset, source: source(.sdr, bits: 8, .srgb))
      #expect(settings.primaries == .bt2020 && settings.matrixCode == 9 && settings.bits == 10)
      #expect(settings.headroom > 4.9)
    }
    let avif = EncoderSettings.template(.hdr10, source: source(.sdr, bits: 8), container: .avif)
    #expect(avif.transfer == .pq && avif.matrixCode == 9 && avif.bits == 10)
    let jpeg = EncoderSettings.template(.hlg, source: source(.hlg), container: .jpeg)
    #expect(jpeg.transfer == .standard && jpeg.hasGainMap && jpeg.matrixCode == 6)
    let png = EncoderSettings.template(
      .preserve, source: source(.sdr, bits: 8, .srgb), container: .png)
    #expect(png.primaries == .srgb && png.bits == 8 && png.matrixCode == 0)
  }

  @Test func preferredDepthFollowsTheContent() {
    typealias Settings = EncoderSettings
    let hlg = Settings.preferred(.compact, for: source(.hlg))
    #expect(hlg.container == .heif && hlg.bits == 10 && hlg.transfer == .hlg)
    let pq = Settings.preferred(.lossless, for: source(.hdr10))
    #expect(pq.container == .png && pq.bits == 16 && pq.transfer == .pq)
    let sdr = Settings.preferred(.compact, for: source(.sdr, bits: 8, .srgb))
    #expect(sdr.container == .heif && sdr.bits == 8 && sdr.transfer == .standard)
    #expect(Settings.preferred(.lossless, for: source(.sdr, bits: 8, .srgb)).bits == 8)
    #expect(Settings.preferred(.lossless, for: source(.sdr, bits: 16, .srgb)).bits == 16)
    let map = Settings.preferred(.compact, for: source(.sdr, bits: 8, map: true, .displayP3))
    #expect(map.transfer == .pq && map.bits == 10 && !map.hasGainMap)
  }

  @Test func contradictingSettingsAreRefused() {
    func refusal(_ change: (inout EncoderSettings) -> Void) -> String? {
      var settings = EncoderSettings.template(.hlg, source: source(.hlg))
      change(&settings)
      let error = #expect(throws: WriteError.self) { try StillExporter(settings) }
      #expect(error?.code == .badSetting)
      return error?.message
    }
    #expect(refusal { $0.bits = 8 }?.contains("8 bits") == true)
    #expect(
      refusal {
        $0.container = .jpeg
        $0.bits = 8
      }?.contains("cannot be ISO HDR") == true)
    #expect(refusal { $0.space = ColorSpace(.displayP3, .hlg) }?.contains("bt2020") == true)
    #expect(refusal { $0.bits = 12 }?.contains("12") == true)
    #expect(refusal { $0.quality = 1.5 }?.contains("0 to 1") == true)
    #expect(refusal { $0.maximumSide = 0 }?.contains("longest side") == true)
    #expect(
      refusal {
        $0.container = .png
        $0.bits = 16
        $0.hasGainMap = true
      }?.contains("gain maps") == true)
    #expect(refusal { $0.thumbnail = 8 }?.contains("16 to 1024") == true)
    let profile = OutputProfile(name: "a.icc", bytes: [])
    #expect(refusal { $0.profile = profile }?.contains("ICC profile") == true)
    #expect(refusal { $0.space = .linearBT2020 }?.contains("linear integers") == true)
    #expect(refusal { $0.bits = 32 }?.contains("[10] bits") == true)
    #expect(refusal { $0.encoder = "aom" }?.contains("take rawdev") == true)
    #expect(
      refusal {
        $0.space = .bt2100PQ
        $0.isSceneReferred = true
      }?.contains("scene-referred") == true)
    #expect(
      refusal {
        $0.container = .avif
        $0.bits = 16
      }?.contains("[10, 12] bits") == true)
    #expect(
      refusal {
        $0.container = .avif
        $0.bits = 12
        $0.encoder = "x265"
      }?.contains("take rawdev") == true)
    #expect(refusal { $0.container = .dng }?.contains("needs a raw input") == true)
    #expect(refusal { $0.isHalf = true }?.contains("OpenEXR") == true)
    #expect(refusal { $0.exrTileSize = 64 }?.contains("OpenEXR takes 16 to 128") == true)
    #expect(refusal { $0.exrLevel = 101 }?.contains("1 to 100") == true)
    #expect(
      refusal {
        $0.space = .acesCG
      }?.contains("floats") == true)
    #expect(
      refusal {
        $0.space = .linearDisplayP3
      }?.contains("TIFF of 16 bits") == true)
  }
}

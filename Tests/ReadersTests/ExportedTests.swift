import Export
import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing
import Writers

@testable import Readers

/// What ``StillExporter`` writes, read back.
@Suite struct ExportedTests {
  private func exported(
    _ settings: EncoderSettings, _ picture: DisplayPicture
  ) throws -> (still: StillImage, file: WrittenFile) {
    let path = NSTemporaryDirectory() + "exported-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = try StillExporter(settings).write(picture, to: .replacing(path))
    return (try StillImage([UInt8](Data(contentsOf: URL(filePath: path)))), file)
  }

  private func picture(_ headroom: Float, _ primaries: Primaries = .bt2020) throws -> DisplayPicture
  {
    DisplayPicture(try KnownPicture.picture(primaries, headroom: headroom))
  }

  private static let pq = PictureFormat(
    .hdr10, primaries: .bt2020, bitDepth: 10, size: KnownPicture.size)

  /// What is read as well, and holds integers.
  private static let readable = EncoderSettings.Container.pictures.filter {
    StillKind(rawValue: $0.rawValue) != nil && !$0.descriptor.holdsOnlyFloats
  }

  /// The preset `preserve` keeps each range; linear values round-trip in every container that holds
  /// them.
  @Test(arguments: readable)
  func rangesArePreserved(container: EncoderSettings.Container) throws {
    for (range, transfer) in [
      (DynamicRangeMix.sdr, ColorDescription.Transfer.srgb), (.hlg, .hlg), (.pq, .pq),
      (.hdr10, .pq),
    ] {
      var source = Self.pq
      source.dynamicRange = range
      let settings = EncoderSettings.template(.preserve, source: source, container: container)
      let isHDR = range != .sdr
      let (still, _) = try exported(settings, picture(isHDR ? 4 : 1))
      if container == .jpeg, isHDR {
        #expect(still.gainMap != nil && abs(still.contentHeadroom - 4) < 0.2)
      } else {
        #expect(still.color.transfer == transfer, "\(container) \(range)")
        #expect(still.isHighDynamicRange == isHDR && still.gainMap == nil)
        #expect(still.failedISOHDRRules.isEmpty == isHDR)
      }
    }
  }

  /// A gain map without headroom is none that readers take: the file is a plain picture.
  @Test(arguments: [EncoderSettings.Container.heif, .avif, .jpeg])
  func withoutHeadroomThereIsNoMap(container: EncoderSettings.Container) throws {
    var source = Self.pq
    (source.dynamicRange, source.hasGainMap) = (.sdr, true)
    let settings = EncoderSettings.template(.preserve, source: source, container: container)
    #expect(settings.hasGainMap)
    let (plain, file) = try exported(settings, picture(1, .displayP3))
    #expect(plain.gainMap == nil && plain.notes.isEmpty && plain.contentHeadroom == 1)
    #expect(file.notes.count == 1 && file.notes[0].contains("no gain map was written"))
    let (mapped, _) = try exported(settings, picture(4))
    #expect(mapped.gainMap != nil)
  }

  /// 1.0 of SDR is 203 cd/m² of HDR, code 0.580689 of PQ and 0.749877 of HLG.
  @Test func standardWhiteIsReferenceWhite() throws {
    let white = try Image<DisplayReferred>(
      size: PixelSize(width: 64, height: 64), info: .init(primaries: .srgb, headroom: 1)
    ) { planes in
      for plane in 0..<3 { for y in 0..<64 { for x in 0..<64 { planes.row(plane, y)[x] = 1 } } }
    }
    for (preset, code) in [(ExportPreset.hdr10, 0.580689), (.hlg, 0.749877)] {
      let settings = EncoderSettings.template(preset, source: Self.pq, container: .png)
      let (still, file) = try exported(settings, DisplayPicture(white))
      let stored = try still.container.picture()
      let codes = stored.row(0).assumingMemoryBound(to: UInt16.self)
      #expect(abs(Double(codes[0]) - code * 65_535) <= 1.5)
      #expect(try abs(KnownPicture.pixels(try still.base())[70].y - 1) < 2e-4)
      #expect(file.statistics.maximumContentNits == 203 && !file.isToneMapped)
      #expect(still.hdrMetadata.contentLight?.maximumNits == 203)
    }
  }

  /// A JPEG with a gain map becomes ISO HDR, and back.
  @Test func gainMapsBecomeISOHDR() throws {
    let high = try picture(4, .displayP3)
    let (jpeg, _) = try exported(
      .template(.hlg, source: Self.pq, container: .jpeg), high)
    #expect(!jpeg.isHighDynamicRange && jpeg.gainMap != nil)
    let settings = EncoderSettings.preferred(.compact, for: jpeg.format)
    #expect(settings.container == .heif && settings.transfer == .pq && settings.bits == 10)
    let (heif, _) = try exported(settings, try jpeg.picture())
    #expect(heif.failedISOHDRRules.isEmpty && abs(heif.contentHeadroom - 4) < 0.4)
    for container in [EncoderSettings.Container.heif, .avif] {
      let again = EncoderSettings.template(.preserve, source: jpeg.format, container: container)
      #expect(again.hasGainMap && again.bits == 8)
      let (mapped, _) = try exported(again, try jpeg.picture())
      #expect(try mapped.gainMap != nil && mapped.gainMapImage().size == jpeg.gainMapImage().size)
    }
  }

  @Test(arguments: [(ExportPreset.hdr10, UInt16(16)), (.hlg, 18)])
  func twelveBitsAreKept(preset: ExportPreset, code: UInt16) throws {
    var settings = EncoderSettings.template(preset, source: Self.pq, container: .avif)
    settings.bits = 12
    let (still, _) = try exported(settings, picture(4))
    #expect(still.bitDepth == 12 && still.color.codePoints == [9, code, settings.matrixCode])
    #expect(still.failedISOHDRRules.isEmpty)
  }

  /// Floats keep all values, and an HDR base maps to its SDR.
  @Test func floatsAndBasesOfHighRange() throws {
    var settings = EncoderSettings.template(.sdr, source: Self.pq, container: .tiff)
    (settings.bits, settings.space) = (32, .linearBT2020)
    let floats = try exported(settings, picture(4)).still
    #expect(floats.color.transfer == .linear && settings.headroom == .infinity)
    #expect(
      try KnownPicture.pixels(try floats.base())
        == KnownPicture.pixels(KnownPicture.picture(.bt2020, headroom: 4)))
    for container in [EncoderSettings.Container.heif, .avif] {
      settings = .template(.hdr10, source: Self.pq, container: container)
      (settings.hasGainMap, settings.mapKind, settings.mapScale) = (true, .rgb, .full)
      let (still, file) = try exported(settings, picture(4))
      let map = try #require(still.gainMap)
      #expect(still.isHighDynamicRange && map.channels == 3 && map.size == still.size)
      #expect(abs(file.statistics.contentHeadroom - 4) < 0.2)
      #expect(try still.linear(.standard).lightStatistics().contentHeadroom < 1.02)
    }
  }

  @Test func sizesAndRangesChangeInOneCall() throws {
    var settings = EncoderSettings.template(.sdr, source: Self.pq, container: .png)
    settings.maximumSide = 65
    let (still, _) = try exported(settings, picture(4))
    #expect(still.size == PixelSize(width: 65, height: 50) && !still.isHighDynamicRange)
    #expect(still.color.primaries == .displayP3)
    #expect(try KnownPicture.pixels(try still.base()).allSatisfy { $0.max() <= 1 })
  }

  /// Scene-linear values are shown as on the system's display.
  @Test func sceneLightIsWrittenAsItsSignal() throws {
    var settings = EncoderSettings.template(.hlg, source: Self.pq, container: .png)
    settings.isSceneReferred = true
    let scene = try KnownPicture.picture(.bt2020, headroom: 1)
    let (still, _) = try exported(settings, DisplayPicture(scene))
    let codes = try still.container.picture()
    var worst = 0.0
    for y in stride(from: 0, to: KnownPicture.size.height, by: 7) {
      let row = codes.row(y).assumingMemoryBound(to: UInt16.self)
      for x in stride(from: 0, to: KnownPicture.size.width, by: 3) {
        for c in 0..<3 {
          let wanted = HLG.signal(scene: Double(scene[x, y][c])) * 65_535
          worst = max(worst, abs(Double(row[3 * x + c]) - wanted))
        }
      }
    }
    #expect(worst < 12, "\(worst) codes of 16 bits")
  }

  /// Lossless is many times as large as HEIF.
  @Test func losslessIsMuchLarger() throws {
    let source = try picture(4)
    let sizes = try EncoderSettings.Preference.allCases.map {
      try exported(.preferred($0, for: Self.pq), source).file.byteCount
    }
    #expect(sizes[1] > 2 * sizes[0], "\(sizes)")
  }
}

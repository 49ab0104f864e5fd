import DisplayOutput
import Foundation
import HDRRender
import ImageCore
import PictureLoading
import RawFilter
import Testing
import Writers

@testable import Readers

@Suite struct LoadedPictureTests {
  private let folder = NSTemporaryDirectory() + "loaded-\(UUID().uuidString)"

  private func written(_ name: String, _ bytes: [UInt8]) throws -> URL {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let url = URL(filePath: folder + "/" + name)
    try Data(bytes).write(to: url)
    return url
  }

  private func values(_ source: any PixelSource<DisplayReferred>) throws -> [SIMD3<Double>] {
    try KnownPicture.pixels(source)
  }

  private func gainMapJPEG() throws -> (bytes: [UInt8], standard: Image<DisplayReferred>) {
    let high = try KnownPicture.picture(.displayP3, headroom: 4)
    let standard = try Image(
      rendering: DisplayRendering(.standard, displayHeadroom: 1)(DisplayPicture(high)))
    let map = try GainMapCreation().map(from: standard, to: high)
    let bytes = try JPEGWriter(.init(.jpeg)).encode(
      standard, gainMap: StoredGainMap(map, alternatePrimaries: .displayP3))
    return (bytes, standard)
  }

  /// The base by default, all of the map where it is asked for.
  @Test func gainMapsAreExpandedOnRequest() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let url = try written("a.jpg", gainMapJPEG().bytes)
    let still = try StillImage(contentsOf: url)
    let stored = try LoadedPicture.load(url)
    #expect(!stored.isHighDynamicRange && stored.headroom == 1)
    #expect(try values(stored.pixels) == values(still.base()))
    #expect(stored.picture.isHighDynamicRange && stored.format.hasGainMap)
    let high = try LoadedPicture.load(url, .expandToHDR)
    #expect(high.isHighDynamicRange && abs(high.headroom - still.contentHeadroom) < 1e-9)
    #expect(abs(high.headroom - 4) < 0.2)
    #expect(try values(high.pixels) == values(still.linear(.high)))
    let stages = PipelineDescription(high.pixels).text
    #expect(stages.contains("GainMapRendition") && stages.contains("LinearizedSource"))
    let standard = try LoadedPicture.load(url, .toneMapHDRtoSDR)
    #expect(!standard.isHighDynamicRange)
    #expect(try values(standard.pixels) == values(still.linear(.standard)))
  }

  /// SDR is the same whatever is asked for.
  @Test func optionsDoNothingToStandardRange() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let url = try written(
      "a.jpg", JPEGWriter(.init(.jpeg)).encode(KnownPicture.picture(.displayP3, headroom: 1)))
    let plain = try values(StillImage(contentsOf: url).base())
    for rendition in [nil] + StillImage.Rendition.allCases {
      let loaded = try LoadedPicture.load(
        url, LoadOptions(rendition, display: DisplayInfo(potentialHeadroom: 8)))
      #expect(loaded.headroom == 1 && !loaded.isHighDynamicRange)
      #expect(try values(loaded.pixels) == plain)
    }
  }

  @Test func autoAsksTheDisplay() throws {
    let still = try StillImage(
      HEIFWriter(.init(.heif, .bt2100PQ)).encode(KnownPicture.picture(.bt2020, headroom: 4)))
    let onPhone = try LoadedPicture(
      still, LoadOptions(nil, display: DisplayInfo(potentialHeadroom: 8, currentHeadroom: 1)))
    #expect(onPhone.headroom > 3.5 && onPhone.isHighDynamicRange)
    let nowhere = try LoadedPicture(still, LoadOptions(nil))
    #expect(nowhere.headroom == 1)
    #expect(try values(nowhere.pixels).allSatisfy { $0.max() <= 1 })
    #expect(try LoadedPicture(still).headroom > 3.5)
  }

  /// The default looks of a raw: within white, or with all its headroom.
  @Test func rawsHaveTwoRanges() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/sunset-linear.dng")
    let plain = try LoadedPicture.load(url)
    #expect(plain.headroom == 1 && plain.still == nil && !plain.format.isHighDynamicRange)
    #expect(plain.pixels.info.headroom <= 1)
    #expect(try LoadedPicture.load(url, .toneMapHDRtoSDR).headroom == 1)
    let high = try LoadedPicture.load(url, .expandToHDR)
    #expect(high.headroom > 1 && high.isHighDynamicRange && high.picture.isAbsolute)
    #expect(high.metadata == plain.metadata && high.pixels.size == plain.pixels.size)
    #expect(PipelineDescription(high.pixels).text.contains("scene light"))
  }

  @Test func unknownFilesAreRefusedInOneLine() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for bytes in [Array("no picture at all, but a text".utf8), []] as [[UInt8]] {
      let url = try written("a.jpg", bytes)
      let error = #expect(throws: ReadError.self) { try LoadedPicture.load(url) }
      #expect(error?.path == url.path && error?.message.contains("\n") == false)
    }
    #expect(throws: ReadError.self) { try LoadedPicture.load(URL(filePath: folder + "/none")) }
  }
}

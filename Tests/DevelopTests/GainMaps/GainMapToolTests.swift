import Develop
import Foundation
import HDRRender
import ImageCore
import Readers
import TestSupport
import Testing
import Writers

/// The work of `rawdev gainmap` on files.
@Suite struct GainMapToolTests {
  private let scratch: TestFolder
  private let folder: URL
  init() throws {
    scratch = try TestFolder()
    folder = URL(fileURLWithPath: scratch.path)
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
  private func bytes(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }
  private func image(_ path: String) throws -> StillImage {
    try StillImage(contentsOf: URL(fileURLWithPath: path))
  }

  private func written(jpeg: Bool) throws -> String {
    let size = PixelSize(width: 64, height: 64)
    let linear = try Image<DisplayReferred>(
      size: size, info: .init(primaries: .displayP3, headroom: 1)
    ) { planes in
      for plane in 0..<3 {
        for y in 0..<64 { for x in 0..<64 { planes.row(plane, y)[x] = Float(x + y) / 128 } }
      }
    }
    let map = StoredGainMap(
      try GainMapImage(
        size: PixelSize(width: 32, height: 32), channels: 1,
        bytes: (0..<1024).map { UInt8($0 / 8 + 60) }),
      metadata: try GainMapMetadata(
        channels: [.init(maximumStops: 2)], alternateHeadroomStops: 2),
      alternatePrimaries: .displayP3)
    let target = path(jpeg ? "in.jpg" : "in.heic")
    if jpeg {
      _ = try JPEGWriter(.init(.jpeg), workers: 1)
        .write(linear, gainMap: map, to: .replacing(target))
    } else {
      _ = try HEIFWriter(.init(.heif, .displayP3), workers: 1)
        .write(linear, gainMap: map, to: .replacing(target))
    }
    return target
  }

  @Test(arguments: [true, false]) func extractedMapsAreReplacedWithoutLoss(jpeg: Bool) throws {
    let input = try written(jpeg: jpeg)
    let before = try image(input)
    let (map, what) = (path("map.png"), path("map.json"))
    let result = try GainMapTool(input).extract(to: .replacing(map), metadata: .replacing(what))
    #expect(result.description.width == 32 && result.description.bytesPerRow == 32)
    #expect(result.description.pixelFormat.code == 1_278_226_488)
    #expect(try image(map).storedSamples() == before.gainMapImage())
    let stated = try JSONDecoder().decode(
      GainMapParameters.self, from: try #require(bytes(what)))
    #expect(stated == before.gainMapParameters)
    // In place.
    let removed = try GainMapTool(input).remove(.everything, to: .replacing(input))
    #expect(removed.notes.isEmpty && removed.bytes < removed.bytesBefore)
    #expect(try image(input).gainMap == nil)
    let bare = try #require(bytes(input))
    let again = try GainMapTool(input).remove(.map, to: .replacing(path("copy")))
    #expect(again.notes.count == 1 && bytes(path("copy")) == bare)
    _ = try GainMapTool(input).replace(
      map: map, metadata: what, quality: 1, workers: 1, to: .replacing(input))
    let after = try image(input)
    #expect(after.gainMap?.size == PixelSize(width: 32, height: 32))
    #expect(after.gainMapParameters.iso == before.gainMapParameters.iso)
    if jpeg {
      let coded = path("map.jpg")
      _ = try GainMapTool(input).extract(to: .replacing(coded), metadata: nil)
      let whole = try #require(bytes(input))
      #expect(whole.suffix(bytes(coded)?.count ?? 0) == bytes(coded))
    }
  }

  @Test func failuresSayWhatToDo() throws {
    let input = try written(jpeg: false)
    func code(_ body: () throws -> Void) -> String? {
      do { try body() } catch { return (error as? DevelopError)?.codeName }
      return nil
    }
    #expect(
      code { _ = try GainMapTool(input).extract(to: .replacing(path("m.jpg")), metadata: nil) }
        == "badSetting")
    #expect(
      code { _ = try GainMapTool(input).extract(to: .replacing(path("m.bmp")), metadata: nil) }
        == "badSetting")
    #expect(
      code { _ = try GainMapTool(path("none")).remove(.map, to: .replacing(path("x"))) }
        == "cannotRead")
    #expect(
      code { _ = try GainMapTool(input).remove(.map, to: .replacing(path("no/x"))) }
        == "cannotWrite")
    let bare = path("bare.heic")
    _ = try GainMapTool(input).remove(.everything, to: .replacing(bare))
    #expect(
      code { _ = try GainMapTool(bare).extract(to: .replacing(path("m.png")), metadata: nil) }
        == "unsupported")
    _ = try GainMapTool(input).extract(to: .replacing(path("m.png")), metadata: nil)
    let replace = { (metadata: String?) in
      code {
        _ = try GainMapTool(bare).replace(
          map: path("m.png"), metadata: metadata, quality: nil, workers: 1,
          to: .replacing(path("out.heic")))
      }
    }
    #expect(replace(nil) == "badSetting")
    #expect(replace(input) == "badSetting")
    #expect(replace(path("none")) == "cannotRead")
    #expect(bytes(path("out.heic")) == nil)
  }
}

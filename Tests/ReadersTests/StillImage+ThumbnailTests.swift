import Foundation
import HDRRender
import ImageCore
import PictureLoading
import Testing
import Writers

@testable import Readers

@Suite struct StillImageThumbnailTests {
  @Test func thumbnailsKeepTheRange() throws {
    let still = try TestHEIF.twoStopStill()
    let small = try still.thumbnail(maxPixelSize: 16)
    #expect(small.size == PixelSize(width: 16, height: 12))
    #expect(small.contentHeadroom == still.contentHeadroom && small.isHighDynamicRange)
    guard case .gainMap(let picture) = small.content else {
      Issue.record("the map is gone")
      return
    }
    #expect(picture.map.size == PixelSize(width: 8, height: 6))
    for rendition in [StillImage.Rendition.standard, .asStored] {
      #expect(try !still.thumbnail(maxPixelSize: 16, rendition).isHighDynamicRange)
    }
    let pq = try StillImage(
      HEIFWriter(.init(.heif, .bt2100PQ)).encode(KnownPicture.picture(.bt2020, headroom: 4)))
    #expect(try pq.thumbnail(maxPixelSize: 20).contentHeadroom == pq.picture().contentHeadroom)
    #expect(try pq.thumbnail(maxPixelSize: 20, .standard).contentHeadroom == 1)
    #expect(throws: OperatorError.self) { try still.thumbnail(maxPixelSize: 0) }
  }

  /// The map as stored, and as it lies over the upright picture.
  @Test func mapsAreReadAsStoredAndUpright() throws {
    var metadata = CaptureMetadata()
    metadata[.image, 0x010F] = .ascii("Maker")
    let high = try KnownPicture.picture(.displayP3, headroom: 4)
    let standard = DisplayRendering(.standard, displayHeadroom: 1)(DisplayPicture(high))
    let map = try GainMapCreation().map(from: standard, to: high)
    var bytes = try JPEGWriter(.init(.jpeg)).encode(
      standard, gainMap: StoredGainMap(map, alternatePrimaries: .displayP3), metadata: metadata)
    let upright = try StillImage(bytes)
    #expect(try upright.gainMapImage() == upright.uprightGainMapImage())
    // Exif orientation of the primary: tag 0x0112, one SHORT of 1, which becomes 6.
    let entry: [[UInt8]] = [
      [0x12, 0x01, 3, 0, 1, 0, 0, 0, 1, 0], [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 1],
    ]
    let offset = try #require(
      (0..<bytes.count - 10).first { at in entry.contains { bytes[at..<at + 10].elementsEqual($0) }
      })
    bytes[offset + (bytes[offset] == 0x12 ? 8 : 9)] = 6
    let turned = try StillImage(bytes)
    #expect(turned.orientation == .right && turned.size == upright.size.transposed)
    let (stored, shown) = (try turned.gainMapImage(), try turned.uprightGainMapImage())
    #expect(try stored == upright.gainMapImage())
    #expect(shown.size == stored.size.transposed && shown != stored)
    #expect(shown.codes.sorted() == stored.codes.sorted())
  }
}

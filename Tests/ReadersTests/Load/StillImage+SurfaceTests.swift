import Foundation
import HDRRender
import ImageCore
import Testing
import Writers

@testable import Readers

@Suite struct StillImageSurfaceTests {
  private static let size = PixelSize(width: 64, height: 48)

  private func mapped(turned: Bool) throws -> StillImage {
    let record = try GainMapMetadata(
      channels: [.init(maximumStops: 2)], alternateHeadroomStops: 2
    ).isoRecord
    let file = TestHEIF.mapped(
      try TestHEIF.Coded(Self.size), try TestHEIF.Coded(PixelSize(width: 32, height: 24), seed: 9),
      record: record, apple: nil)
    return try StillImage(file.bytes())
  }

  @Test func predicatesFollowTheTransfer() throws {
    func color(_ p: UInt16, _ t: UInt16) throws -> ColorDescription {
      try #require(ColorDescription(primaries: p, transfer: t, matrix: 0))
    }
    let (pq, hlg, p3) = (try color(9, 16), try color(9, 18), try color(12, 13))
    #expect(pq.isPQ && !pq.isHLG && pq.isHighDynamicRange && pq.usesITU2100TransferFunction)
    #expect(hlg.isHLG && !hlg.isPQ && hlg.isHighDynamicRange && hlg.usesITU2100TransferFunction)
    #expect(!p3.isPQ && !p3.isHLG && !p3.isHighDynamicRange && !p3.usesITU2100TransferFunction)
    // Display P3 with PQ is of high range, and not ISO HDR.
    #expect(try color(12, 16).usesITU2100TransferFunction)
    let linear = try color(9, 8)
    #expect(p3.isExtendable && !pq.isExtendable && linear.isExtendable)
  }

  @Test func formatsSayHowThePictureIsCoded() throws {
    func format(_ kind: HEIFWriter.Kind) throws -> PictureFormat {
      let isHDR = kind == .pq || kind == .hlg
      return try StillImage(
        HEIFWriter(.init(kind: kind)).encode(
          WrittenLight.picture(isHDR ? .bt2020 : .displayP3, headroom: isHDR ? 4 : 1))
      ).format
    }
    #expect(try format(.pq).dynamicRange == .hdr10 && format(.pq).bitDepth == 10)
    #expect(try format(.hlg).dynamicRange.transfer == .hlg)
    #expect(try format(.sdr(bits: 8)).dynamicRange == .sdr)
    #expect(try format(.pq).primaries == .bt2020 && format(.pq).size == WrittenLight.size)
    let map = try mapped(turned: false).format
    #expect(map.hasGainMap && map.dynamicRange == .sdr && map.isHighDynamicRange)
  }

  @Test func thumbnailsKeepTheRange() throws {
    let still = try mapped(turned: false)
    let small = try still.thumbnail(maxPixelSize: 16)
    #expect(small.size == PixelSize(width: 16, height: 12))
    #expect(small.contentHeadroom == still.contentHeadroom && small.isHighDynamicRange)
    guard case .gainMap(let picture) = small.content else {
      Issue.record("the map is gone")
      return
    }
    #expect(picture.map.size == PixelSize(width: 8, height: 6))
    for range in [StillImage.DynamicRange.standard, .asStored] {
      #expect(try !still.thumbnail(maxPixelSize: 16, range).isHighDynamicRange)
    }
    let pq = try StillImage(
      HEIFWriter(.init(kind: .pq)).encode(WrittenLight.picture(.bt2020, headroom: 4)))
    #expect(try pq.thumbnail(maxPixelSize: 20).contentHeadroom == pq.contentHeadroom)
    #expect(try pq.thumbnail(maxPixelSize: 20, .standard).contentHeadroom == 1)
    #expect(throws: OperatorError.self) { try still.thumbnail(maxPixelSize: 0) }
  }

  /// Passed on byte for byte, from a file and from memory.
  @Test func storedBytesAreTheFile() throws {
    let bytes = try JPEGWriter(.init()).encode(WrittenLight.picture(.displayP3, headroom: 1))
    #expect(try StillImage(bytes).storedBytes == bytes)
    let path = NSTemporaryDirectory() + "stored-\(UUID().uuidString).jpg"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(bytes).write(to: URL(filePath: path))
    #expect(try StillImage(contentsOf: URL(filePath: path)).storedBytes == bytes)
  }

  /// The map as stored, and as it lies over the upright picture.
  @Test func mapsComeTurnedOrNot() throws {
    var metadata = CaptureMetadata()
    metadata[.image, 0x010F] = .ascii("Maker")
    let high = WrittenLight.picture(.displayP3, headroom: 4)
    let standard = DisplayRendering(.standard, displayHeadroom: 1)(DisplayPicture(high))
    let map = try GainMapCreation().map(from: standard, to: high)
    var bytes = try GainMapJPEGWriter(.init(base: .init())).encode(
      standard, gainMap: StoredGainMap(map, alternatePrimaries: .displayP3), metadata: metadata)
    let upright = try StillImage(bytes)
    #expect(try upright.gainMapImage() == upright.uprightGainMapImage())
    // Exif orientation of the primary: tag 0x0112, one SHORT of 1, which becomes 6.
    let entry: [[UInt8]] = [
      [0x12, 0x01, 3, 0, 1, 0, 0, 0, 1, 0], [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 1],
    ]
    let place = try #require(
      (0..<bytes.count - 10).first { at in entry.contains { bytes[at..<at + 10].elementsEqual($0) }
      })
    bytes[place + (bytes[place] == 0x12 ? 8 : 9)] = 6
    let turned = try StillImage(bytes)
    #expect(turned.orientation == .right && turned.size == upright.size.transposed)
    let (stored, shown) = (try turned.gainMapImage(), try turned.uprightGainMapImage())
    #expect(try stored == upright.gainMapImage())
    #expect(shown.size == stored.size.transposed && shown != stored)
    #expect(shown.codes.sorted() == stored.codes.sorted())
  }
}

import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode

@Suite struct SonyLosslessDecoderTests {
  private func raw(_ size: PixelSize) throws -> CameraContainer {
    let sample = try #require(CameraSample.all.first { $0.raw.coding == .arwLosslessJPEG })
    var raw = sample.busy()
    raw.size = size
    raw.area = PixelRect(size)
    raw.samples = (0..<size.area).map { UInt16($0 &* 40_503 >> 7 & 0x3FFF) }
    return raw
  }

  private func isOwn(_ file: RawFile) -> Bool {
    file.decoder.isOwn(SonyLosslessDecoder.self)
  }

  /// Full tiles, tiles that extend beyond the right and bottom edges, and a single tile.
  @Test(arguments: [
    PixelSize(width: 1024, height: 512), PixelSize(width: 1030, height: 514),
    PixelSize(width: 514, height: 1536), PixelSize(width: 64, height: 64),
  ])
  func samplesAreThoseStored(_ size: PixelSize) throws {
    let raw = try raw(size)
    let file = try RawFile.open(bytes: raw.written().bytes)
    #expect(isOwn(file) && file.info.size == size)
    for workers in [1, 3] {
      let data = try file.decode(workers: workers)
      for y in 0..<size.height {
        let row = unsafe UnsafeBufferPointer(start: data.samples.counts(row: y), count: size.width)
        let stored = raw.samples[y * size.width..<(y + 1) * size.width]
        let isEqual = unsafe row.elementsEqual(stored)
        try #require(isEqual, "row \(y)")
      }
    }
  }

  /// A truncated tile is an error, and not the end of the picture.
  @Test func tileThatEndsEarlyIsRefused() throws {
    var bytes = try raw(PixelSize(width: 1030, height: 514)).written().bytes
    // The middle of the last of the six streams is terminated by a marker.
    let start = try #require(
      (0..<bytes.count - 2).last { bytes[$0..<$0 + 3] == [0xFF, 0xD8, 0xFF] })
    let middle = (start + bytes.count) / 2
    bytes.replaceSubrange(middle..<middle + 2, with: [0xFF, 0xD9])
    let file = try RawFile.open(bytes: bytes)
    #expect(isOwn(file))
    let error = #expect(throws: RAWError.self) { try file.decode() }
    #expect(error?.code == .damaged && error?.stage == .decode)
  }
}

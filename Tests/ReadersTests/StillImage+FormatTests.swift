import Foundation
import HDRRender
import ImageCore
import Testing
import Writers

@testable import Readers

@Suite struct StillImageFormatTests {
  @Test func formatsDescribeTheCoding() throws {
    func format(_ kind: DynamicRangeMix.Transfer) throws -> PictureFormat {
      let isHDR = kind == .pq || kind == .hlg
      return try StillImage(
        HEIFWriter(.init(.heif, ColorSpace(kind))).encode(
          KnownPicture.picture(isHDR ? .bt2020 : .displayP3, headroom: isHDR ? 4 : 1))
      ).format
    }
    #expect(try format(.pq).dynamicRange == .hdr10 && format(.pq).bitDepth == 10)
    #expect(try format(.hlg).dynamicRange.transfer == .hlg)
    #expect(try format(.standard).dynamicRange == .sdr)
    #expect(try format(.pq).primaries == .bt2020 && format(.pq).size == KnownPicture.size)
    let map = try TestHEIF.twoStopStill().format
    #expect(map.hasGainMap && map.dynamicRange == .sdr && map.isHighDynamicRange)
  }

  /// Passed on byte for byte, from a file and from memory.
  @Test func storedBytesAreTheFile() throws {
    let bytes = try JPEGWriter(.init(.jpeg)).encode(KnownPicture.picture(.displayP3, headroom: 1))
    #expect(try StillImage(bytes).storedBytes == bytes)
    let path = NSTemporaryDirectory() + "stored-\(UUID().uuidString).jpg"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(bytes).write(to: URL(filePath: path))
    #expect(try StillImage(contentsOf: URL(filePath: path)).storedBytes == bytes)
  }
}

import Containers
import ImageCore
import Testing

@testable import RawDecode

/// The Exif block of the JPEG in a RAF.
@Suite struct FujifilmExifTests {
  /// The header of a RAF, and a JPEG with `comments`, optionally a scan, and Exif.
  private func file(
    comments: Int, scan: Bool = false, limits: DecodeLimits = DecodeLimits()
  ) throws -> FileBytes {
    var bytes = Array("FUJIFILMCCD-RAW ".utf8)
    bytes += [UInt8](repeating: 0, count: 84 - bytes.count)
    bytes += UInt32(88).bytes(bigEndian: true)
    bytes += [0xFF, 0xD8]
    for _ in 0..<comments { bytes += [0xFF, 0xFE, 0, 2] }
    if scan { bytes += [0xFF, 0xDA, 0, 2] }
    let block =
      Array("II".utf8) + [42, 0, 8, 0, 0, 0]
      + TIFFDirectoryWriter().bytes([TIFFField(0x010F, .ascii("FUJIFILM"))], at: 8)
    bytes += JPEGIdentifier.exif.segment(block)
    return try FileBytes(bytes, limits: limits)
  }

  private func make(_ file: FileBytes) -> String? {
    CaptureMetadata.fujiExif(file)?.first[0x010F]?.text
  }

  @Test func itIsFoundBehindOtherSegments() throws {
    #expect(try make(file(comments: 0)) == "FUJIFILM")
    #expect(try make(file(comments: 50)) == "FUJIFILM")
    #expect(try make(file(comments: 0, scan: true)) == nil)
  }

  @Test func itIsNotLookedForBehindMoreSegmentsThanTheLimit() throws {
    let limits = DecodeLimits(maxItems: 50)
    #expect(try make(file(comments: 49, limits: limits)) == "FUJIFILM")
    #expect(try make(file(comments: 50, limits: limits)) == nil)
  }
}

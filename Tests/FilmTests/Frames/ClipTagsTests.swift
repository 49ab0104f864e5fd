import Foundation
import TestSupport
import Testing

@testable import Film

struct ClipTagsTests {
  /// A TIFF with these two tags alone, little-endian.
  private static func tiff(rate: (Int32, Int32), timecode: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0]
    func put(_ value: UInt32, _ width: Int) {
      for byte in 0..<width { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(byte)))) }
    }
    let data = UInt32(8 + 2 + 24 + 4)
    put(51043, 2)
    put(1, 2)
    put(UInt32(timecode.count), 4)
    put(data + 8, 4)
    put(51044, 2)
    put(10, 2)
    put(1, 4)
    put(data, 4)
    put(0, 4)
    put(UInt32(bitPattern: rate.0), 4)
    put(UInt32(bitPattern: rate.1), 4)
    return bytes + timecode
  }

  @Test("Rate and time code are those of the tags")
  func tags() throws {
    let folder = try TestFolder()
    let path = try folder.write(
      Self.tiff(rate: (30, 1), timecode: [0x01, 0x10, 0x16, 0x02, 0, 0, 0, 0]), to: "a.dng")
    let tags = ClipTags(path: path)
    #expect(tags.rate?.description == "30/1")
    #expect(tags.timecode?.description == "02:16:10:01")
  }

  @Test("Nonsense and files that are none have no tags")
  func damaged() throws {
    let folder = try TestFolder()
    let path = try folder.write(Self.tiff(rate: (0, 0), timecode: [0xFF]), to: "a.dng")
    #expect(ClipTags(path: path) == ClipTags())
    #expect(ClipTags(path: folder.file("missing")) == ClipTags())
    let whole = Self.tiff(rate: (25, 1), timecode: [0, 0, 0, 0, 0, 0, 0, 0])
    for count in 0..<whole.count {
      _ = ClipTags(path: try folder.write(Array(whole[..<count]), to: "cut.dng"))
    }
  }
}

import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import TestSupport
import Testing

@testable import Containers
@testable import RawDecode

@Suite struct CanonRawDecoderTests {
  static let files = ["raws/canon30d_IMG_0848.CR2", "raws/canonG10_plant_window.cr2"]

  @Test(arguments: files) func samplesAndLevelsMatchTheOtherDecoder(_ name: String) throws {
    let path = try SharedFiles.path(name)
    let file = try RawFile.open(path: path)
    #expect(file.isCanonRaw)
    let data = try file.decode()
    let other = try file.decode(by: .libRaw)
    #expect(data.size == other.size)
    #expect(data.allCounts == other.allCounts)
    #expect(data.levels == other.levels)
    print("CR2", name, data.size, Set(data.levels.black))
  }

  /// LibRaw 0.20 divides by the slice width without a check. Offset from the start of the entry,
  /// and replacement bytes.
  @Test(
    arguments: [
      // No type, no count, outside the file, another type, no width, no last width.
      (2, [0, 0]), (4, [0, 0, 0, 0]), (4, [2, 0, 0, 0]), (8, [255, 255, 255, 127]),
      (2, [4, 0]), (nil, [2, 0, 0, 0, 9, 0]), (nil, [3, 0, 1, 0, 0, 0]),
    ] as [(Int?, [UInt8])])
  func slicesWithoutWidthAreRefused(_ offset: Int?, _ change: [UInt8]) throws {
    let sample = try #require(CameraSample.all.first { $0.raw.coding == .cr2 })
    var bytes = try sample.busy().written().bytes
    let tiff = try #require(try TIFFFile(FileBytes(bytes)))
    let entry = try #require(tiff.directory(.main(3))?[50752])
    let start = offset.map { entry.position + $0 } ?? entry.offset
    bytes.replaceSubrange(start..<start + change.count, with: change)
    let error = try #require(throws: RAWError.self) { try RawFile.open(bytes: bytes) }
    #expect(error.code == .damaged && error.message.contains("slice widths"))
  }

  /// Changed bytes in headers and data: a picture or an error, never a trap.
  @Test func changedBytesNeverTrap() throws {
    let path = try SharedFiles.path(Self.files[0])
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var numbers = TestNumbers(state: 13)
    let limits = DecodeLimits(maxPixels: 40_000_000, maxDecodeBytes: 128 << 20)
    let file = try #require(try TIFFFile(FileBytes(bytes)))
    let data = try #require(file.directory(.main(3))?[273]?.integer)
    var refused = 0
    for round in 0..<24 {
      var changed = bytes
      for _ in 0...numbers.next(3) {
        let range = round % 2 == 0 ? data..<data + 200 : data..<bytes.count
        changed[range.lowerBound + numbers.next(range.count)] = UInt8(numbers.next(256))
      }
      if (try? RawFile.open(bytes: changed, limits: limits).decode()) == nil { refused += 1 }
    }
    #expect(refused > 0)
  }
}

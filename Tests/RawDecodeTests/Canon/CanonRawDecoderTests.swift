import Foundation
import ImageCore
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

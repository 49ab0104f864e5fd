import Containers
import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import TestSupport
import Testing

@testable import RawDecode

@Suite struct StoredProfileTests {
  /// A profile in ExtraCameraProfiles, big-endian regardless of the file.
  private func profile(_ name: String, at start: Int, range: [UInt8]? = nil) -> [UInt8] {
    var writer = TIFFStructure(bigEndian: true)
    writer.bytes = [0x4D, 0x4D, 0x43, 0x52, 0, 0, 0, 8]
    var entries: [(UInt16, UInt16, Int, [UInt8])] = [
      (50936, 2, name.utf8.count + 1, Array(name.utf8) + [0]), (50941, 4, 1, [0, 0, 0, 3]),
    ]
    // Too long for the field: after the directory, relative to the profile's own header.
    if range != nil { entries.append((52551, 7, 8, [0, 0, 0, 50])) }
    writer.directory(entries, next: 0)
    return writer.bytes + (range ?? [])
  }

  private func dng(_ build: (Int) -> [UInt8], wild: Bool = false) throws -> RawFile {
    var dng = AuxiliaryDNG()
    let offsets: (Int) -> TIFFValue = { .longs([UInt32($0), wild ? 0xFFFF_FFF0 : UInt32($0)]) }
    dng.fields[50933] = offsets(0)
    let start = try dng.bytes().count
    dng.fields[50933] = offsets(start)
    return try RawFile.open(bytes: dng.bytes() + build(start))
  }

  @Test func storedProfilesKeepTheirOrderAndTags() throws {
    let file = try dng { profile("abc", at: $0, range: [0, 1, 0, 1, 0, 0, 0, 0]) }
    // The profile in IFD 0 has matrices and no name.
    #expect(file.storedProfiles.map(\.name) == [nil, "abc", "abc"])
    #expect(file.storedProfiles.map(\.isHDR) == [false, true, true])
    #expect(file.storedProfiles[1][50941]?.integer == 3)
    #expect(file.storedProfiles[0][50721] != nil && file.storedProfiles[0][256] == nil)
  }

  @Test func offsetsToNoProfileAreAnError() {
    #expect(throws: RAWError.self) { try dng({ profile("abc", at: $0) }, wild: true) }
    #expect(throws: RAWError.self) { try dng { _ in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } }
  }
}

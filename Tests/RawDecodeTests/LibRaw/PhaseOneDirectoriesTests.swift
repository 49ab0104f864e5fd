import Containers
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode

@Suite struct PhaseOneDirectoriesTests {
  private static let old = LibRawVersion(major: 0, minor: 20)

  /// An IIQ in which the entry of the serial number is replaced by `tag` with `value`.
  private func file(
    _ tag: UInt32?, value: UInt32 = 0, appending more: [UInt8] = []
  ) throws -> [UInt8] {
    let sample = try #require(CameraSample.all.first { $0.raw.coding == .iiqRaw })
    var bytes = try sample.busy().written().bytes
    guard let tag else { return bytes }
    // The structure is at 8, the entries of its directory 24 bytes later.
    let entry = try #require(
      stride(from: 32, to: 512, by: 16).first { bytes[$0..<$0 + 4] == [0x02, 0x01, 0, 0] })
    func put(_ word: UInt32, at offset: Int) {
      for i in 0..<4 { bytes[offset + i] = UInt8(word >> (8 * i) & 255) }
    }
    put(tag, at: entry)
    put(value, at: entry + 12)
    return bytes + more
  }

  private func check(_ bytes: [UInt8], _ version: LibRawVersion = old) throws {
    try PhaseOneDirectories.requireEnd(FileBytes(bytes), installed: version)
  }

  @Test func serialNumberKeepsTheSecondDirectoryClosed() throws {
    try check(file(nil))
  }

  /// Without the serial number, LibRaw 0.20 reads the entry count beyond the end of the file.
  @Test func endlessDirectoryIsRefused() throws {
    let bytes = try file(0x7FFF)
    let error = try #require(throws: RAWError.self) { try check(bytes) }
    #expect(error.code == .damaged && error.message.contains("second directory"))
    try check(bytes, LibRawVersion(major: 0, minor: 21))
    // Otherwise hours.
    if LibRawVersion.installed == Self.old {
      #expect(throws: RAWError.self) { try RawFile.open(bytes: bytes) }
    }
  }

  @Test(arguments: [0, 3, 8192, 8193, .max] as [UInt32])
  func countOfEntriesHasALimit(_ count: UInt32) throws {
    let plain = try file(0x7FFF)
    let words: [UInt32] = [0x4949, 0, 12, count, 0]
    let directory = words.flatMap { word in (0..<4).map { UInt8(word >> (8 * $0) & 255) } }
    let bytes = try file(0x110, value: UInt32(plain.count - 8), appending: directory)
    if count <= 8192 {
      try check(bytes)
    } else {
      #expect(throws: RAWError.self) { try check(bytes) }
    }
  }

  /// Bodies without a name fill it with 0xFF.
  @Test func bodyNameOfNoTextDoesNotCount() throws {
    let plain = try file(0x7FFF)
    let at = UInt32(plain.count - 8)
    try check(file(0x410, value: at, appending: Array("XF camera".utf8)))
    let blank = try file(0x410, value: at, appending: [UInt8](repeating: 0xFF, count: 8))
    #expect(throws: RAWError.self) { try check(blank) }
  }

  @Test func otherFilesPass() throws {
    try check(Array("II*\0".utf8))
    try check(Array("IIIITwaR".utf8))
  }
}

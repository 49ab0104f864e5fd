import Testing

@testable import Containers

@Suite struct ICCTagTableTests {
  /// A profile whose table lists `count` tags, of which `rows` are there.
  private func profile(tags count: UInt32, rows: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: ICCTagTable.headerBytes)
    bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
    bytes += count.bytes(bigEndian: true)
    for row in 0..<rows {
      bytes += UInt32(0x4142_0000 + row).bytes(bigEndian: true)
      bytes += UInt32(0).bytes(bigEndian: true) + UInt32(4).bytes(bigEndian: true)
    }
    return bytes
  }

  @Test func tablesOfManyTagsAreRefused() {
    #expect(ICCTagTable(profile(tags: 0, rows: 0)) != nil)
    #expect(ICCTagTable(profile(tags: 100, rows: 100)) != nil)
    #expect(ICCTagTable(profile(tags: 101, rows: 101)) == nil)
    #expect(ICCTagTable(profile(tags: 100, rows: 99)) == nil)
    #expect(ICCTagTable(profile(tags: .max, rows: 1)) == nil)
  }
}

import ImageCore
import Testing

@testable import Containers

@Suite struct CaptureMetadataTIFFTests {
  /// As many entries as a directory can list, each of which was looked up among all others.
  @Test func manyEntriesAreRead() throws {
    let fields = (1...60_000).map { TIFFField(UInt16($0), .shorts([7])) }
    let writer = TIFFDirectoryWriter()
    let image = writer.bytes([TIFFField(TIFFTag.exifDirectory, .longs([100]))], at: 8)
    var block = Array("II".utf8) + [42, 0, 8, 0, 0, 0] + image
    block += [UInt8](repeating: 0, count: 100 - block.count) + writer.bytes(fields, at: 100)
    let metadata = CaptureMetadata(try #require(try TIFFFile(FileBytes(block))))
    let tags = metadata.entries.map(\.tag)
    // All but the ten that describe the storage.
    #expect(tags.count == 59_990 && tags == tags.sorted())
    #expect(metadata.entries.allSatisfy { $0.directory == .exif && $0.value == .shorts([7]) })
  }
}

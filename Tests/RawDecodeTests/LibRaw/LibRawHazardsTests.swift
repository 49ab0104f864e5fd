import Containers
import ImageCore
import Testing

@testable import RawDecode

@Suite struct LibRawHazardsTests {
  private func refusal(_ bytes: [UInt8]) throws -> String {
    let error = try #require(throws: RAWError.self) { try RawFile.open(bytes: bytes) }
    #expect(error.code == .damaged)
    return error.message
  }

  /// A movie of 2^63 bytes, and a track longer than its movie.
  @Test func boxesLongerThanTheirsAreRefused() throws {
    let type = ISOBox.bytes("ftyp", Array("crx ".utf8))
    let endless: [UInt8] = [0, 0, 0, 1] + Array("moov".utf8) + [0x80, 0, 0, 0, 0, 0, 0, 0]
    let track: [UInt8] = [0, 0, 1, 0] + Array("trak".utf8)
    for movie in [endless, ISOBox.bytes("moov", track)] {
      #expect(try refusal(type + movie).contains("beyond the end of the file"))
    }
    // A file truncated within its pixels still has its metadata.
    let cut = type + ISOBox.bytes("moov", []) + [0, 0, 1, 0] + Array("mdat".utf8)
    #expect(try !CR3Boxes(FileBytes(cut)).hasOverrun)
  }

  /// LibRaw accepts any type, and libjpeg there prints errors about tiles.
  @Test func lossyTilesNeedADNGVersion() throws {
    var file = StoredFile(
      size: PixelSize(width: 64, height: 48), samplesPerPixel: 3, bits: 8, compression: 34892)
    file.codes = [UInt32](repeating: 93, count: file.size.area * 3)
    var bytes = try file.bytes()
    _ = try RawFile.open(bytes: bytes)
    let entry: [UInt8] = [0x12, 0xC6, 4, 0, 4, 0, 0, 0]
    let found = try #require(bytes.indices.first { bytes[$0...].starts(with: entry) })
    // Not a TIFF type.
    bytes[found + 2] = 33
    #expect(try refusal(bytes).contains("DNGVersion"))
  }

  /// LibRaw 0.20 writes out of bounds for an unterminated name.
  @Test(arguments: [272, 50708] as [UInt16])
  func namesOfHasselbladsNeedTheirEnd(tag: UInt16) throws {
    func file(_ name: String) -> [UInt8] {
      let fields = [TIFFField(271, .ascii("Hasselblad")), TIFFField(tag, .ascii(name))]
      let start: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
      return start + TIFFDirectoryWriter().bytes(fields, at: 8)
    }
    #expect(try refusal(file(String(repeating: "x", count: 48))).contains("camera name"))
    let other = try #require(throws: RAWError.self) {
      try RawFile.open(bytes: file("Hasselblad H4D-200MS"))
    }
    #expect(!other.message.contains("camera name"))
  }
}

import Containers
import ImageCore
import Testing

@testable import RawDecode

@Suite struct CR3BoxesTests {
  private static let canon: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]

  /// A file whose movie box contains boxes `uuid` with these contents.
  private func boxes(_ contents: [[UInt8]], cut: Int = 0) throws -> CR3Boxes {
    let inner = contents.flatMap { ISOBox.bytes("uuid", $0) }
    let file = ISOBox.bytes("ftyp", Array("crx ".utf8)) + ISOBox.bytes("moov", inner)
    return try CR3Boxes(FileBytes(Array(file.dropLast(cut))))
  }

  @Test func metadataIsFoundInCanonsBox() throws {
    let boxes = try boxes([[1, 2, 3], Self.canon + ISOBox.bytes("CMT1", [7])])
    #expect(boxes.isComplete)
    // Headers: ftyp with 4 bytes, moov, uuid with 3 bytes, uuid with its name, CMT1.
    let start = 12 + 8 + 11 + 8 + 16 + 8
    #expect(boxes.blocks == ["CMT1": start..<start + 1])
  }

  /// Only the blocks of Exif and of the maker note are read.
  @Test func blocksAreReadByTheirNames() throws {
    func block(_ name: String, _ field: TIFFField) -> [UInt8] {
      let start: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
      return ISOBox.bytes(name, start + TIFFDirectoryWriter().bytes([field], at: 8))
    }
    var blocks = block("CMT1", TIFFField(0x0131, .ascii("one")))
    blocks += block("CMT5", TIFFField(0x0131, .ascii("five")))
    blocks += block("CMT2", TIFFField(0xA434, .ascii("two")))
    blocks += block("CMT4", TIFFField(0x12, .ascii("four")))
    blocks += ISOBox.bytes("CMT3", [1, 2, 3])
    let movie = ISOBox.bytes("moov", ISOBox.bytes("uuid", Self.canon + blocks))
    let file = try FileBytes(ISOBox.bytes("ftyp", Array("crx ".utf8)) + movie)
    let metadata = CaptureMetadata(file, nil, .example("Canon", "EOS R5"))
    #expect(metadata[.image, 0x0131] == .ascii("one"))
    #expect(metadata[.exif, 0xA434] == .ascii("two"))
    #expect(metadata[.gps, 0x12] == .ascii("four"))
    #expect(metadata.makerNote == nil)
  }

  /// A box that ends before the 16 bytes of its name, even if the following bytes would complete
  /// it.
  @Test func shortNamesAreNone() throws {
    for count in 0..<16 {
      let boxes = try boxes([Array(Self.canon.prefix(count)), Array(Self.canon.dropFirst(count))])
      #expect(boxes.isComplete && boxes.blocks.isEmpty, "\(count)")
    }
  }

  private func failure(_ file: [UInt8], _ limits: DecodeLimits = DecodeLimits()) -> String? {
    do {
      _ = try CR3Boxes(FileBytes(file, limits: limits))
      return nil
    } catch {
      #expect(error.code == .tooLarge)
      return error.message
    }
  }

  /// Nested boxes of a track, `depth` of them including movie and track.
  private func nested(_ depth: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for level in 0..<depth {
      bytes += UInt32(8 * (depth - level)).bytes(bigEndian: true)
      let name = level == 0 ? "moov" : level == 1 ? "trak" : "mdia"
      bytes += Array(name.utf8)
    }
    return bytes
  }

  @Test func nestingIsBounded() {
    #expect(failure(nested(64)) == nil)
    #expect(
      failure(nested(65))
        == "its boxes are nested more than 64 deep, the limit; skip it or write it again"
    )
    #expect(failure(nested(1_000_000)) != nil)
    #expect(failure(nested(5), DecodeLimits(maxNesting: 5)) == nil)
    #expect(failure(nested(6), DecodeLimits(maxNesting: 5)) != nil)
  }

  @Test func boxesAreCounted() {
    let five = Array((0..<5).flatMap { _ in ISOBox.bytes("free", [UInt8]()) })
    #expect(failure(five, DecodeLimits(maxItems: 5)) == nil)
    #expect(failure(five, DecodeLimits(maxItems: 4))?.contains("more than 4 boxes") == true)
  }

  @Test func cutFilesAreIncomplete() throws {
    for cut in 1..<20 { #expect(try !boxes([Self.canon], cut: cut).isComplete, "\(cut)") }
  }
}

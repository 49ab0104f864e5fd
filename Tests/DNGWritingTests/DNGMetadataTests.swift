import Containers
import ImageCore
import RawDecode
import RawTestSupport
import Testing

@testable import DNGWriting

@Suite struct DNGMetadataTests {
  /// A description that a sidecar spells with other bytes takes the place of the raw's own.
  @Test func textsAreTheirBytes() throws {
    let description: UInt16 = 0x010E
    var dng = TinyDNG()
    dng.fields[description] = .text("\u{E9}")
    let raw = try RawFile.open(bytes: Array(dng.data))
    func fields(describedAs text: String) -> [TIFFField] {
      var metadata = raw.metadata
      metadata[.image, description] = .ascii(text)
      let written = DNGMetadata(
        raw, metadata, XMPSourceReference(name: "", md5: []), DNGFields(bigEndian: false))
      return written.image.filter { $0.tag == description }
    }
    #expect(fields(describedAs: "\u{E9}").isEmpty)
    #expect(
      fields(describedAs: "e\u{301}") == [TIFFField(description, .ascii("e\u{301}"))])
  }

  @Test func textsEndAtTheirFirstZero() {
    let make = DNGFields(bigEndian: true)
    #expect(make.text(305, "a\u{301}\0b").payload == Array("a\u{301}\0".utf8))
  }
}

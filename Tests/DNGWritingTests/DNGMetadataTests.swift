import Containers
import ImageCore
import RawDecode
import RawTestSupport
import Testing

@testable import DNGWriting

@Suite struct DNGMetadataTests {
  /// A description that a sidecar encodes in other bytes replaces the raw's own.
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

  // MARK: Data that cannot be preserved

  private static let reference = XMPSourceReference(
    name: "a.raw", md5: [UInt8](repeating: 0xAB, count: 16))

  private func written(
    _ raw: RawFile, _ metadata: CaptureMetadata? = nil
  ) -> DNGMetadata {
    DNGMetadata(raw, metadata ?? raw.metadata, Self.reference, DNGFields(bigEndian: false))
  }

  private static func raw(xmp label: String) throws -> (file: RawFile, packet: [UInt8]) {
    // One byte per character: Latin 1.
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPNamespace.rdf.uri)">
      <rdf:Description rdf:about="" xmlns:xmp="\(XMPNamespace.basic.uri)" xmp:Rating="4"
      xmp:Label="\(label)"/></rdf:RDF></x:xmpmeta>
      """.unicodeScalars.map { UInt8($0.value) }
    var dng = TinyDNG()
    dng.fields[TIFFTag.xmp] = TinyDNG.Value(type: 1, count: packet.count) { _ in packet }
    return (try RawFile.open(bytes: Array(dng.data)), packet)
  }

  /// The raw may be deleted: XMP that would lose a part is copied byte for byte.
  @Test(arguments: ["Q&A", "caf\u{E9}", "a < b"]) func damagedXMPStays(label: String) throws {
    let (raw, packet) = try Self.raw(xmp: label)
    let made = written(raw)
    let field = made.image.first { $0.tag == TIFFTag.xmp }
    #expect(field?.payload == packet && made.keepsXMP)
    #expect(made.notes.count == 1 && made.notes[0].contains("copied unchanged"))
    // It replaces a sidecar's merged XMP.
    var described = raw.metadata
    described.xmp = XMPWriter.packet(descriptions: [])
    let other = written(raw, described)
    #expect(!other.keepsXMP && other.notes.count == 1)
    #expect(other.notes[0].contains("sidecar"))
  }

  @Test func soundXMPNamesTheSource() throws {
    let made = written(try Self.raw(xmp: "Q&amp;A").file)
    let field = try #require(made.image.first { $0.tag == TIFFTag.xmp })
    #expect(XMPSourceReference.md5(in: field.payload) == Self.reference.md5)
    #expect(!made.keepsXMP && made.notes.isEmpty)
  }

  /// A raw with these entries of Exif, and of the interoperability directory.
  private func raw(
    _ exif: [TIFFField], interoperability: [TIFFField] = []
  ) throws -> RawFile {
    var dng = TinyDNG()
    dng.fields[TIFFTag.exifDirectory] = .longs([0])
    let start = dng.data.count
    dng.fields[TIFFTag.exifDirectory] = .longs([start])
    let writer = TIFFDirectoryWriter()
    func directory(_ pointer: Int) -> [UInt8] {
      let more = TIFFField(TIFFTag.interoperabilityDirectory, .longs([UInt32(pointer)]))
      return writer.bytes(interoperability.isEmpty ? exif : exif + [more], at: start)
    }
    let end = start + directory(0).count
    return try RawFile.open(
      bytes: Array(dng.data) + directory(end) + writer.bytes(interoperability, at: end))
  }

  @Test func longMakerNotesAreNamed() throws {
    func notes(_ field: TIFFField) throws -> [String] { written(try raw([field])).notes }
    let long = try notes(
      TIFFField(TIFFTag.makerNote, .undefined([UInt8](repeating: 1, count: 5 << 20))))
    #expect(long.count == 1 && long[0].contains("longer than 4 MiB"))
    #expect(try notes(TIFFField(TIFFTag.makerNote, .longs([1, 2, 3, 4, 5]))).count == 1)
    #expect(try notes(TIFFField(TIFFTag.makerNote, .undefined([0, 0, 0]))).isEmpty)
    #expect(
      try notes(TIFFField(TIFFTag.makerNote, .undefined(Array("FUJIFILM note".utf8)))).isEmpty)
  }

  @Test func longEntriesOfInteroperabilityStay() throws {
    let fields = [
      TIFFField(1, .ascii("R98")),
      TIFFField(0x1000, .undefined([UInt8](repeating: 3, count: 300))),
    ]
    let exif = [TIFFField(0x9286, .undefined([1, 2, 3, 4, 5]))]
    let made = written(try raw(exif, interoperability: fields))
    #expect(made.interoperability == fields && made.notes.isEmpty)
    // An entry outside the file.
    let lost = [TIFFField(0x1000, undefined: 300, at: 1 << 30, bigEndian: false)]
    let other = written(try raw(exif, interoperability: lost))
    #expect(other.interoperability.isEmpty && other.notes.count == 1)
  }
}

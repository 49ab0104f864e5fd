import Testing

@testable import Containers

/// A file's XMP names what it was made of, and keeps all else.
@Suite struct XMPSourceReferenceTests {
  private let reference = XMPSourceReference(
    name: "a & <b>.CR2", md5: (0..<16).map { UInt8($0 * 17) })

  private func derivation(_ packet: [UInt8]) -> XMPValue? {
    XMPPacket(lenient: packet)[.media, "DerivedFrom"]
  }

  @Test func newPacketsHaveNothingElse() throws {
    let packet = try reference.added(to: nil)
    #expect(XMPSourceReference.md5(in: packet) == reference.md5)
    let found = try XMPPacket(wellFormed: packet)
    #expect(found.properties.count == 1)
    #expect(derivation(packet)?[XMPName(.reference, "filePath")]?.text == reference.name)
    #expect(
      derivation(packet)?[XMPName(.reference, "instanceID")]?.text
        == "md5:00112233445566778899aabbccddeeff")
  }

  @Test func soundPacketsKeepTheirBytes() throws {
    var description = XMPDescription(.dublinCore)
    description.add(.dublinCore, "subject", .bag, ["one", "two"])
    description.add(
      .media, "DerivedFrom", fields: [(.reference, "documentID", "old")])
    let source = XMPWriter.packet(descriptions: [description.text])
    let packet = try reference.added(to: source)
    #expect(derivation(packet)?[XMPName(.reference, "documentID")] == nil)
    #expect(XMPSourceReference.md5(in: packet) == reference.md5)
    let lines = String(decoding: source, as: UTF8.self).split(separator: "\n")
    let text = String(decoding: packet, as: UTF8.self)
    for line in lines where !line.contains("DerivedFrom") && !line.contains("documentID") {
      #expect(text.contains(String(line).trimmingSpace), "\(line)")
    }
    #expect(XMPPacket(lenient: packet)[.dublinCore, "subject"] != nil)
    // The same again changes nothing.
    let again = try reference.added(to: packet)
    #expect(XMPPacket(lenient: again) == XMPPacket(lenient: packet))
  }

  private func packet(_ descriptions: String, prefix: String = "rdf") -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><\(prefix):RDF xmlns:\(prefix)="\(XMPNamespace.rdf.uri)">
      <\(prefix):Description \(prefix):about="" xmlns:xmp="\(XMPNamespace.basic.uri)" xmp:Rating="3"
      />\(descriptions)</\(prefix):RDF></x:xmpmeta>
      """.utf8)
  }

  /// What cannot be read would be lost: an unclosed tag, undeclared prefixes, an invalid reference,
  /// too many levels, bytes that are not text.
  @Test(arguments: [
    "<rdf:Description", "<rdf:Description><dc:source/></rdf:Description>",
    "<rdf:Description xmp:Label='Q&A'/>", "<rdf:Description xmp:Label='&unknown;'/>",
    String(repeating: "<rdf:Description>", count: 70)
      + String(repeating: "</rdf:Description>", count: 70),
  ])
  func damagedPacketsAreRefused(damage: String) throws {
    let damaged = packet(damage)
    #expect(throws: XMPFault.self) { try reference.added(to: damaged) }
    let latin1 = Array(packet("<rdf:Description xmp:Label='?'/>")).map { $0 == 0x3F ? 0xE9 : $0 }
    #expect(throws: XMPFault.self) { try reference.added(to: latin1) }
    #expect(throws: XMPFault.self) { try reference.added(to: Array("no XMP".utf8)) }
    // What must be written whatever there was keeps what can be read.
    let name = XMPName(.basic, "Nickname")
    let written = XMPWriter.replacing(name, by: XMPDescription(.basic), in: damaged)
    #expect(try XMPPacket(wellFormed: written)[.basic, "Rating"]?.text == "3")
  }

  /// Packets that are read completely although their prefix is unusual or undeclared; and empty
  /// ones.
  @Test func oddPacketsKeepTheirProperties() throws {
    let odd = [
      packet("", prefix: "r"),
      Array("<x><rdf:RDF><rdf:Description tiff:Make='A'/></rdf:RDF></x>".utf8),
    ]
    for (source, name) in zip(odd, [XMPName.rating, XMPName(.tiff, "Make")]) {
      let made = try reference.added(to: source)
      #expect(XMPSourceReference.md5(in: made) == reference.md5)
      #expect(try XMPPacket(wellFormed: made)[name] == XMPPacket(lenient: source)[name])
      #expect(XMPPacket(lenient: source)[name] != nil)
    }
    for empty in ["", "  ", "<x:xmpmeta xmlns:x='adobe:ns:meta/'/>"] {
      let made = try reference.added(to: Array(empty.utf8))
      #expect(XMPSourceReference.md5(in: made) == reference.md5)
    }
  }

  @Test(arguments: [
    "", "md5:", "md5:0123", "00112233445566778899aabbccddeeff", "md5:zz",
    "md5:00112233445566778899aabbccddeeff\u{301}", StringBytesTests.marks,
  ])
  func othersNameNoDigest(id: String) {
    var description = XMPDescription(.media)
    description.add(.media, "DerivedFrom", fields: [(.reference, "instanceID", id)])
    let packet = XMPWriter.packet(descriptions: [description.text])
    #expect(XMPSourceReference.md5(in: packet) == nil)
    #expect(XMPSourceReference.md5(in: []) == nil)
  }
}

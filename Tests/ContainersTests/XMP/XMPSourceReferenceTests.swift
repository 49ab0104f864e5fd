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
    let packet = reference.added(to: nil)
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
    let packet = reference.added(to: source)
    #expect(derivation(packet)?[XMPName(.reference, "documentID")] == nil)
    #expect(XMPSourceReference.md5(in: packet) == reference.md5)
    let lines = String(decoding: source, as: UTF8.self).split(separator: "\n")
    let text = String(decoding: packet, as: UTF8.self)
    for line in lines where !line.contains("DerivedFrom") && !line.contains("documentID") {
      #expect(text.contains(String(line).trimmingSpace), "\(line)")
    }
    #expect(XMPPacket(lenient: packet)[.dublinCore, "subject"] != nil)
    // The same again changes nothing.
    #expect(XMPPacket(lenient: reference.added(to: packet)) == XMPPacket(lenient: packet))
  }

  /// A tag that does not end, and one whose prefix is not declared.
  @Test(arguments: ["<rdf:Description", "<rdf:Description><dc:source/></rdf:Description>"])
  func damagedPacketsKeepWhatCanBeRead(damage: String) throws {
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPNamespace.rdf.uri)">
      <rdf:Description rdf:about="" xmlns:xmp="\(XMPNamespace.basic.uri)" xmp:Rating="3"/>
      \(damage)
      """
    let packet = reference.added(to: Array(text.utf8))
    let found = try XMPPacket(wellFormed: packet)
    #expect(found[.basic, "Rating"]?.text == "3")
    #expect(XMPSourceReference.md5(in: packet) == reference.md5)
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

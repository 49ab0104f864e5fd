import Testing

@testable import Containers

/// Names, namespaces and texts are the same where their bytes are.
@Suite struct XMPPacketTests {
  @Test func valuesAreBytes() {
    let (one, two) = (XMPValue.text("\u{E9}"), XMPValue.text("e\u{301}"))
    #expect(one != two && one == .text("\u{E9}") && Set([one, two, one]).count == 2)
    #expect(XMPValue.list([one]) != .list([two]) && XMPValue.list([one]) != one)
    let name = XMPName(.cameraRaw, "Name")
    #expect(XMPValue.structure([name: one]) != .structure([name: two]))
    #expect(Set([XMPValue.structure([name: one]), .structure([name: one])]).count == 1)
  }

  /// Marks that combine are read as any other text, as long as they may be.
  @Test func marksAreText() {
    let marks = StringBytesTests.marks
    let packet = XMPPacket(
      lenient: Array(
        """
        <rdf:RDF xmlns:rdf="\(XMPNamespace.rdf.uri)"><rdf:Description xmlns:m="\(marks)"
         xmlns:crs="\(XMPNamespace.cameraRaw.uri)" m:a="1" crs:\(marks)="2" crs:Tint="3">\
        <crs:List><rdf:Bag><rdf:li>\(marks)</rdf:li></rdf:Bag></crs:List>\
        <crs:Text rdf:parseType="\(marks)">4</crs:Text><crs:Other><rdf:\(marks)/></crs:Other>\
        </rdf:Description></rdf:RDF>
        """.utf8))
    #expect(packet[XMPName(marks, "a")]?.text == "1")
    #expect(packet[.cameraRaw, marks]?.text == "2")
    #expect(packet[.cameraRaw, "List"] == .list([.text(marks)]))
    #expect(packet[.cameraRaw, "Text"] == .text("4"))
    // No schema has non-ASCII names.
    #expect(packet.fields(in: .cameraRaw).keys.sorted() == ["List", "Other", "Text", "Tint"])
  }

  @Test func truthIsShort() {
    for text in ["True", "true", "1", " TRUE "] { #expect(XMPValue.text(text).truth == true) }
    for text in ["False", "0"] { #expect(XMPValue.text(text).truth == false) }
    for text in ["", "yes", "true" + StringBytesTests.marks] {
      #expect(XMPValue.text(text).truth == nil)
    }
  }

  @Test func preservedPropertiesAreComparedAsBytes() {
    let marks = StringBytesTests.marks
    let other = XMPName(marks, "GPS")
    #expect(FinishedProperties.contains(other) && FinishedProperties.isOfSidecars(other))
    #expect(!FinishedProperties.isOfRights(other) && !FinishedProperties.isOfPositions(other))
    #expect(!FinishedProperties.contains(XMPName(XMPNamespace.cameraRaw.uri + marks, "a")))
    #expect(FinishedProperties.isOfSidecars(XMPName(.exif, "GPSLatitude")))
    #expect(!FinishedProperties.isOfSidecars(XMPName(.exif, "FNumber")))
    #expect(FinishedProperties.isOfRights(XMPName(.plus, "Licensor")))
  }
}

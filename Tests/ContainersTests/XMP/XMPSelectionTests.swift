import Testing

@testable import Containers

@Suite struct XMPSelectionTests {
  @Test func elementsMoveWithTheirNamespaces() throws {
    let packet = Array(
      """
      <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:a="urn:a:"
        xmlns:b="urn:outer:"><r:Description xmlns:b="urn:b:" xmlns:c="urn:c:" b:one='1' c:two="2"
        ><a:three r:parseType="Resource"><b:in>3</b:in></a:three><a:three>4</a:three
        ></r:Description></r:RDF>
      """.utf8)
    let taken = XMPSelection(packet) { $0.namespace != "urn:c:" }
    #expect(taken.names == [XMPName("urn:b:", "one"), XMPName("urn:a:", "three")])
    #expect(!taken.descriptions.joined().contains("urn:c:"))
    let moved = try XMPPacket(wellFormed: XMPWriter.packet(descriptions: taken.descriptions))
    let original = try XMPPacket(wellFormed: packet)
    #expect(moved.properties == original.properties.filter { $0.key.namespace != "urn:c:" })
  }

  /// Whatever the packet, what is taken makes a well-formed one.
  @Test func damagedPackets() {
    let text =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-"
      + "syntax-ns#'><rdf:Description xmlns:a='urn:a:' a:b='c'><a:d>&lt;<a:e/></a:d>"
      + "<a:f><![CDATA[g]]></a:f></rdf:Description></rdf:RDF></x:xmpmeta>"
    for index in text.utf8.indices {
      for byte in "<>&'x\u{0} ".utf8 {
        var bytes = Array(text.utf8)
        bytes[text.utf8.distance(from: text.startIndex, to: index)] = byte
        let taken = XMPSelection(bytes) { _ in true }
        let packet = XMPWriter.packet(descriptions: taken.descriptions)
        #expect(XMLTree(packet, .wellFormed).fault == nil)
      }
    }
  }

  /// The cost of a packet follows from its length, whatever it repeats.
  @Test func bombsAreCut() {
    func packet(_ uri: String, _ count: Int) -> [UInt8] {
      let head = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:a='"
      let items = (0..<count).map { "<rdf:Description a:p\($0)='1'/>" }.joined()
      return Array((head + uri + "'>" + items + "</rdf:RDF>").utf8)
    }
    #expect(XMPSelection(packet("urn:a:", 1000)) { _ in true }.descriptions.count == 256)
    let long = packet("urn:" + String(repeating: "a", count: 1024), 2)
    #expect(XMPSelection(long) { _ in true }.descriptions.isEmpty)
  }
}

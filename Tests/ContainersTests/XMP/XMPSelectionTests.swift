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
    let selected = XMPSelection(packet) { $0.namespace != "urn:c:" }
    #expect(selected.names == [XMPName("urn:b:", "one"), XMPName("urn:a:", "three")])
    #expect(!selected.descriptions.joined().contains("urn:c:"))
    let moved = try XMPPacket(wellFormed: XMPWriter.packet(descriptions: selected.descriptions))
    let original = try XMPPacket(wellFormed: packet)
    #expect(moved.properties == original.properties.filter { $0.key.namespace != "urn:c:" })
  }

  /// Of the namespaces around a description those that its names need, in their order; mentions in
  /// a text do not count.
  @Test func onlyNamespacesInUseMove() {
    let packet = Array(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:a="urn:a:"
        xmlns:b="urn:b:" xmlns:c="urn:c:" xmlns:d="urn:outer:"><rdf:Description rdf:about=""
        xmlns:d="urn:d:" xmlns:e="urn:e:" d:one="a:b:e:"><c:two>e:<tiff:f a:g="1"/></c:two
        ></rdf:Description></rdf:RDF>
      """.utf8)
    let text = """
        <rdf:Description rdf:about=""
          xmlns:d="urn:d:"
          xmlns:a="urn:a:"
          xmlns:c="urn:c:"
          xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
          d:one="a:b:e:">
         <c:two>e:<tiff:f a:g="1"/></c:two>
        </rdf:Description>
      """
    let selected = XMPSelection(packet) { _ in true }
    func squeezed(_ text: String) -> String { text.filter { $0 != "\n" && $0 != " " } }
    #expect(selected.descriptions.map(squeezed) == [squeezed(text)])
  }

  /// For any packet, the selection makes a well-formed one.
  @Test func damagedPackets() {
    let text =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-"
      + "syntax-ns#'><rdf:Description xmlns:a='urn:a:' a:b='c'><a:d>&lt;<a:e/></a:d>"
      + "<a:f><![CDATA[g]]></a:f></rdf:Description></rdf:RDF></x:xmpmeta>"
    for index in text.utf8.indices {
      for byte in "<>&'x\u{0} ".utf8 {
        var bytes = Array(text.utf8)
        bytes[text.utf8.distance(from: text.startIndex, to: index)] = byte
        let selected = XMPSelection(bytes) { _ in true }
        let packet = XMPWriter.packet(descriptions: selected.descriptions)
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

  /// Long declarations around many descriptions that use all of them.
  @Test func growthIsBounded() {
    let uri = String(repeating: "u", count: 1000)
    let declarations = (0..<40).map { " xmlns:q\($0)='\(uri)\($0)'" }.joined()
    let items = (0..<200).map { item in
      let properties = (0..<40).map { " q\($0):p\(item)=''" }.joined()
      return "<rdf:Description\(properties)/>"
    }.joined()
    let packet = Array(
      ("<rdf:RDF xmlns:rdf='\(XMPNamespace.rdf.uri)'" + declarations + ">" + items + "</rdf:RDF>")
        .utf8)
    let selected = XMPSelection(packet) { _ in true }.descriptions
    let bytes = selected.reduce(0) { $0 + $1.utf8.count }
    #expect(!selected.isEmpty && bytes <= 4 * packet.count + (1 << 16))
  }
}

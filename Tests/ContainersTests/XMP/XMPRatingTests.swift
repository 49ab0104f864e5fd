import Testing

@testable import Containers

@Suite struct XMPRatingTests {
  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private static let xmp = "http://ns.adobe.com/xap/1.0/"

  /// As darktable 4 writes it: attributes on lines of their own, the history in elements.
  private static func darktable(_ rating: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
     <rdf:RDF xmlns:rdf="\(rdf)">
      <rdf:Description rdf:about=""
        xmlns:exif="http://ns.adobe.com/exif/1.0/"
        xmlns:xmp="\(xmp)"
        xmlns:darktable="http://darktable.sf.net/"
       exif:DateTimeOriginal="2009:03:14 15:09:26"\(rating)
       darktable:xmp_version="5">
       <darktable:history>
        <rdf:Seq>
         <rdf:li
          darktable:num="0"
          darktable:params="0000"/>
        </rdf:Seq>
       </darktable:history>
      </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>

    """
  }

  /// As Lightroom writes it, with padding, here with properties as elements and a comment.
  private static func lightroom(_ rating: String) -> String {
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Adobe XMP Core 7.0">
     <rdf:RDF xmlns:rdf="\(rdf)">
      <!-- by hand -->
      <rdf:Description rdf:about="" xmlns:xap="\(xmp)"
        xmlns:crs='http://ns.adobe.com/camera-raw-settings/1.0/'>
       <crs:Exposure2012>+0.75</crs:Exposure2012>\(rating)
       <xap:CreatorTool>a &amp; b</xap:CreatorTool>
      </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>
          
    <?xpacket end="w"?>
    """
  }

  private func set(_ rating: Int, in text: String) throws -> String {
    String(decoding: try XMPRating.set(rating, in: Array(text.utf8)), as: UTF8.self)
  }

  @Test(arguments: -1...5) func attributesChangeWhereTheyAre(rating: Int) throws {
    let before = Self.darktable("\n   xmp:Rating=\"2\"")
    let after = try set(rating, in: before)
    #expect(after == Self.darktable("\n   xmp:Rating=\"\(rating)\""))
    #expect(try set(2, in: after) == before)
  }

  @Test(arguments: [
    ("\n   <xap:Rating>4</xap:Rating>", "\n   <xap:Rating>-1</xap:Rating>"),
    ("<xap:Rating>\n4 <!-- four --></xap:Rating>", "<xap:Rating>\n-1 <!-- four --></xap:Rating>"),
    ("<xap:Rating ><![CDATA[4]]></xap:Rating >", "<xap:Rating >-1</xap:Rating >"),
    ("<xap:Rating></xap:Rating>", "<xap:Rating>-1</xap:Rating>"),
    ("<xap:Rating />", "<xap:Rating >-1</xap:Rating>"),
    ("<p:Rating xmlns:p='\(xmp)'/>", "<p:Rating xmlns:p='\(xmp)'>-1</p:Rating>"),
  ])
  func elementsChangeWhereTheyAre(before: String, after: String) throws {
    #expect(try set(-1, in: Self.lightroom(before)) == Self.lightroom(after))
  }

  @Test func aNewOneIsWrittenAsItsNeighbor() throws {
    let lines = Self.darktable("")
    let new = try set(3, in: lines)
    #expect(
      new
        == lines.replacing(
          "darktable:xmp_version=\"5\">", with: "darktable:xmp_version=\"5\"\n   xmp:Rating=\"3\">")
    )
    // By the prefix that the file has.
    let elements = Self.lightroom("")
    #expect(
      try set(3, in: elements)
        == elements.replacing("-settings/1.0/'>", with: "-settings/1.0/'\n    xap:Rating=\"3\">"))
  }

  @Test func aMissingNamespaceIsDeclared() throws {
    func packet(_ inner: String, _ outer: String = "") -> String {
      "<rdf:RDF\(outer) xmlns:rdf=\"\(Self.rdf)\">\(inner)</rdf:RDF>"
    }
    #expect(
      try set(1, in: packet("<rdf:Description/>"))
        == packet("<rdf:Description xmlns:xmp=\"\(Self.xmp)\" xmp:Rating=\"1\"/>"))
    // The usual prefix may mean something else.
    #expect(
      try set(1, in: packet("<rdf:Description xmp:a='2'/>", " xmlns:xmp='urn:x'"))
        == packet(
          "<rdf:Description xmp:a='2' xmlns:xap=\"\(Self.xmp)\" xap:Rating=\"1\"/>",
          " xmlns:xmp='urn:x'"))
    let hidden = "<rdf:Description xmlns:p='urn:x' p:a='2'/>"
    let new = try set(1, in: packet(hidden, " xmlns:p='\(Self.xmp)'"))
    #expect(new.contains("xmlns:xmp=\"\(Self.xmp)\" xmp:Rating=\"1\""))
    // Without any description.
    let empty = XMPWriter.packet(descriptions: [])
    let made = try XMPRating.set(5, in: empty)
    #expect(XMPPacket(lenient: made)[.rating]?.number == 5)
    #expect(try XMPRating.set(5, in: made) == made)
  }

  @Test func marksLineEndsAndPaddingStay() throws {
    let text =
      "\u{FEFF}  \r\n"
      + Self.darktable("\n   xmp:Rating='0'").replacing("\n", with: "\r\n")
      .replacing("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n", with: "") + "\u{0}\u{0}\r\n"
    let new = try set(4, in: text)
    #expect(Array(new.utf8) == Array(text.replacing("Rating='0'", with: "Rating='4'").utf8))
    let fresh = try set(4, in: text.replacing("\r\n   xmp:Rating='0'", with: ""))
    #expect(fresh.hasPrefix("\u{FEFF}  \r\n") && fresh.contains("\r\n   xmp:Rating=\"4\">\r\n"))
    #expect(
      !fresh.unicodeScalars.contains("\n") || !fresh.replacing("\r\n", with: "").contains("\n"))
  }

  @Test(arguments: [
    "", "<x", "no XMP", "<a/>", "<rdf:RDF/>", darktable("").replacing("</rdf:RDF>", with: ""),
    darktable(" xmp:Rating='2' xmp:Rating='2'"), lightroom("<xap:Rating>&none;</xap:Rating>"),
    lightroom(
      "<xap:Rating><rdf:Description><rdf:value>2</rdf:value></rdf:Description></xap:Rating>"),
    lightroom("<xap:Rating rdf:resource='2'/>"),
  ])
  func whatCannotBeEditedIsRefused(text: String) {
    #expect(throws: XMPFault.self) { try set(3, in: text) }
    let wide = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(throws: XMPFault.self) { try XMPRating.set(3, in: [0xFF, 0xFE] + wide) }
  }

  /// A rating within a saved look is not the picture's.
  @Test func nestedRatingsStay() throws {
    let look = "<crs:Look xmlns:xmp='\(Self.xmp)'><rdf:Description xmp:Rating='5'/></crs:Look>"
    let new = try set(2, in: Self.lightroom(look))
    #expect(new.contains(look) && new.contains("xap:Rating=\"2\""))
  }
}

import Foundation
import ImageCore
import Testing

@testable import Containers

struct XMPWriterTests {
  private let capture = CaptureMetadata(entries: [
    ExifEntry(.image, 0x4746, .shorts([2])),
    ExifEntry(.exif, 0x9003, .ascii("2024:05:06 07:08:09")),
    ExifEntry(.exif, 0x9011, .ascii("+02:00")),
  ])

  /// A packet with these descriptions.
  private func source(_ descriptions: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
        xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
        xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
        xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"
        xmlns:Container="http://ns.google.com/photos/1.0/container/"
        xmlns:Item="http://ns.google.com/photos/1.0/container/item/">\(descriptions)</rdf:RDF>
      </x:xmpmeta>
      """.utf8)
  }

  private func written(_ xmp: [UInt8]?, format: String = "image/heif") throws -> XMPPacket {
    var metadata = capture
    metadata.xmp = xmp
    return try XMPPacket(wellFormed: XMPWriter.packet(metadata, format: format))
  }

  @Test("Without a source's packet Exif gives date and rating")
  func made() throws {
    let made = try written(nil)
    #expect(made[.basic, "CreateDate"]?.text == "2024-05-06T07:08:09+02:00")
    #expect(made[.orientation]?.text == "1" && made[.rating]?.text == "2")
    #expect(made[.basic, "CreatorTool"]?.text == RawdevVersion.software)
    #expect(made[.dublinCore, "format"]?.text == "image/heif")
    #expect(made[.documentID] == nil)
    #expect(try written([0xFF, 0xFE, 0]).properties == made.properties)
  }

  @Test("What people wrote stays, byte for byte; how the raw was to be developed goes")
  func finished() throws {
    let keywords = "<dc:subject><rdf:Bag><rdf:li>a &amp; b</rdf:li></rdf:Bag></dc:subject>"
    let rights =
      "<dc:rights><rdf:Alt><rdf:li xml:lang='de'>Ich</rdf:li></rdf:Alt></dc:rights>"
    var metadata = capture
    metadata.xmp = source(
      """
      <rdf:Description rdf:about="" xmp:Rating="4" tiff:Orientation="8" crs:Exposure2012="+1.00"
        crs:AlreadyApplied="False" dc:format="image/x-canon-cr2" xmp:CreatorTool="Other"
        xmpMM:DocumentID="xmp.did:1" tiff:ImageWidth="99">
       \(keywords)
       <crs:ToneCurve><rdf:Seq><rdf:li>0, 0</rdf:li></rdf:Seq></crs:ToneCurve>
       <xmpMM:History><rdf:Seq><rdf:li>saved</rdf:li></rdf:Seq></xmpMM:History>
      </rdf:Description>
      <rdf:Description rdf:about="">\(rights)</rdf:Description>
      """)
    let bytes = XMPWriter.packet(metadata, format: "image/heif")
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains(keywords) && text.contains(rights))
    for word in ["crs", "camera-raw", "xmpMM", "x-canon", "Other", "ImageWidth"] {
      #expect(!text.contains(word), "\(word)")
    }
    let packet = try XMPPacket(wellFormed: bytes)
    #expect(packet[.rating]?.text == "4" && packet[.orientation]?.text == "1")
    // Written again, it stays the same.
    var again = metadata
    again.xmp = bytes
    #expect(
      try XMPPacket(wellFormed: XMPWriter.packet(again, format: "image/heif")).properties
        == packet.properties)
  }

  @Test("Gain maps and directories of the source's file go, all else stays")
  func ultraHDR() throws {
    let packet = try written(
      source(
        """
        <rdf:Description rdf:about="" hdrgm:Version="1.0" xmp:Rating="5">
         <Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource">
          <Container:Item Item:Semantic="GainMap" Item:Length="7"/>
         </rdf:li></rdf:Seq></Container:Directory>
         <dc:creator><rdf:Seq><rdf:li>Ada</rdf:li></rdf:Seq></dc:creator>
        </rdf:Description>
        """))
    #expect(packet[.rating]?.text == "5")
    #expect(packet[.creator] == .list([.text("Ada")]))
    #expect(packet.fields(in: .hdrgm).isEmpty && packet.fields(in: .container).isEmpty)
  }

  @Test("The written file has IDs of its own and names its source")
  func documents() throws {
    var metadata = capture
    metadata.derivation = .init(source: "s", document: "d", recipe: "{\"raw\": \"<&>\"}")
    func packet() throws -> XMPPacket {
      try XMPPacket(wellFormed: XMPWriter.packet(metadata, format: "image/jpeg"))
    }
    var found = try packet()
    #expect(found[.documentID]?.text == "xmp.did:d" && found[.instanceID]?.text == "xmp.iid:d")
    #expect(found[.originalDocumentID]?.text == "xmp.did:s")
    #expect(found[.rawdev, "Recipe"]?.text == metadata.derivation?.recipe)
    metadata.xmp = source(
      """
      <rdf:Description xmpMM:DocumentID="xmp.did:own" xmpMM:InstanceID="xmp.iid:own"
        xmpMM:OriginalDocumentID="first" xmpMM:PreservedFileName="a.CR2"/>
      """)
    found = try packet()
    #expect(found[.documentID]?.text == "xmp.did:d")
    #expect(found[.originalDocumentID]?.text == "first")
    let from = try #require(found[.media, "DerivedFrom"])
    #expect(from[XMPName(.reference, "documentID")]?.text == "xmp.did:own")
    #expect(from[XMPName(.reference, "instanceID")]?.text == "xmp.iid:own")
    #expect(from[XMPName(.reference, "originalDocumentID")]?.text == "first")
    #expect(found[.media, "PreservedFileName"]?.text == "a.CR2")
  }

  @Test("Properties before the damage of a packet are kept, and the written one is well-formed")
  func damaged() throws {
    let text =
      "<x><rdf:RDF><rdf:Description tiff:Make='A'/>"
      + "<rdf:Description tiff:Model='&unknown;'/><rdf:Description tiff:Artist='B'>"
    let packet = try written(Array(text.utf8))
    #expect(packet[.tiff, "Make"]?.text == "A")
    #expect(packet[.tiff, "Model"] == nil)
  }

  @Test("What is too long loses first what is not needed, then long lists, then long texts")
  func fitted() throws {
    let keywords = (0..<4000).map { "<rdf:li>k\($0)</rdf:li>" }.joined()
    func languages(_ name: String, _ text: String) -> String {
      "<\(name)><rdf:Alt><rdf:li xml:lang='x-default'>\(text)</rdf:li></rdf:Alt></\(name)>"
    }
    var metadata = capture
    metadata.xmp = source(
      """
      <rdf:Description xmp:Rating="4" xmp:Nickname="n">
       <dc:subject><rdf:Bag>\(keywords)</rdf:Bag></dc:subject>
       \(languages("dc:title", "Title"))
       \(languages("dc:rights", String(repeating: "long ", count: 1000)))
      </rdf:Description>
      """)
    let complete = XMPWriter.packet(metadata, format: "image/jpeg")
    for (limit, lost) in [
      (complete.count, []), (complete.count - 1, ["xmp:Nickname"]),
      (10_000, ["xmp:Nickname", "dc:subject"]),
      (4000, ["xmp:Nickname", "dc:subject", "dc:rights"]),
      (0, ["xmp:Nickname", "dc:subject", "dc:rights", "dc:title"]),
    ] as [(Int, [String])] {
      let found = XMPWriter.fitted(metadata, format: "image/jpeg", limit: limit)
      #expect(found.complete == complete && found.notes.count == min(lost.count, 1))
      #expect(limit == 0 || found.packet.count <= limit)
      let packet = try XMPPacket(wellFormed: found.packet)
      let names: [String: XMPName] = [
        "xmp:Nickname": XMPName(.basic, "Nickname"), "dc:subject": XMPName(.dublinCore, "subject"),
        "dc:rights": .rights, "dc:title": XMPName(.dublinCore, "title"),
      ]
      for (text, name) in names {
        #expect((packet[name] == nil) == lost.contains(text), "\(text) within \(limit)")
      }
      // The rating of the source, or Exif's where nothing of the source is left.
      #expect(packet[.rating]?.text == (limit == 0 ? "2" : "4"))
    }
  }
}

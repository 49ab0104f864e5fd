import Foundation
import ImageCore
import TestSupport
import Testing

@testable import Containers

/// Statements on gain maps go, to the byte; all else stays.
@Suite struct GainMapXMPRemovalTests {
  private let rdf = "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\""
  private let hdrgm = "xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\""
  private let list = """
    xmlns:C="http://ns.google.com/photos/1.0/container/" \
    xmlns:I="http://ns.google.com/photos/1.0/container/item/"
    """

  private func edited(_ text: String) throws -> String {
    String(decoding: try GainMapXMPRemoval(Array(text.utf8)).withoutGainMap, as: UTF8.self)
  }

  private func item(_ kind: String, _ more: String = "") -> String {
    "<rdf:li rdf:parseType=\"Resource\"><C:Item I:Semantic=\"\(kind)\"\(more)/></rdf:li>"
  }

  @Test func attributesAndElementsGo() throws {
    let packet = """
      <?xpacket begin=""?><rdf:RDF \(rdf)><rdf:Description rdf:about="" \(hdrgm) x:a="1 > 0"
       hdrgm:Version="1.0" x:b='2'><!-- hdrgm:Gamma --><x:c>3</x:c>
        <hdrgm:Gamma><rdf:Seq><rdf:li>1</rdf:li></rdf:Seq></hdrgm:Gamma><x:d/></rdf:Description>\
      </rdf:RDF>
      """
    #expect(
      try edited(packet) == """
        <?xpacket begin=""?><rdf:RDF \(rdf)><rdf:Description rdf:about="" x:a="1 > 0" x:b='2'><!-- \
        hdrgm:Gamma --><x:c>3</x:c><x:d/></rdf:Description></rdf:RDF>
        """)
  }

  /// The name of a prefix says nothing.
  @Test func prefixesAreResolved() throws {
    let packet = """
      <rdf:RDF \(rdf)><rdf:Description xmlns:a="http://ns.apple.com/HDRGainMap/1.0/" \
      xmlns:hdrgm="other" \
      hdrgm:Version="1.0" a:HDRGainMapVersion="131072"/></rdf:RDF>
      """
    #expect(
      try edited(packet)
        == "<rdf:RDF \(rdf)><rdf:Description xmlns:hdrgm=\"other\" hdrgm:Version=\"1.0\"/>"
        + "</rdf:RDF>"
    )
  }

  @Test func emptyDescriptionsGo() throws {
    let packet = """
      <rdf:RDF \(rdf)> <rdf:Description rdf:about="" \(hdrgm) hdrgm:Version="1.0"/>\
      <rdf:Description rdf:about=""/></rdf:RDF>
      """
    #expect(try edited(packet) == "<rdf:RDF \(rdf)><rdf:Description rdf:about=\"\"/></rdf:RDF>")
  }

  @Test func directoriesLoseTheGainMapOnly() throws {
    func packet(_ items: String) -> String {
      """
      <rdf:RDF \(rdf)><rdf:Description x:y="z" \(list)><C:Directory><rdf:Seq>\(items)</rdf:Seq>\
      </C:Directory></rdf:Description></rdf:RDF>
      """
    }
    let (first, map, film) = (
      item("Primary"), item("GainMap", " I:Length=\"77\""), item("MotionPhoto")
    )
    #expect(try edited(packet(first + map + film)) == packet(first + film))
    #expect(
      try edited(packet(first + map))
        == "<rdf:RDF \(rdf)><rdf:Description x:y=\"z\"></rdf:Description></rdf:RDF>")
    #expect(try edited(packet(first + film)) == packet(first + film))
    let changed = try GainMapXMPRemoval(Array(packet(first + map + film).utf8)).with(
      gainMapLength: 123_456)
    let wanted = packet(first + item("GainMap", " I:Length=\"123456\"") + film)
    #expect(changed == Array(wanted.utf8))
    let elements =
      "<rdf:li><C:Item><I:Semantic>GainMap</I:Semantic><I:Length>5</I:Length></C:Item></rdf:li>"
    #expect(try edited(packet(first + elements + film)) == packet(first + film))
    #expect(
      try GainMapXMPRemoval(Array(packet(first + elements).utf8)).with(gainMapLength: 66)
        == Array(packet(first + elements.replacing(">5<", with: ">66<")).utf8))
  }

  @Test func damagedPacketsAreRefused() {
    for text in [
      "<!DOCTYPE x><rdf:RDF \(rdf) \(hdrgm)/>", "<a \(hdrgm)><b></a></b>", "<a \(hdrgm)>",
      "<a \(hdrgm)",
      "<a \(hdrgm) b=c/>", "<a \(hdrgm)></a></a>", "<!-- \(hdrgm)", "<a \(hdrgm) b='/>",
      String(repeating: "<a>", count: 70) + hdrgm,
    ] {
      #expect(throws: FormatError.self) { try GainMapXMPRemoval(Array(text.utf8)) }
    }
    // Packets that say nothing of gain maps are not even read.
    #expect(throws: Never.self) { try GainMapXMPRemoval(Array("<a><b></a>".utf8)) }
  }

  /// A namespace is found by its bytes: neither preceding flags nor a following combining mark hide
  /// it.
  @Test func packetsAreSearchedAsBytes() {
    let flags = String(repeating: "\u{1F1E6}", count: 500)
    let text = flags + XMPNamespace.appleToneMap.uri + StringBytesTests.marks
    #expect(GainMapXMPRemoval.concerns(Array(text.utf8)))
    #expect(!GainMapXMPRemoval.concerns(Array(flags.utf8)))
  }

  /// Properties of namespaces and items whose names only begin alike stay.
  @Test func longerNamesAreOthers() throws {
    let marks = StringBytesTests.marks
    let packet = """
      <rdf:RDF \(rdf)><rdf:Description xmlns:a="http://ns.adobe.com/hdr-gain-map/1.0/\(marks)" \
      a:Version="1.0" \(list)><C:Directory><rdf:Seq>\(item("GainMap" + marks))</rdf:Seq>\
      </C:Directory></rdf:Description></rdf:RDF>
      """
    let rest = try edited(packet)
    #expect(rest.isSame(as: packet))
    #expect(try GainMapXMPRemoval(Array(packet.utf8)).otherPictures == 1)
  }

  /// Any packet is edited or refused, and the result does not mention maps.
  @Test func damagedPackets() throws {
    let packet = Array(
      """
      <rdf:RDF \(rdf)><rdf:Description \(hdrgm) \(list) x:y="z" \
      hdrgm:Version="1.0"><C:Directory><rdf:Seq>\
      \(item("Primary"))\(item("GainMap", " I:Length=\"77\""))</rdf:Seq></C:Directory>\
      </rdf:Description></rdf:RDF>
      """.utf8)
    for seed in 0..<2000 {
      var random = SeededRandom(seed: UInt64(seed))
      var bytes = packet
      for _ in 0...seed % 4 {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch seed % 3 {
        case 0: bytes[index] = .random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes[index] = Array("<>/\"'= :&".utf8).randomElement(using: &random) ?? 0
        }
      }
      guard let edit = try? GainMapXMPRemoval(bytes) else { continue }
      let rest = edit.withoutGainMap
      #expect(rest.count <= bytes.count)
      #expect(
        (try? HDRGMValues(xmp: rest)) == .some(.none)
          || GainMapXMPRemoval.concerns(rest) == false)
    }
  }
}

import Containers
import Foundation
import Testing

@testable import Recipes

struct XMPPacketSidecarTests {
  private func packet(_ text: String) throws -> XMPPacket { try XMPPacket(Array(text.utf8)) }

  private func refusal(_ bytes: [UInt8]) -> RecipeError? {
    do {
      _ = try XMPPacket(bytes, path: "photo.xmp")
      return nil
    } catch { return error }
  }

  @Test func attributesAndElementsSayTheSame() throws {
    let attributes = try packet(
      SidecarFixtures.packet("crs:Tint=\"+7\" tiff:Orientation='6' crs:Empty=\"\""))
    let elements = try packet(
      SidecarFixtures.packet(
        "", "<crs:Tint>+7</crs:Tint><tiff:Orientation>6</tiff:Orientation><crs:Empty/>"))
    #expect(attributes == elements)
    #expect(attributes[.cameraRaw, "Tint"]?.number == 7)
    #expect(attributes.properties.count == 3)
  }

  @Test func namespacesAreKnownByTheirURI() throws {
    let packet = try packet(SidecarFixtures.elements)
    #expect(packet[.tiff, "Orientation"]?.number == 6)
    #expect(packet[.cameraRaw, "Exposure"]?.number == -0.35)
    // The same prefix for something else inside.
    let rebound = try self.packet(
      SidecarFixtures.packet(
        "crs:Tint=\"1\"", "<crs:Tint xmlns:crs=\"http://other/\">2</crs:Tint>"))
    #expect(rebound[.cameraRaw, "Tint"]?.text == "1")
    #expect(rebound[XMPName("http://other/", "Tint")]?.text == "2")
  }

  @Test func nestedFieldsStayNested() throws {
    let packet = try packet(SidecarFixtures.classic)
    #expect(packet[.cameraRaw, "Exposure2012"]?.text == "+0.65")
    #expect(packet[.cameraRaw, "AlreadyApplied"]?.text == "False")
    let look = packet[.cameraRaw, "Look"]
    #expect(look?[XMPName(.cameraRaw, "Name")]?.text == "Adobe Portrait")
    let parameters = look?[XMPName(.cameraRaw, "Parameters")]
    #expect(parameters?[XMPName(.cameraRaw, "Exposure2012")]?.text == "-3.00")
    guard case .list(let masks)? = packet[.cameraRaw, "MaskGroupBasedCorrections"] else {
      Issue.record("the masks are no list")
      return
    }
    #expect(masks.count == 2)
    guard case .list(let subjects)? = packet[.dublinCore, "subject"] else {
      Issue.record("the subjects are no list")
      return
    }
    #expect(subjects.map(\.text) == ["Portrait", "Rathaus & Markt"])
  }

  @Test func everyFormOfAStructureIsOne() throws {
    let forms = [
      """
      <crs:Look rdf:parseType='Resource'><crs:Name>A</crs:Name><crs:Amount>1</crs:Amount></crs:Look>
      """,
      "<crs:Look><rdf:Description crs:Name='A' crs:Amount='1'/></crs:Look>",
      "<crs:Look crs:Name='A' crs:Amount='1'/>",
      """
      <crs:Look>\n <rdf:Description \
      crs:Name='A'><crs:Amount>1</crs:Amount></rdf:Description>\n</crs:Look>
      """,
    ]
    let packets = try forms.map { try packet(SidecarFixtures.packet("", $0)) }
    #expect(Set(packets).count == 1)
    #expect(packets[0][.cameraRaw, "Look"]?.summary == "A")
  }

  @Test func qualifiedValuesLinksAndMarkedSectionsAreTexts() throws {
    let packet = try packet(
      SidecarFixtures.packet(
        "",
        """
        <crs:A rdf:parseType='Resource'><rdf:value>1</rdf:value><crs:q>x</crs:q></crs:A>
        <crs:B rdf:resource='http://there/'/><crs:C>a<![CDATA[<b>]]>&#99;</crs:C>
        """))
    #expect(packet[.cameraRaw, "A"] == .text("1"))
    #expect(packet[.cameraRaw, "B"] == .text("http://there/"))
    #expect(packet[.cameraRaw, "C"] == .text("a<b>c"))
  }

  @Test func theFirstOfTwoCounts() throws {
    let packet = try packet(
      SidecarFixtures.packet("crs:Tint='1'", "<crs:Tint>2</crs:Tint><crs:Tint>3</crs:Tint>"))
    #expect(packet[.cameraRaw, "Tint"]?.text == "1")
  }

  @Test func encodingsSayTheSame() throws {
    let text = SidecarFixtures.classic
    let wanted = try packet(text)
    let units = Array(text.utf16)
    let little = units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    let forms: [[UInt8]] = [
      [0xEF, 0xBB, 0xBF] + Array(text.utf8), little, big, [0xFF, 0xFE] + little,
      [0xFE, 0xFF] + big,
      Array("\n  \(text)".utf8) + [UInt8](repeating: 0, count: 2000),
      Array("<?xml version='1.0' encoding='UTF-16'?>\n\(text)".utf8),
    ]
    for form in forms { #expect(try XMPPacket(form) == wanted) }
  }

  @Test func declarationsOfEntitiesAreRefused() {
    let bomb = """
      <?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">
      <!ENTITY c SYSTEM "file:///etc/passwd">]>
      """ + SidecarFixtures.packet("", "<crs:A>&b;&c;</crs:A>")
    #expect(refusal(Array(bomb.utf8))?.message.contains("document type") == true)
    #expect(refusal(Array(SidecarFixtures.packet("", "<crs:A>&b;</crs:A>").utf8)) != nil)
    // As a text it declares nothing.
    let quoted = SidecarFixtures.packet(
      "", "<!-- <!DOCTYPE --><crs:A><![CDATA[<!DOCTYPE]]></crs:A>")
    #expect(refusal(Array(quoted.utf8)) == nil)
  }

  @Test func whatIsTooLargeOrTooDeepIsRefused() {
    let many = (0..<300_000).map { "crs:A\($0)=''" }.joined(separator: " ")
    let spaces = (0..<300).map { "<crs:A xmlns:n\($0)='u:\($0)'>" }.joined()
    let cases: [(String, String)] = [
      (SidecarFixtures.packet(many), "262144 elements and attributes"),
      (SidecarFixtures.packet("", String(repeating: "<crs:A>", count: 100_000)), "64 deep"),
      (SidecarFixtures.packet("", String(repeating: "<crs:A/>", count: 500_000)), "262144"),
      (
        SidecarFixtures.packet((0..<300).map { "xmlns:n\($0)='u:\($0)'" }.joined(separator: " ")),
        "256"
      ),
      (SidecarFixtures.packet("", spaces), "deep"),
      (SidecarFixtures.classic + String(repeating: " ", count: 8 << 20), "8 MiB"),
    ]
    for (text, words) in cases {
      let error = refusal(Array(text.utf8))
      #expect(error?.code == .malformed)
      #expect(error?.message.contains(words) == true, "\(words): \(error?.message ?? "accepted")")
      #expect(error?.path == "photo.xmp")
    }
  }

  @Test func whatIsNoXMPIsRefused() {
    let cases = [
      "", "\u{0}\u{0}", "photo", "<html><body/></html>", "{\"a\": 1}", "<a><b></a>", "<a/>junk",
      "<a b='1' b='2'/>", SidecarFixtures.packet("none:A='1'"),
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'/>",
    ]
    for text in cases { #expect(refusal(Array(text.utf8))?.code == .malformed, "\(text)") }
    #expect(refusal([0x3C, 0xFF, 0x3E])?.message.contains("UTF-8") == true)
    #expect(refusal([0xFF, 0xFE, 0x00, 0xD8])?.code == .malformed)
    let line = refusal(Array(SidecarFixtures.packet("", "\n\n<crs:A></crs:B>").utf8))?.line
    #expect(line == 6)
  }

  @Test func damageNeverTraps() {
    let text = Array(SidecarFixtures.elements.utf8)
    var refused = 0
    for length in stride(from: 0, to: text.count, by: 7)
    where refusal(Array(text[..<length])) != nil {
      refused += 1
    }
    #expect(refused == (text.count + 6) / 7)
    for index in stride(from: 0, to: text.count, by: 11) {
      for byte: UInt8 in [0, 0x22, 0x26, 0x3C, 0x3E, 0x3D, 0x80, 0xFF] {
        var damaged = text
        damaged[index] = byte
        if let packet = try? XMPPacket(damaged) { _ = SidecarSettings(packet) }
      }
    }
  }

  @Test func threadsAgree() async throws {
    let wanted = try packet(SidecarFixtures.classic)
    let agree = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<200 {
        group.addTask {
          // With packets in between that fail: errors of a parser do not affect others.
          let text = index % 3 == 0 ? "<a><b></a>" : SidecarFixtures.classic
          let packet = try? XMPPacket(Array(text.utf8))
          return index % 3 == 0 ? packet == nil : packet == wanted
        }
      }
      return await group.allSatisfy { $0 }
    }
    #expect(agree)
  }

  @Test func summariesAreOneShortLine() {
    #expect(XMPValue.text(" a\nb\u{1B}[31m").summary == "a b [31m")
    #expect(XMPValue.text(String(repeating: "x", count: 500)).summary.count == 80)
    #expect(XMPValue.text("\r\n é日e\u{301}\t").text == "é日e\u{301}")
    #expect(XMPValue.list([.text("a")]).summary == "1 item")
  }

  @Test func numbersAreFiniteDecimals() {
    for (text, number) in [("+0.50", 0.5), (" -3 ", -3), ("1e2", 100)] {
      #expect(XMPValue.text(text).number == number)
    }
    for text in ["", "nan", "inf", "0x10", "1,5", "1e999", "+", "one"] {
      #expect(XMPValue.text(text).number == nil)
    }
  }
}

import Foundation
import ImageCore
import Testing

@testable import Containers

@Suite struct GainMapXMPTests {
  static func packet(_ inside: String) -> [UInt8] {
    Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?><!-- <rdf:Description> -->
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      \(inside)
       </rdf:RDF>
      </x:xmpmeta><?xpacket end="w"?>
      """.utf8)
  }

  static let values = HDRGMValues(
    gainMapMin: [-0.5, -0.25, 0], gainMapMax: [2.3, 2.300448, 1e-5], gamma: [1],
    offsetSDR: [1.0 / 64], offsetHDR: [0.0001, 0.0002, 0.0003], hdrCapacityMin: 0,
    hdrCapacityMax: log2(1000.0 / 203), baseRenditionIsHDR: true)

  @Test func whatIsWrittenIsRead() throws {
    #expect(try HDRGMValues(xmp: Self.packet(Self.values.xmpDescription)) == Self.values)
    let plain = HDRGMValues(gainMapMax: [2], hdrCapacityMax: 2)
    #expect(try HDRGMValues(xmp: Self.packet(plain.xmpDescription)) == plain)
    #expect(!plain.xmpDescription.contains("rdf:Seq"))
  }

  @Test func attributesAndElementsMeanTheSame() throws {
    let attributes = Self.packet(
      """
      <rdf:Description rdf:about='' xmlns:g='http://ns.adobe.com/hdr-gain-map/1.0/'
        g:Version = '1.0' g:GainMapMax="3" g:HDRCapacityMax="3.5" g:BaseRenditionIsHDR="False"/>
      """)
    let elements = Self.packet(
      """
      <rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/">
       <hdrgm:Version> 1.0 </hdrgm:Version><hdrgm:GainMapMax><rdf:Seq><rdf:li>3</rdf:li></rdf:Seq>
       </hdrgm:GainMapMax><hdrgm:HDRCapacityMax><![CDATA[3.5]]></hdrgm:HDRCapacityMax>
      </rdf:Description>
      """)
    let expected = HDRGMValues(gainMapMax: [3], hdrCapacityMax: 3.5)
    #expect(try HDRGMValues(xmp: attributes) == expected)
    #expect(try HDRGMValues(xmp: elements) == expected)
  }

  @Test func otherNamespacesAndNestedDescriptionsDoNotCount() throws {
    let packet = Self.packet(
      """
      <rdf:Description rdf:about="" xmlns:hdrgm="http://example.com/other/" hdrgm:Version="1.0"
        xmlns:q="http://ns.adobe.com/hdr-gain-map/1.0/">
       <hdrgm:Thing><rdf:Description q:Version="1.0"/></hdrgm:Thing>
      </rdf:Description>
      """)
    #expect(try HDRGMValues(xmp: packet) == nil)
    #expect(try HDRGMValues(xmp: []) == nil)
  }

  @Test func badNumbersAreRefused() {
    for bad in ["nan", "inf", "0x1p3", "", "1,5", "1e999", "2 3"] {
      #expect(throws: GainMapError.self) {
        _ = try HDRGMValues(
          xmp: Self.packet(
            """
            <rdf:Description xmlns:h="http://ns.adobe.com/hdr-gain-map/1.0/" h:Version="1.0"
              h:GainMapMax="\(bad)" h:HDRCapacityMax="1"/>
            """))
      }
    }
    #expect(throws: GainMapError.self) {
      _ = try HDRGMValues(
        xmp: Self.packet(
          "<rdf:Description xmlns:h=\"http://ns.adobe.com/hdr-gain-map/1.0/\" h:Version=\"2.0\"/>"))
    }
  }

  /// Marks that combine are no characters of their own, and may be as long as the file.
  @Test func unknownVersionsAreNamedInShort() {
    let version = "2\u{9B}" + String(repeating: "\u{301}", count: 10_000)
    let error = #expect(throws: GainMapError.self) {
      _ = try HDRGMValues(
        xmp: Self.packet(
          "<rdf:Description xmlns:h=\"http://ns.adobe.com/hdr-gain-map/1.0/\" "
            + "h:Version=\"\(version)\"/>"))
    }
    let message = error?.message ?? ""
    let printable = Array(message.unicodeScalars)
    #expect(
      printable.contains("\u{FFFD}") && !printable.contains("\u{9B}") && printable.count < 100)
  }

  @Test func baseRenditionsAreHDRByOneWord() throws {
    func isHDR(_ text: String) throws -> Bool? {
      try HDRGMValues(
        xmp: Self.packet(
          "<rdf:Description xmlns:h=\"http://ns.adobe.com/hdr-gain-map/1.0/\" h:Version=\"1.0\" "
            + "h:GainMapMax=\"1\" h:HDRCapacityMax=\"1\" h:BaseRenditionIsHDR=\"\(text)\"/>")
      )?.baseRenditionIsHDR
    }
    #expect(try isHDR("True") == true && isHDR("true") == true)
    #expect(try isHDR("True" + StringBytesTests.marks) == false && isHDR("") == false)
  }

  @Test func applesPropertiesAreReadAndWritten() {
    let new = AppleGainMap(headroom: 3.482202)
    #expect(AppleGainMap(xmp: Self.packet(new.xmpDescription)) == new)
    let old = AppleGainMap(version: 65_536)
    #expect(AppleGainMap(xmp: Self.packet(old.xmpDescription)) == old)
    let elements = Self.packet(
      """
      <rdf:Description xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/">
       <HDRGainMap:HDRGainMapVersion>131072</HDRGainMap:HDRGainMapVersion>
       <HDRGainMap:HDRGainMapHeadroom>3.482202</HDRGainMap:HDRGainMapHeadroom>
      </rdf:Description>
      """)
    #expect(AppleGainMap(xmp: elements) == new)
    let nothing = XMPPacket(lenient: Self.packet("<rdf:Description/>"))
    #expect(AppleGainMap(nothing) == nil && AppleGainMap(nothing, isAuxiliary: true) == old)
    let declared = Self.packet(AppleGainMap.pixelDataDescription)
    #expect(AppleGainMap(xmp: declared) == old)
  }

  @Test func damagedPacketsNeverTrap() {
    let complete = Self.packet(Self.values.xmpDescription)
    for count in 0..<complete.count { _ = try? HDRGMValues(xmp: Array(complete.prefix(count))) }
    var seed: UInt64 = 3
    for _ in 0..<2000 {
      var bytes = complete
      for _ in 0..<6 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let signs = Array("<>/\"'=&;![ ]?-:".utf8) + [0, 255]
        bytes[Int(seed >> 33) % bytes.count] = signs[Int(seed >> 24) % signs.count]
      }
      _ = try? HDRGMValues(xmp: bytes)
    }
  }

  @Test func hostilePacketsEndQuickly() throws {
    // Nesting, a list and namespaces without end; an entity bomb.
    let rdf = "<r:RDF xmlns:r=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><r:Description>"
    let deep = rdf + String(repeating: "<a>", count: 20_000)
    let long = rdf + "<a><r:Seq>" + String(repeating: "<r:li/>", count: 20_000)
    let spaces = (0..<3000).map { "<a xmlns:p\($0)=\"u\">" }.joined()
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><x>&b;</x>"
    for packet in [deep, long, rdf + spaces, bomb] {
      #expect(try HDRGMValues(xmp: Array(packet.utf8)) == nil)
    }
  }
}

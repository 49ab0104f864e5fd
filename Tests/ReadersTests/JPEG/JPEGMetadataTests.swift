import Formats
import Foundation
import HDRRender
import ImageCore
import Testing
import Writers

@testable import Containers
@testable import Readers

@Suite struct JPEGMetadataTests {
  private static let name = "0123456789ABCDEF0123456789ABCDEF"

  private func chunk(_ bytes: ArraySlice<UInt8>, at offset: Int, of complete: Int) -> [UInt8] {
    TestJPEG.segment(
      0xE1,
      Array("http://ns.adobe.com/xmp/extension/\0".utf8) + Array(Self.name.utf8)
        + TestJPEG.bigEndian(complete, 4) + TestJPEG.bigEndian(offset, 4) + bytes)
  }

  private var standard: [UInt8] {
    TestJPEG.xmp(
      """
        <rdf:Description xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmlns:a="urn:a"
          xmpNote:HasExtendedXMP="\(Self.name)" a:first="1"/>
      """)
  }

  private func values(_ segments: [[UInt8]]) throws -> (a: [String], b: [String], note: [String]) {
    let image = try StillImage(TestJPEG.with(segments, try TestJPEG.flat(9, 8, 8)))
    let xmp = XMPPacket(lenient: image.metadata.xmp ?? [])
    func texts(_ name: XMPName) -> [String] { xmp[name]?.text.map { [$0] } ?? [] }
    return (
      texts(XMPName("urn:a", "first")), texts(XMPName("urn:b", "second")),
      xmp.texts(.note, "HasExtendedXMP")
    )
  }

  @Test func extendedPacket() throws {
    let long = String(repeating: "0123456789", count: 9000)
    let packet = TestJPEG.packet(
      "  <rdf:Description xmlns:b=\"urn:b\"><b:second>\(long)</b:second></rdf:Description>")
    let cut = 50_000
    let first = chunk(packet[..<cut], at: 0, of: packet.count)
    let second = chunk(packet[cut...], at: cut, of: packet.count)
    for segments in [[standard, first, second], [second, standard, first, second]] {
      let found = try values(segments)
      #expect(found.a == ["1"] && found.b == [long] && found.note.isEmpty)
    }
    // Without a part of it the standard packet stays as it is.
    let found = try values([standard, second])
    #expect(found.a == ["1"] && found.b.isEmpty && found.note == [Self.name])
  }

  /// Four gigabytes are claimed; none are taken.
  @Test func extendedPacketOfGigabytes() throws {
    for (offset, complete) in [(0, 0xFFFF_FFFF), (0xFFFF_FFF0, 0xFFFF_FFFF), (0, 0)] {
      let found = try values([standard, chunk([1, 2, 3], at: offset, of: complete)])
      #expect(found.a == ["1"] && found.b.isEmpty)
    }
  }

  @Test func profileInPieces() throws {
    let profile = try ColorSpace.displayP3.iccProfile()
    let (a, b) = (Array(profile[..<100]), Array(profile[100...]))
    func image(_ segments: [[UInt8]]) throws -> JPEGSegments {
      let bytes = TestJPEG.with(segments, try TestJPEG.flat(9, 8, 8))
      return try #require(JPEGSegments(FileBytes(bytes)))
    }
    let chunks = [TestJPEG.icc(b, 2, of: 2), TestJPEG.icc(a, 1, of: 2)]
    #expect(try image(chunks).profile() == profile)
    #expect(try image([]).profile() == nil)
    let lacking = try image([chunks[0]])
    #expect(throws: ReadError.self) { try lacking.profile() }
    // Of a picture with such a profile only the colors are unknown.
    let still = try StillImage(TestJPEG.with([chunks[0]], try TestJPEG.flat(9, 8, 8)))
    #expect(still.color == .assumed && still.notes.count == 1)
    _ = try still.base()
  }

  @Test func profilesWithOddNumbers() throws {
    for (number, count) in [(0, 0), (0, 1), (255, 255), (1, 0), (2, 1)] as [(UInt8, UInt8)] {
      let segment = TestJPEG.icc([1, 2, 3], number, of: count)
      let still = try StillImage(TestJPEG.with([segment], try TestJPEG.flat(9, 8, 8)))
      #expect(still.color == .assumed && still.notes.count == 1)
    }
  }
}

import ImageCore
import Testing

@testable import Containers

@Suite struct IPTCPropertyTests {
  private func dataset(_ number: UInt8, _ text: String) -> [UInt8] {
    IPTCDataset(2, number, Array(text.utf8)).bytes
  }
  private let utf8 = IPTCDataset(1, 90, [0x1B, 0x25, 0x47]).bytes

  private func packet(_ iptc: [UInt8], xmp: [UInt8]? = nil) throws -> XMPPacket {
    var metadata = CaptureMetadata(xmp: xmp)
    metadata.iptc = iptc
    return try XMPPacket(wellFormed: XMPWriter.packet(metadata, format: "image/jpeg"))
  }

  @Test func datasetsFillUpTheXMP() throws {
    let iptc =
      utf8 + dataset(25, "one") + dataset(25, "zwö") + dataset(116, "© Ada") + dataset(80, "Ada")
      + dataset(90, "Graz") + dataset(55, "20240506") + dataset(60, "070809-0130")
    var found = try packet(iptc)
    #expect(found.texts(.dublinCore, "subject") == ["one", "zwö"])
    #expect(found.texts(.dublinCore, "rights") == ["© Ada"])
    #expect(found.texts(.dublinCore, "creator") == ["Ada"])
    #expect(found[.photoshop, "City"]?.text == "Graz")
    #expect(found[.photoshop, "DateCreated"]?.text == "2024-05-06T07:08:09-01:30")
    var own = XMPDescription()
    own.add(.dublinCore, "subject", .bag, ["other"])
    found = try packet(iptc, xmp: XMPWriter.packet(descriptions: [own.text]))
    #expect(found.texts(.dublinCore, "subject") == ["other"])
    #expect(found[.photoshop, "City"]?.text == "Graz")
  }

  @Test func charactersWithoutADeclaration() throws {
    #expect(
      try packet(IPTCDataset(2, 105, [0x47, 0xF6, 0x73, 0x73]).bytes)[.photoshop, "Headline"]?.text
        == "Göss")
    #expect(try packet(dataset(105, "Göss"))[.photoshop, "Headline"]?.text == "Göss")
    #expect(try packet(dataset(105, "a\u{1}\nb"))[.photoshop, "Headline"]?.text == "a\nb")
  }

  /// What is written says what the XMP says, in UTF-8, and keeps datasets without a property.
  @Test func datasetsFollowTheXMP() throws {
    var own = XMPDescription()
    own.add(.dublinCore, "subject", .bag, ["neu", "ä"])
    own.add(.dublinCore, "creator", .sequence, [String(repeating: "ö", count: 40)])
    own.add(.photoshop, "DateCreated", "2024-05-06T07:08:09.25+02:00")
    let xmp = XMPWriter.packet(descriptions: [own.text])
    let old =
      dataset(25, "old") + IPTCDataset(2, 118, [0xE9]).bytes + IPTCDataset(2, 202, [1, 2]).bytes
    let written = IPTCProperty.datasets(old, updatedBy: xmp)
    #expect(written.starts(with: utf8))
    let all = IPTCDataset.all(in: written)
    func texts(_ number: UInt8) -> [String] {
      all.filter { $0.record == 2 && $0.number == number }
        .map { String(decoding: $0.value, as: UTF8.self) }
    }
    #expect(texts(25) == ["neu", "ä"])
    #expect(texts(80) == [String(repeating: "ö", count: 16)])
    #expect(texts(55) == ["20240506"] && texts(60) == ["070809+0200"])
    #expect(texts(118) == ["é"] && texts(202).isEmpty)
    #expect(all.dropFirst().map(\.number) == all.dropFirst().map(\.number).sorted())
    // Written again, they stay the same.
    #expect(IPTCProperty.datasets(written, updatedBy: xmp) == written)
  }

  /// What is longer than any date is none.
  @Test func datesAreShort() {
    var own = XMPDescription()
    own.add(.photoshop, "DateCreated", "2024-05-06T07:08:09" + StringBytesTests.marks)
    let xmp = XMPWriter.packet(descriptions: [own.text])
    let numbers = IPTCDataset.all(in: IPTCProperty.datasets([], updatedBy: xmp)).map(\.number)
    #expect(!numbers.contains(55) && !numbers.contains(60))
  }

  /// What is made of many datasets can be read again, and a note says what is missing.
  @Test func limits() throws {
    let limits = DecodeLimits(maxItems: 1000)
    func joined(_ keywords: Int) throws -> (packet: XMPPacket, notes: [String]) {
      var metadata = CaptureMetadata()
      metadata.iptc =
        dataset(116, "Ada") + [[UInt8]](repeating: dataset(25, "k"), count: keywords).joined()
      let (made, notes) = metadata.joiningIPTC(limits: limits)
      #expect(metadata.iptcNote(limits) == (keywords < 1000 ? nil : notes.first))
      return (try XMPPacket(wellFormed: made.xmp ?? [], limits: limits), notes)
    }
    for (keywords, stored) in [(700, 700), (900, 744), (999, 744), (1000, 744), (5000, 744)] {
      let found = try joined(keywords)
      #expect(found.packet.texts(.dublinCore, "subject").count == stored)
      #expect(found.packet.texts(.dublinCore, "rights") == ["Ada"])
      #expect(found.notes.count == (stored < keywords ? 1 : 0))
    }
    let all = [[UInt8]](repeating: dataset(25, "k"), count: 5).joined()
    #expect(IPTCDataset.all(in: Array(all), limits: DecodeLimits(maxItems: 4)).count == 4)
  }
}

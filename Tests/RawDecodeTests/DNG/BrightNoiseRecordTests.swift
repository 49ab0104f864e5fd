import Containers
import Testing

@testable import RawDecode

/// The noise of the brightest areas in a merged DNG's XMP.
@Suite struct BrightNoiseRecordTests {
  private typealias Profile = [(scale: Double, offset: Double)]
  private let profile: Profile = [(1e-4, 2e-7), (0.25, 0), (3, 1.5e-300)]

  private func isEqual(_ a: Profile, _ b: Profile) -> Bool {
    a.elementsEqual(b) { $0 == $1 }
  }

  @Test func comesBackAsItWas() {
    let packet = BrightNoiseRecord.packet(nil, with: profile)
    #expect(isEqual(BrightNoiseRecord.profile(in: packet), profile))
    #expect(BrightNoiseRecord.profile(in: XMPWriter.packet(descriptions: [])).isEmpty)
  }

  /// For repeated merges the last profile applies, however the first is written.
  @Test func replacesAnother() throws {
    var rating = XMPDescription(.basic)
    rating.add(.basic, "Rating", "3")
    let element = """
      <rdf:Description xmlns:rawdev="\(XMPNamespace.rawdev.uri)"><rawdev:BrightNoiseProfile>\
      1 1 1 1 1 1</rawdev:BrightNoiseProfile></rdf:Description>
      """
    let written = XMPWriter.packet(descriptions: [rating.text, element])
    #expect(BrightNoiseRecord.profile(in: written).count == 3)
    let rated = XMPWriter.packet(descriptions: [rating.text])
    for first in [written, BrightNoiseRecord.packet(rated, with: profile)] {
      let other: Profile = profile.reversed()
      let packet = BrightNoiseRecord.packet(first, with: other)
      #expect(isEqual(BrightNoiseRecord.profile(in: packet), other))
      #expect(try XMPPacket(wellFormed: packet)[.basic, "Rating"]?.text == "3")
    }
  }

  @Test(arguments: [
    "", "1 2 3 4 5", "1 2 3 4 5 6 7", "1 2 3 4 5 -6", "1 2 3 4 5 nan", "1 2 3 4 5 inf",
    "a b c d e f", "1 2 3 4 5 6" + String(repeating: "\u{301}\u{323}", count: 200),
  ])
  func othersAreNone(text: String) {
    var description = XMPDescription(.rawdev)
    description.add(.rawdev, "BrightNoiseProfile", text)
    let packet = XMPWriter.packet(descriptions: [description.text])
    #expect(BrightNoiseRecord.profile(in: packet).isEmpty)
  }
}

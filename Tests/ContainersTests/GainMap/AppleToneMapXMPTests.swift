import ImageCore
import Testing

@testable import Containers

@Suite struct AppleToneMapXMPTests {
  private static let numbers = [
    ("GainMapMin", "-0.5"), ("GainMapMax", "1.677"), ("Gamma", "0.8"), ("BaseOffset", "0.00001"),
    ("AlternateOffset", "1e-5"),
  ]

  private func metadata(
    version: String = "1", alternate: String? = "1.677", channels: Int = 1, without: String = "",
    asAttributes: Bool = false
  ) throws -> GainMapMetadata? {
    let remaining = Self.numbers.filter { $0.0 != without }
    let channel =
      asAttributes
      ? "<rdf:li \(remaining.map { "t:\($0.0)=\"\($0.1)\"" }.joined(separator: " "))/>"
      : "<rdf:li rdf:parseType=\"Resource\">"
        + remaining.map { "<t:\($0.0)>\($0.1)</t:\($0.0)>" }.joined() + "</rdf:li>"
    let headroom = alternate.map { "t:AlternateHeadroom=\"\($0)\"" } ?? ""
    let packet = GainMapXMPTests.packet(
      """
      <rdf:Description xmlns:t="http://ns.apple.com/HDRToneMap/1.0/" t:Version="\(version)"
        t:BaseHeadroom="0" \(headroom) t:BaseColorIsWorkingColor="False">
       <t:ChannelMetadata><rdf:Seq>\(String(repeating: channel, count: channels))</rdf:Seq>
       </t:ChannelMetadata></rdf:Description>
      """)
    return try GainMapMetadata(appleToneMap: XMPPacket(lenient: packet))
  }

  @Test(arguments: [true, false], [1, 3])
  func itHoldsWhatTheRecordHolds(asAttributes: Bool, channels: Int) throws {
    let channel = try GainMapMetadata.Channel(
      minimumStops: -0.5, maximumStops: 1.677, gamma: 0.8, baseOffset: 1e-5, alternateOffset: 1e-5)
    let expected = try GainMapMetadata(
      channels: Array(repeating: channel, count: channels), alternateHeadroomStops: 1.677,
      usesBaseColorSpace: false)
    #expect(try metadata(channels: channels, asAttributes: asAttributes) == expected)
  }

  @Test func itIsRefusedUnlessItIsComplete() throws {
    for (name, _) in Self.numbers {
      #expect(throws: GainMapError.self) { _ = try metadata(without: name) }
    }
    for version in ["2", "", "x", "2" + StringBytesTests.marks] {
      let error = #expect(throws: GainMapError.self) { _ = try metadata(version: version) }
      #expect((error?.message ?? "").unicodeScalars.count < 100)
    }
    // No valid headroom.
    for alternate in [nil, "0", "nan", "-1"] {
      #expect(throws: GainMapError.self) { _ = try metadata(alternate: alternate) }
    }
    for channels in [0, 2, 4] {
      #expect(throws: GainMapError.self) { _ = try metadata(channels: channels) }
    }
    #expect(try GainMapMetadata(appleToneMap: XMPPacket(lenient: [])) == nil)
  }
}

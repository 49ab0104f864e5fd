import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Readers
@testable import Writers

/// One picture, said in several ways.
@Suite struct SignallingTests {
  /// `bytes` of a PNG without its chunks of that name.
  private func without(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    var (retained, at) = (Array(bytes.prefix(8)), 8)
    while at + 12 <= bytes.count {
      let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = min(at + 12 + length, bytes.count)
      if !bytes[at + 4..<at + 8].elementsEqual(name.utf8) { retained += bytes[at..<end] }
      at = end
    }
    return retained
  }

  /// The same linear values by code points, by an ICC profile, and by both.
  @Test(arguments: [ColorSpace.bt2100PQ, .bt2100HLG])
  func codePointsAndProfilesMeanTheSame(space: ColorSpace) throws {
    let path = NSTemporaryDirectory() + "signalling-\(UUID().uuidString).png"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let picture = try KnownPicture.picture(.bt2020, headroom: 4)
    _ = try PNGPictureWriter(.init(.png, space, bits: 16)).write(picture, to: .replacing(path))
    let both = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let (points, profile) = (without("iCCP", both), without("cICP", both))
    #expect(points.count < both.count && profile.count == both.count - 16)
    let stills = try [both, points, profile].map { try StillImage($0) }
    #expect(stills.map(\.color.origin) == [.codePoints, .codePoints, .profile])
    for still in stills {
      #expect(still.failedISOHDRRules.isEmpty)
      let signal: KnownPicture.Signal = space == .bt2100PQ ? .pq : .hlg
      #expect(
        try KnownPicture.error(try still.base(), try stills[0].base(), signal, top: 65_535) < 8)
    }
  }

  /// A nclx box and the profile alone, over the same coded picture. The coded data themselves say
  /// nothing against either.
  @Test func boxesOfBothKindsMeanTheSame() throws {
    let coded = try TestHEIF.Coded(PixelSize(width: 64, height: 64), .pq)
    func still(_ box: [UInt8]) throws -> StillImage {
      var file = TestHEIF.plain(coded)
      file.brand = "heix"
      file.properties[2] = box
      return try StillImage(file.bytes())
    }
    let profile = try ColorSpace.bt2100PQ.iccProfile()
    let boxed = try still(TestHEIF.box("colr", Array("prof".utf8) + profile))
    let plain = try still(TestHEIF.nclx(9, 16, 9))
    #expect(boxed.color.origin == .profile && boxed.color.transfer == .pq)
    #expect(boxed.failedISOHDRRules.isEmpty && plain.failedISOHDRRules.isEmpty)
    #expect(
      try KnownPicture.pixels(try boxed.base()) == KnownPicture.pixels(try plain.base()))
  }

  /// Metadata that change with the picture are passed over: what is left is the picture as coded.
  @Test func dynamicMetadataIsIgnored() throws {
    let coded = try TestHEIF.Coded(PixelSize(width: 64, height: 64), .hlg)
    var file = TestHEIF.plain(coded)
    file.properties[2] = TestHEIF.nclx(9, 18, 9)
    let plain = try StillImage(file.bytes())
    file.add(
      1, essential: false,
      TestHEIF.box("dvvC", [1, 0, 0x10, 0x3D, 0x40] + Array(repeating: 0, count: 19)))
    let dolby = try StillImage(file.bytes())
    #expect(dolby.color == plain.color && dolby.notes == plain.notes)
    #expect(try TestHEIF.codes(dolby) == TestHEIF.codes(plain))
  }

  /// The two MakerApple numbers, which older readers need, are in written files of both kinds.
  @Test func makerNumbersAreWritten() throws {
    let high = try KnownPicture.picture(.displayP3, headroom: 4)
    let standard = DisplayRendering(.standard, displayHeadroom: 1)(DisplayPicture(high))
    let made = StoredGainMap(
      try GainMapCreation().map(from: standard, to: high), alternatePrimaries: .displayP3)
    let jpeg = try JPEGWriter(.init(.jpeg)).encode(standard, gainMap: made)
    let heif = try HEIFWriter(.init(.heif, .displayP3)).encode(
      standard, gainMap: made)
    for bytes in [jpeg, heif] {
      let still = try StillImage(bytes)
      let maker = try #require(still.makerApple?.headroom)
      guard case .iso(let metadata) = still.gainMap?.formula else {
        Issue.record("no record is read")
        continue
      }
      // Apple's number is the largest gain, not the brightest value.
      #expect(abs(maker / exp2(metadata.channels[0].maximumStops) - 1) < 0.01)
    }
  }
}

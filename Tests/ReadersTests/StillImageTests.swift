import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing
import Writers

@testable import Readers

@Suite struct StillImageTests {
  /// By another program, once it is open: one error.
  @Test(arguments: [
    "pq_canon_93FG5564.hif", "iso_uhdr_vearutop.jpg", "apple_greyhounds.heic", "hlg_hdr_room.png",
  ]) func aFileThatBecomesShorterIsOneError(_ name: String) throws {
    let folder = try TestFolder()
    let path = try folder.write(SharedFiles.bytes("hdr/\(name)"), to: "picture")
    let still = try StillImage(contentsOf: URL(filePath: path))
    #expect(truncate(path, 4096) == 0)
    func isLoss(_ error: any Error) -> Bool {
      (error as? ReadError)?.code == .cannotRead && "\(error)".contains("shorter")
    }
    #expect { try still.base() } throws: { isLoss($0) }
    if still.gainMap != nil {
      #expect { try still.gainMapImage() } throws: { isLoss($0) }
    }
  }

  /// Floats reach what they reach, and sRGB's curve goes on on both sides.
  @Test func lightOfFloatsIsMeasured() throws {
    let still = try StillImage(try #require(TestTIFF(bits: 32, format: 3).bytes()))
    let brightest = try still.base().lightStatistics().contentHeadroom
    #expect(brightest > 8)
    #expect(try still.base().info.headroom == brightest)
    let picture = try still.picture()
    #expect(picture.contentHeadroom == Double(brightest) && !picture.isAbsolute)
    let standard = try still.linear(.standard).lightStatistics().contentHeadroom
    #expect(standard <= 1 && standard > 0.5)
    var coded = TestTIFF(bits: 32, format: 3)
    coded.profile = try ColorSpace.sRGB.iccProfile()
    let linear = try KnownPicture.pixels(try StillImage(try #require(coded.bytes())).base())
    for y in [0, 20] {
      for x in [0, 3, 5, 36] {
        let wanted = SRGB.linear(signal: Double(coded.linear(x, y, 1)))
        #expect(abs(linear[37 * y + x].y - wanted) <= 1e-4 * max(abs(wanted), 1))
      }
    }
  }

  /// Of PQ and hybrid log-gamma it is what the pixels have, or more where the file says so.
  @Test(arguments: [Float(0.6), 1, 3, 40])
  func lightThatIsNotDeclaredIsMeasured(headroom: Float) throws {
    for transfer in [DynamicRangeMix.Transfer.pq, .hlg] where transfer == .pq || headroom < 4 {
      let folder = try TestFolder()
      let path = folder.path + "/picture.jxl"
      _ = try JPEGXLWriter(.init(.jpegXL, ColorSpace(transfer), quality: 1)).write(
        try KnownPicture.picture(.bt2020, headroom: headroom), to: .replacing(path))
      let still = try StillImage(contentsOf: URL(filePath: path))
      let picture = try still.picture()
      #expect(abs(picture.contentHeadroom / Double(max(headroom, 1)) - 1) < 1e-3)
      let high = try KnownPicture.pixels(try still.linear(.high))
      #expect(high == (try KnownPicture.pixels(try still.base())))
      guard headroom <= 1 else { continue }
      let standard = try KnownPicture.pixels(try still.linear(.standard))
      #expect(zip(standard, high).allSatisfy { ($0 - $1).max() < 1e-4 && ($1 - $0).max() < 1e-4 })
    }
  }

  /// Kinds that are not read are refused by their names.
  @Test(arguments: [
    ("GIF89a", "a GIF"), ("8BPS\u{0}\u{1}", "a Photoshop document"), ("BM1234", "a BMP"),
    ("\u{0}\u{0}\u{0}\u{18}ftypvvic\u{0}\u{0}\u{0}\u{0}vvic", "a HEIF in VVC"),
    ("\u{0}\u{0}\u{0}\u{C}jP  \r\n", "a JPEG 2000"),
  ])
  func otherKindsAreNamed(_ start: String, name: String) {
    #expect { try StillImage(Array(start.utf8) + [UInt8](repeating: 1, count: 32)) } throws: {
      let error = $0 as? ReadError
      return error?.code == .unknownKind && error?.message.contains("this is \(name),") == true
    }
  }

  /// ITU-T H.265 E.3.1: without a word on the range it is limited.
  @Test func aRangeThatIsNotDeclaredIsLimited() throws {
    let still = try StillImage(SharedFiles.bytes("more/hdr/heif_conformance_C053.heic"))
    let codes = try TestHEIF.codes(still)
    // Full range would leave 16 to 236.
    #expect(codes.min() == 0 && codes.max() == 255)
    #expect(abs(Double(codes.reduce(0) { $0 + Int($1) }) / Double(codes.count) - 58) < 0.5)
  }
}

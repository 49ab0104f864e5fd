import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Readers

@Suite struct WebPStillTests {
  /// Lossless, 4 × 2, red, green, blue and white over half transparent black; with a profile of no
  /// use and an Exif block.
  static let file = [UInt8](
    Data(
      base64Encoded: """
        UklGRogAAABXRUJQVlA4WAoAAAA4AAAAAwAAAQAASUNDUBEAAABubyBwcm9maWxlIG9mIHVzZQBWUDhMLQAAAC8D
        QAAQJyAQSM4feg0BQZH/owkICv0fTUBQdN1ykR/OJkEgkIYcJhmiiP5HAwBFWElGGgAAAE1NACoAAAAIAAEBEgAD
        AAAAAQADAAAAAAAA
        """, options: .ignoreUnknownCharacters) ?? Data())

  @Test func colorsAndAlpha() throws {
    let still = try StillImage(Self.file)
    #expect(still.kind == .webP && still.size == PixelSize(width: 4, height: 2))
    #expect(still.notes.contains(StillInfo.Alpha.straight.rawValue) && still.orientation == .down)
    let (picture, alpha) = try still.layer()
    guard case .pixels(let linear) = picture.content else { return }
    let colors = try KnownPicture.pixels(linear)
    // Turned by its orientation: the last row first.
    #expect(
      colors[4] == SIMD3(1, 1, 1) && colors[5] == SIMD3(0, 0, 1) && colors[7] == SIMD3(1, 0, 0))
    let opacity = try KnownPicture.pixels(try #require(alpha)).map(\.x)
    #expect(abs(opacity[0] - 128.0 / 255) < 1e-6 && opacity[4] == 1)
    // Half of white shows through black.
    let shown = try KnownPicture.pixels(try still.base())
    #expect(abs(shown[0].x - 127.0 / 255) < 1e-6 && shown[4] == SIMD3(1, 1, 1))
  }

  @Test func damagedFiles() {
    var counts: [String: Int] = [:]
    for seed in 0..<UInt64(Damage.count(2000)) {
      let code = PNGHostileTests.read(Damage.damaged(Self.file, seed: seed))
      counts[code.map(\.rawValue) ?? "picture", default: 0] += 1
    }
    print("damaged WebPs: \(counts)")
    #expect((counts["picture"] ?? 0) > Damage.count(50))
  }
}

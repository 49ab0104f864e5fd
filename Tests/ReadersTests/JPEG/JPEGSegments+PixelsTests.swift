import Containers
import ImageCore
import Testing

@testable import Readers

/// What is odd but harmless is decoded as if it were not there; behind and beside it damage is
/// refused.
@Suite struct JPEGSegmentsPixelsTests {
  /// The decoded samples; nil for a refusal.
  private func samples(_ bytes: [UInt8]) throws -> [UInt8]? {
    let image = try #require(JPEGSegments(FileBytes(bytes)))
    guard let picture = try? image.decode() else { return nil }
    return (0..<picture.size.height).flatMap { y in
      let row = picture.row(y).assumingMemoryBound(to: UInt8.self)
      return (0..<picture.size.width * picture.channels).map { row[$0] }
    }
  }

  private func odd(_ jpeg: [UInt8]) throws -> [[UInt8]] {
    var version = jpeg
    try #require(version[6...].starts(with: Array("JFIF".utf8)))
    version[11] = 2
    let adobe = TestJPEG.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 7])
    // Without JFIF's segment, beside which Adobe's is not looked at.
    let transform = TestJPEG.with([adobe], Array(jpeg[..<2] + jpeg[20...]))
    let table = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDB })
    var stray = jpeg
    stray.insert(contentsOf: [1, 2, 0, 3], at: table)
    return [version, transform, stray]
  }

  @Test(arguments: [false, true])
  func odditiesAloneAreHarmless(progressive: Bool) throws {
    let jpeg = try TestJPEG.ramps(64, 48, progressive: progressive)
    let sound = try #require(try samples(jpeg))
    for file in try odd(jpeg) { #expect(try samples(file) == sound) }
    for padding in [1, 7, 100, 5000] {
      for filler in [UInt8(0), 0xFF] {
        let padded = Array(jpeg.dropLast(2)) + [UInt8](repeating: filler, count: padding)
        #expect(try samples(padded) == sound)
        #expect(try samples(padded + [0xFF, 0xD9]) == sound)
      }
    }
  }

  /// The decoder names its first complaint alone, which is of the header.
  @Test(arguments: [false, true])
  func damageBehindAnOddityIsRefused(progressive: Bool) throws {
    let jpeg = try TestJPEG.ramps(256, 256, progressive: progressive)
    for file in try odd(jpeg) {
      for share in [2, 4, 9] {
        #expect(try samples(Array(file.dropLast(file.count / 10 * share))) == nil)
      }
    }
  }

  /// Bytes that are left over when the picture is full are what a flipped bit leaves.
  @Test func bytesThatAreLeftOverAreDamage() throws {
    let jpeg = try TestJPEG.ramps(64, 48)
    let codes = [UInt8](repeating: 0x5A, count: 40)
    #expect(try samples(Array(jpeg.dropLast(2)) + codes + [0xFF, 0xD9]) == nil)
    let large = try TestJPEG.ramps(256, 256)
    let scan = try #require(JPEGSegments(FileBytes(large))?.scan)
    let step = (large.count - scan.upperBound) / 100
    let refused = try (0..<100).count { index in
      var flipped = large
      let at = scan.upperBound + index * step
      // Neither side may become a marker.
      if flipped[at] == 0xFF || flipped[at - 1] == 0xFF || flipped[at] ^ 8 == 0xFF { return false }
      flipped[at] ^= 8
      return try samples(flipped) == nil
    }
    #expect(refused > 5)
  }
}

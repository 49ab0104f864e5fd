import Containers
import ImageCore
import Testing

@testable import Readers

/// Pictures with one part changed, and whether they are read.
enum JPEGDamage {
  static let end: [UInt8] = [0xFF, 0xD9]

  private static func picture(_ bytes: [UInt8]) throws -> DecodedSamples? {
    let image = try #require(JPEGSegments(FileBytes(bytes)))
    return try? image.decode()
  }

  static func isRefused(_ bytes: [UInt8]) throws -> Bool { try picture(bytes) == nil }

  /// The decoded samples; nil for a refusal.
  static func samples(_ bytes: [UInt8]) throws -> [UInt8]? {
    guard let picture = try picture(bytes) else { return nil }
    return (0..<picture.size.height).flatMap { y in
      let row = picture.row(y).assumingMemoryBound(to: UInt8.self)
      return (0..<picture.size.width * picture.channels).map { row[$0] }
    }
  }

  /// Copies of `jpeg`, each with another bit of its codes flipped.
  static func flipped(_ jpeg: [UInt8]) throws -> [[UInt8]] {
    let scan = try #require(JPEGSegments(FileBytes(jpeg))?.scan)
    let step = (jpeg.count - scan.upperBound) / 100
    return (0..<100).compactMap { index -> [UInt8]? in
      var flipped = jpeg
      let at = scan.upperBound + index * step
      // Neither side may become a marker.
      if flipped[at] == 0xFF || flipped[at - 1] == 0xFF || flipped[at] ^ 8 == 0xFF { return nil }
      flipped[at] ^= 8
      return flipped
    }
  }

  /// What `change` makes of `jpeg` is read as the same picture. What it makes of one with a flipped
  /// bit that is refused, and of one that lacks some of its codes, is refused.
  static func checkHarmless(_ jpeg: [UInt8], _ change: ([UInt8]) throws -> [UInt8]) throws {
    let sound = try #require(try samples(jpeg))
    let changed = try samples(change(jpeg))
    #expect(changed == sound)
    let visible = try flipped(jpeg).filter { try isRefused($0) }
    #expect(visible.count > 5)
    for damaged in visible {
      let isNoticed = try isRefused(change(damaged))
      #expect(isNoticed)
    }
    for fraction in [2, 4, 9] {
      let cut = Array(jpeg.dropLast(jpeg.count / 10 * fraction)) + end
      let isNoticed = try isRefused(change(cut))
      #expect(isNoticed, "\(fraction) tenths are cut off")
    }
  }
}

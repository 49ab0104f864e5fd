import Codecs
import ImageCore
import Testing

/// The decoder of previews and of tiles in raws, which tolerates harmless anomalies like the
/// picture decoder.
@Suite struct TurboJPEGTests {
  /// The samples; nil for damaged data.
  private func samples(_ jpeg: [UInt8]) throws -> [UInt8]? {
    let decoder = try #require(TurboJPEG())
    let header = try #require(jpeg.withUnsafeBytes { decoder.header($0) })
    var samples = [UInt8](repeating: 0, count: header.size.area * header.components)
    let isSound = jpeg.withUnsafeBytes {
      decoder.decode($0, size: header.size, components: header.components, into: &samples)
    }
    return isSound ? samples : nil
  }

  @Test func odditiesAreHarmlessAlone() throws {
    let jpeg = try TestJPEG.ramps(128, 128)
    let sound = try #require(try samples(jpeg))
    let scan = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDA })
    func scanning(_ bytes: [UInt8]) -> [UInt8] {
      var odd = bytes
      // Behind marker, length, and tables of three components.
      odd.replaceSubrange(scan + 11..<scan + 14, with: [0, 0, 0])
      return odd
    }
    let changes: [([UInt8]) -> [UInt8]] = [
      scanning, { Array($0.dropLast(2)) },
      { Array($0.dropLast(2)) + [UInt8](repeating: 0, count: 50) + [0xFF, 0xD9] },
    ]
    let damaged = try JPEGDamage.flipped(jpeg).filter { try samples($0) == nil }
    #expect(damaged.count > 5)
    for change in changes {
      let changed = try samples(change(jpeg))
      #expect(changed == sound)
      for flipped in damaged {
        let isNoticed = try samples(change(flipped)) == nil
        #expect(isNoticed)
      }
      let cut = try samples(change(Array(jpeg.dropLast(jpeg.count / 4))))
      #expect(cut == nil)
    }
  }
}

import CTIFF
import Containers
import ImageCore
import Testing

@testable import Readers

/// Strips and tiles in JPEG are read as JPEG files are: what is odd but harmless is passed over,
/// also where damage shows only without it.
@Suite struct TIFFJPEGPartsTests {
  private static let layouts: [TestTIFF] = [
    TestTIFF(samples: 1, photometric: 1, compression: COMPRESSION_JPEG, rowsPerStrip: 16),
    TestTIFF(compression: COMPRESSION_JPEG, rowsPerStrip: 16),
    TestTIFF(photometric: 6, compression: COMPRESSION_JPEG, rowsPerStrip: 16),
    TestTIFF(compression: COMPRESSION_JPEG, isPlanar: true, rowsPerStrip: 16),
    TestTIFF(photometric: 6, compression: COMPRESSION_JPEG, isTiled: true),
  ]

  /// The samples; nil for a refusal.
  private func samples(_ file: [UInt8]) throws -> [UInt8]? {
    let still = try TIFFStill(FileBytes(file))
    guard let picture = try? still.picture() else { return nil }
    return (0..<picture.size.height).flatMap { y in
      let row = picture.row(y).assumingMemoryBound(to: UInt8.self)
      return (0..<picture.size.width * picture.channels).map { row[$0] }
    }
  }

  /// `file` with `change` of its last strip or tile, which goes to the end.
  private func changing(_ file: [UInt8], _ change: ([UInt8]) -> [UInt8]) throws -> [UInt8] {
    let directory = try #require(try TIFFFile(FileBytes(file))).first
    let offsets = try #require(directory[324] ?? directory[273])
    let counts = try #require(directory[325] ?? directory[279])
    let start = try #require(offsets.integers?.last)
    let count = try #require(counts.integers?.last)
    let part = change(Array(file[start..<start + count]))
    var changed = file
    for (entry, value) in [(offsets, file.count), (counts, part.count)] {
      let width = entry.type == 3 ? 2 : 4
      let position = entry.offset + (entry.count - 1) * width
      changed.replaceSubrange(
        position..<position + width,
        with: (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }
    return changed + part
  }

  /// Where the codes of `part` begin.
  private static func codes(_ part: [UInt8]) -> Int {
    let scan = part.indices.first { part[$0] == 0xFF && part[$0 + 1] == 0xDA } ?? 0
    return scan + 2 + Int(part[scan + 2]) << 8 + Int(part[scan + 3])
  }

  /// No end marker, other coefficients than there are, zeros in front of the end marker.
  private static let changes: [@Sendable ([UInt8]) -> [UInt8]] = [
    { Array($0.dropLast(2)) },
    { part in
      var odd = part
      let codes = Self.codes(part)
      odd.replaceSubrange(codes - 3..<codes, with: [0, 0, 0])
      return odd
    },
    { Array($0.dropLast(2)) + [UInt8](repeating: 0, count: 40) + [0xFF, 0xD9] },
  ]

  @Test(arguments: 0..<5)
  func odditiesAreHarmlessAlone(layout: Int) throws {
    let file = try #require(Self.layouts[layout].bytes())
    let sound = try #require(try samples(file))
    for (index, change) in Self.changes.enumerated() {
      let changed = try samples(changing(file, change))
      #expect(changed == sound, "change \(index)")
      let cut = try samples(
        changing(file) { part in
          let codes = Self.codes(part)
          return change(Array(part[..<(codes + (part.count - codes) / 2)]) + [0xFF, 0xD9])
        })
      #expect(cut == nil, "change \(index)")
    }
  }

  @Test(arguments: 0..<5)
  func flippedBitsAreRefusedBesideThem(layout: Int) throws {
    let file = try #require(Self.layouts[layout].bytes())
    var noticed = 0
    for fraction in 1..<40 {
      func flipped(_ part: [UInt8]) -> [UInt8] {
        var flipped = part
        let codes = Self.codes(part)
        let at = codes + (part.count - 2 - codes) * fraction / 40
        if flipped[at] == 0xFF || flipped[at - 1] == 0xFF || flipped[at] ^ 8 == 0xFF {
          return part
        }
        flipped[at] ^= 8
        return flipped
      }
      guard try samples(changing(file, flipped)) == nil else { continue }
      noticed += 1
      // In so small a part zeros may be all the codes that are wanting.
      for (index, change) in Self.changes.dropLast().enumerated() {
        let beside = try samples(changing(file) { change(flipped($0)) })
        #expect(beside == nil, "change \(index)")
      }
    }
    #expect(noticed > 0)
  }
}

import Formats
import ImageCore
import SyntheticRaw
import TestSupport
import Testing

@testable import DNGWriting
@testable import RawDecode

/// LibRaw, used by most programs to read DNGs, reads the same samples.
@Suite struct RawChunksTests {
  /// LibRaw opens no smaller ones.
  static let sizes: [PixelSize] =
    (Array(stride(from: 32, through: 2000, by: 16))
    + Array(stride(from: 33, through: 2000, by: 62)))
    .map { PixelSize(width: $0, height: 32) }
    + [30, 300, 544, 601].flatMap { width in
      stride(from: 32, through: 1300, by: 211).map { PixelSize(width: width, height: $0) }
    }

  /// Neighbors differ, as in a mosaic of a scene, so that lossless JPEG has two components; and
  /// pictures of three samples per pixel.
  @Test(arguments: [true, false]) func losslessJPEGForLibRaw(isMosaic: Bool) throws {
    let folder = try TestFolder()
    var numbers = SeededRandom(seed: 7)
    var twoComponents = 0
    for size in isMosaic ? Self.sizes : Self.sizes.filter({ $0.width % 5 == 0 }) {
      var source = SyntheticRaw.DNGWriter(
        size: size, layout: isMosaic ? .mosaic(.bayer(.rggb)) : .linear, samples: [])
      for y in 0..<size.height {
        for x in 0..<size.width * (isMosaic ? 1 : 3) {
          let level = isMosaic ? [[900, 3000], [2500, 500]][y % 2][x % 2] : 1000
          source.samples.append(UInt16(level + Int.random(in: 0..<9, using: &numbers)))
        }
      }
      let raw = try RawFile.open(bytes: try source.bytes)
      let path = folder.file("a.dng")
      let writer = try DNGWriting.DNGWriter(raw, DNGSettings(workers: 1))
      _ = try writer.write(to: .replacing(path), name: "A.RAW", previews: .none)
      let dng = try RawFile.open(path: path)
      let read = try dng.decode(by: .libRaw)
      // Comparing the arrays in #expect would print them.
      let isEqual = DNGWriterTests.bits(read) == source.samples.map { UInt32($0) }
      #expect(isEqual, "\(size)")
      let data = try raw.decodeStored()
      let chunks = RawChunks(
        data, isHalf: false, settings: DNGSettings(workers: 1), bigEndian: false)
      if chunks.components == 2 { twoComponents += 1 }
    }
    #expect(!isMosaic || twoComponents > 100)
  }
}

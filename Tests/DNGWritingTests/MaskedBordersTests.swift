import Containers
import Formats
import Foundation
import ImageCore
import RawDecode
import RawTestSupport
import SyntheticRaw
import TestSupport
import Testing

@testable import DNGWriting

/// Borders are written only where readers measure the black level that the file declares.
@Suite struct MaskedBordersTests {
  private let size = PixelSize(width: 60, height: 30)
  private let masked = [
    PixelRect(x: 2, y: 4, width: 8, height: 26), PixelRect(x: 50, y: 4, width: 10, height: 26),
  ]

  /// A mosaic with black of 100 to 103 by position, plus `change` in the borders.
  private func raw(_ change: (_ x: Int, _ y: Int) -> Int = { _, _ in 0 }) throws -> RawFile {
    var source = SyntheticRaw.DNGWriter(size: size, layout: .mosaic(.bayer(.rggb)), samples: [])
    for y in 0..<size.height {
      for x in 0..<size.width {
        let isMasked = x < 12 || x >= 48
        let black = 100 + (y % 2) * 2 + x % 2
        source.samples.append(UInt16(isMasked ? black + change(x, y) : 2000))
      }
    }
    source.activeArea = PixelRect(x: 12, y: 4, width: 36, height: 26)
    source.black = SyntheticRaw.DNGWriter.BlackPattern(
      width: 2, height: 2, levels: (100..<104).map { Rational($0, 1) })
    return try RawFile.open(bytes: try source.bytes)
  }

  private func edges(_ raw: RawFile, _ areas: [PixelRect]) throws -> [Int] {
    var info = raw.info
    info.maskedAreas = areas
    return MaskedBorders(info, try raw.decodeStored()).edges
  }

  @Test func agreeingBordersAreNamed() throws {
    let raw = try raw { _, y in y % 8 == 4 ? 1 : 0 }
    #expect(try edges(raw, masked) == [4, 2, 30, 10, 4, 50, 30, 60])
    #expect(try edges(raw, []).isEmpty)
  }

  @Test func othersAreNot() throws {
    // A mean one higher, a median one higher with the same mean, stray light in one corner.
    #expect(try edges(raw { _, _ in 1 }, masked).isEmpty)
    #expect(try edges(raw { x, _ in x < 4 ? -20 : 5 }, masked).isEmpty)
    #expect(try edges(raw { x, y in x == 55 && y > 6 ? 900 : 0 }, masked).isEmpty)
    #expect(try edges(raw(), [PixelRect(x: 50, y: 4, width: 20, height: 26)]).isEmpty)
    // The active area shows no black.
    #expect(try edges(raw(), [PixelRect(x: 10, y: 4, width: 20, height: 26)]).isEmpty)
  }

  /// A picture lower than a row of tiles is stored in strips, as required by LibRaw.
  @Test func lowPicturesAreInStrips() throws {
    let folder = try TestFolder()
    for height in [100, 112] {
      var source = SyntheticRaw.DNGWriter(
        size: PixelSize(width: 1000, height: height), layout: .linear, samples: [])
      source.floats = [Float](repeating: 0.5, count: 3000 * height)
      source.bitsPerSample = 32
      let raw = try RawFile.open(bytes: try source.bytes)
      let path = folder.file("\(height).dng")
      let writer = try DNGWriting.DNGWriter(raw, DNGSettings(workers: 1))
      _ = try writer.write(to: .replacing(path), name: "a", previews: .none)
      let written = try RawFile.open(path: path)
      #expect((written.tiff?.first[322] == nil) == (height == 100))
      let (a, b) = (try written.decodeStored(), try raw.decodeStored())
      #expect(DNGWriterTests.bits(a) == DNGWriterTests.bits(b))
    }
  }
}

import Codecs
import Formats
import Foundation
import HDRRender
import ImageCore
import Testing

@testable import Containers
@testable import Writers
@testable import X265Writers

struct X265EncoderTests {
  private func settings(
    bits: Int = 10, chroma: ChromaFormat = .yuv420, quantizer: Int = 20, location: Int = 2
  ) -> X265Encoder.Settings {
    X265Encoder.Settings(
      size: PixelSize(width: 128, height: 64), bits: bits, chroma: chroma, quantizer: quantizer,
      color: .init(.bt2020, .pq), chromaLocation: location)
  }

  @Test("The profile is the one that hardware decodes: Main and Main 10 for 4:2:0")
  func profile() throws {
    for (bits, chroma, wanted) in [
      (8, ChromaFormat.yuv420, UInt8(1)), (10, .yuv420, 2), (10, .yuv444, 4),
      (8, .yuv444, 4), (8, .monochrome, 4),
    ] {
      let encoder = try X265Encoder(settings(bits: bits, chroma: chroma))
      let record = try #require(
        HEVCConfiguration(
          parameterSets: encoder.parameterSets, bits: bits, chromaFormat: chroma.rawValue)?.record)
      #expect(record[1] & 0x1F == wanted)
      #expect(record[16] & 3 == chroma.rawValue)
      #expect(record[17] & 7 == UInt8(bits - 8))
      #expect(record[22] == 3)
    }
  }

  /// Decoders that look into the stream alone would stretch codes of the other range.
  @Test("The stream says what its codes are: full range, BT.2020, PQ")
  func range() throws {
    let encoder = try X265Encoder(settings())
    let unit = try #require(encoder.parameterSets.first { $0[0] >> 1 & 0x3F == 33 })
    let sequence = try HEVCSequence(unit[...])
    let wanted = HEIFProperty.CodePoints(primaries: 9, transfer: 16, matrix: 9, isFullRange: true)
    #expect(sequence.isFullRange == true && sequence.codePoints == wanted)
  }

  @Test("The stream says where samples of chroma lie, where there are fewer of them")
  func location() throws {
    func sets(_ chroma: ChromaFormat, _ location: Int) throws -> [[UInt8]] {
      try X265Encoder(settings(chroma: chroma, location: location)).parameterSets
    }
    #expect(try sets(.yuv420, 2) != sets(.yuv420, 0))
    #expect(try sets(.yuv444, 2) == sets(.yuv444, 0))
  }

  @Test("A tile has the same bytes whatever was coded before it", arguments: [0, 12, 26, 27, 48])
  func history(quantizer: Int) throws {
    for (bits, chroma) in [
      (10, ChromaFormat.yuv420), (10, .yuv444), (8, .yuv420), (8, .yuv444),
      (8, .monochrome),
    ] {
      let codes = try YCbCrPlanes(size: PixelSize(width: 128, height: 64), chroma: chroma)
      let encoder = try X265Encoder(settings(bits: bits, chroma: chroma, quantizer: quantizer))
      for plane in 0..<(chroma == .monochrome ? 1 : 3) {
        let size = plane == 0 ? codes.size : codes.chromaSize
        for y in 0..<size.height {
          for x in 0..<size.width {
            codes.row(plane, y)[x] = UInt16((x * 7 + y * y) % 1024) << (bits == 8 ? 6 : 0)
          }
        }
      }
      let first = try encoder.encode(codes)
      for _ in 0..<8 { #expect(try encoder.encode(codes) == first) }
    }
  }
}

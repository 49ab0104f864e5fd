import Foundation
import ImageCore
import Testing

@testable import Writers

struct HEVCEncoderTests {
  private func settings(
    bits: Int = 10, chroma: HEIFWriter.Chroma = .yuv420, quantiser: Int = 20
  ) -> HEVCEncoder.Settings {
    HEVCEncoder.Settings(
      size: PixelSize(width: 128, height: 64), bits: bits, chroma: chroma, quantiser: quantiser,
      color: .pq, chromaLocation: 2)
  }

  @Test("The profile is the one that hardware decodes: Main and Main 10 for 4:2:0")
  func profile() throws {
    for (bits, chroma, wanted) in [
      (8, HEIFWriter.Chroma.yuv420, UInt8(1)), (10, .yuv420, 2), (10, .yuv444, 4),
    ] {
      let encoder = try HEVCEncoder(settings(bits: bits, chroma: chroma))
      let record = try #require(
        HEVCConfiguration.record(
          parameterSets: encoder.parameterSets, bits: bits, chroma: chroma))
      #expect(record[1] & 0x1F == wanted)
      #expect(record[16] & 3 == (chroma == .yuv444 ? 3 : 1))
      #expect(record[17] & 7 == UInt8(bits - 8))
      #expect(record[22] == 3)
    }
  }

  @Test("A tile has the same bytes whatever was coded before it", arguments: [0, 12, 26, 27, 48])
  func history(quantiser: Int) throws {
    let codes = CodePlanes(size: PixelSize(width: 128, height: 64), chroma: .yuv420)
    let encoder = try HEVCEncoder(settings(quantiser: quantiser))
    var first: [UInt8] = []
    for turn in 0..<9 {
      for plane in 0..<3 {
        for y in 0..<(plane == 0 ? 64 : 32) {
          for x in 0..<128 { codes.row(plane, y)[x] = UInt16((x * 7 + y * y) % 1024) }
        }
      }
      let bytes = try encoder.encode(codes)
      if turn == 0 { first = bytes }
      #expect(bytes == first)
    }
  }
}

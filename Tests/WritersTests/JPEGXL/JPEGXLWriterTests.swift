import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Writers

@Suite struct JPEGXLWriterTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func picture(_ primaries: Primaries, headroom: Float) throws -> Image<DisplayReferred> {
    try Image(
      size: PixelSize(width: 90, height: 70), info: .init(primaries: primaries, headroom: headroom)
    ) { planes in
      for plane in 0..<3 {
        for y in 0..<70 {
          for x in 0..<90 { planes.row(plane, y)[x] = headroom * Float(x + plane * y) / 229 }
        }
      }
    }
  }

  @Test(arguments: [DynamicRangeMix.Transfer.pq, .hlg, .standard], [Float(1), nil])
  func writesAContainerWithMetadata(transfer: DynamicRangeMix.Transfer, quality: Float?) throws {
    let path = folder.file("a.jxl")
    let file = try JPEGXLWriter(
      .init(.jpegXL, ColorSpace(transfer), quality: quality), workers: 2
    )
    .write(
      picture(ColorSpace(transfer).primaries, headroom: transfer == .standard ? 1 : 4),
      to: .replacing(path))
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    #expect(bytes.count == file.byteCount && folder.names == ["a.jxl"])
    #expect(bytes.prefix(12) == [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 13, 10, 0x87, 10])
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("Exif") && text.contains("xml ") && text.contains("rawdev"))
  }

  @Test func standardRangeRollsOff() throws {
    let file = try JPEGXLWriter(.init(.jpegXL, .displayP3)).write(
      picture(.displayP3, headroom: 3), to: .replacing(folder.file("a.jxl")))
    #expect(file.isToneMapped && file.statistics.contentHeadroom <= 1.0001 && file.notes.count == 1)
  }

  /// The mapping of cjxl: a quality of 1 is lossless, the usual one visually so.
  @Test func qualitiesAreDistances() throws {
    func distance(_ quality: Float?) throws -> Float {
      try JPEGXLWriter(.init(.jpegXL, quality: quality)).distance
    }
    #expect(try distance(nil) == 1 && distance(1) == 0)
    #expect(try abs(distance(EncoderSettings(.jpegXL).codedQuality) - 1) < 1e-6)
    #expect(try distance(0.99) < distance(0.5) && distance(0) < 15)
  }

  @Test func settingsAndPrimariesAreChecked() throws {
    for quality: Float in [-1, 1.01, .nan] {
      #expect(throws: WriteError.self) {
        try JPEGXLWriter(.init(.jpegXL, .bt2100PQ, quality: quality))
      }
    }
    let error = #expect(throws: WriteError.self) {
      try JPEGXLWriter(.init(.jpegXL, .bt2100PQ)).write(
        picture(.srgb, headroom: 1), to: .replacing(folder.file("a.jxl")))
    }
    #expect(error?.code == .badSetting && folder.names.isEmpty)
  }
}

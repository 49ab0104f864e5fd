import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing
import Writers

@testable import Readers

/// AVIF of the writer, read back.
@Suite struct AVIFWrittenTests {
  /// Smooth values up to `headroom`, rolled off to 1 in the standard rendition.
  private static func scene(
    _ size: PixelSize, _ primaries: Primaries, headroom: Float, isStandard: Bool = false
  ) throws -> Image<DisplayReferred> {
    let info = DisplayReferred.Info(primaries: primaries, headroom: isStandard ? 1 : headroom)
    return try Image(size: size, info: info) { planes in
      for y in 0..<size.height {
        for x in 0..<size.width {
          let (u, v) = (Float(x) / Float(size.width), Float(y) / Float(size.height))
          for plane in 0..<3 {
            let level = headroom * exp2(-5 * (1 - u))
            let linear = level * (0.8 + 0.2 * cos(6 * v + Float(plane)))
            planes.row(plane, y)[x] =
              isStandard ? linear / (1 + level * (1 - 1 / headroom)) : linear
          }
        }
      }
    }
  }

  /// Mean and largest relative error of linear values.
  private static func error(
    _ got: any PixelSource<DisplayReferred>, _ wanted: Image<DisplayReferred>
  ) throws -> (mean: Double, worst: Float) {
    let (a, b) = (try PlanarBuffer(size: wanted.size), try PlanarBuffer(size: wanted.size))
    try wanted.read(PixelRect(wanted.size), into: a)
    try got.read(PixelRect(wanted.size), into: b)
    var (worst, sum) = (Float(0), 0.0)
    for plane in 0..<3 {
      for y in 0..<wanted.size.height {
        for x in 0..<wanted.size.width {
          let linear = a.row(plane, y)[x]
          let off = abs(linear - b.row(plane, y)[x]) / max(linear, 0.05)
          worst = max(worst, off)
          sum += Double(off)
        }
      }
    }
    return (sum / Double(3 * wanted.size.area), worst)
  }

  private static let cases:
    [(DynamicRangeMix.Transfer, ChromaSubsampling, PixelSize, bits: Int, points: [UInt16])] = [
      (.hlg, .yuv420, PixelSize(width: 320, height: 200), 10, [9, 18, 9]),
      (.hlg, .yuv444, PixelSize(width: 133, height: 71), 12, [9, 18, 9]),
      (.pq, .yuv420, PixelSize(width: 1100, height: 130), 10, [9, 16, 9]),
      (.pq, .yuv420, PixelSize(width: 131, height: 1033), 12, [9, 16, 9]),
      (.standard, .yuv420, PixelSize(width: 321, height: 201), 8, [12, 13, 6]),
      (.standard, .yuv444, PixelSize(width: 1030, height: 65), 10, [12, 13, 6]),
    ]

  @Test(arguments: 0..<6)
  func readBack(index: Int) throws {
    let (transfer, chroma, size, bits, points) = Self.cases[index]
    let isHDR = points[0] == 9
    let written = try Self.scene(size, isHDR ? .bt2020 : .displayP3, headroom: isHDR ? 4 : 1)
    var metadata = CaptureMetadata()
    metadata[.image, 0x010F] = .ascii("Maker")
    let bytes = try HEIFWriter(
      .init(.avif, ColorSpace(transfer), bits: bits, chroma: chroma, quality: 0.97)
        .with { $0.av1Speed = 9 }, workers: 2
    ).encode(written, metadata: metadata)
    let still = try StillImage(bytes)
    #expect(still.kind == .avif && still.size == size && still.bitDepth == bits)
    #expect(still.channels == 3 && still.color.codePoints == points && still.notes.isEmpty)
    #expect(still.isHighDynamicRange == isHDR && still.metadata.make == "Maker")
    #expect((still.hdrMetadata.contentLight != nil) == isHDR)
    #expect((still.hdrMetadata.masteringDisplay != nil) == isHDR)
    #expect(still.metadata.xmp?.isEmpty == false)
    let (mean, worst) = try Self.error(try still.base(), written)
    print("\(transfer) \(chroma) \(size): mean off \(mean), worst \(worst)")
    #expect(mean < 0.02 && worst < 0.25)
  }

  @Test("Both renditions of a gain map are read back", arguments: [1, 3])
  func gainMap(channels: Int) throws {
    let size = PixelSize(width: 1100, height: 96)
    let high = try Self.scene(size, .displayP3, headroom: 4)
    let standard = try Self.scene(size, .displayP3, headroom: 4, isStandard: true)
    let created = try GainMapCreation(kind: channels == 1 ? .luminance : .rgb).map(
      from: standard, to: high)
    let bytes = try HEIFWriter(
      .init(.avif, .displayP3, bits: 10, quality: 0.97).with { $0.av1Speed = 9 }, workers: 2
    ).encode(standard, gainMap: StoredGainMap(created, alternatePrimaries: .displayP3))
    let still = try StillImage(bytes)
    let map = try #require(still.gainMap)
    #expect(still.kind == .avif && still.notes.isEmpty && map.formats == [.iso])
    #expect(map.channels == channels && map.bitDepth == 8)
    #expect(map.size == PixelSize(width: 550, height: 48))
    #expect(try Self.error(try still.base(), standard).mean < 0.01)
    let shown = try still.linear(.high)
    let (mean, _) = try Self.error(shown, high)
    print("\(channels) channels: high rendition off by \(mean)")
    #expect(mean < 0.02)
  }

  @Test("Damaged tiles are no picture")
  func damage() throws {
    let scene = try Self.scene(PixelSize(width: 320, height: 200), .bt2020, headroom: 4)
    let bytes = try HEIFWriter(.init(.avif, .bt2100PQ, quality: 0.97), workers: 1).encode(scene)
    let reasons = (1...40).map { part in
      var bytes = bytes
      bytes[bytes.count - 20 * part] ^= 1
      do { _ = try StillImage(bytes).base() } catch { return "\(error)" }
      return ""
    }
    #expect(reasons.count { $0.contains("cannot be decoded") } >= 8, "\(reasons)")
  }
}

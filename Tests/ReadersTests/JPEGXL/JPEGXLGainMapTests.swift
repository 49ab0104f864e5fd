import Containers
import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing
import Writers

@testable import Readers

/// Gain maps in JPEG XL, as our writer puts them there and as others might.
@Suite struct JPEGXLGainMapTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private static let size = PixelSize(width: 60, height: 40)

  private func linear() throws -> Image<DisplayReferred> {
    try Image(size: Self.size, info: .init(primaries: .displayP3, headroom: 1)) { planes in
      for plane in 0..<3 {
        for y in 0..<40 { for x in 0..<60 { planes.row(plane, y)[x] = Float(x + y) / 100 } }
      }
    }
  }

  private func map(channels: Int, inBase: Bool = true) throws -> StoredGainMap {
    let image = try GainMapImage(
      size: PixelSize(width: 30, height: 20), channels: channels,
      bytes: (0..<600 * channels).map { UInt8(truncatingIfNeeded: $0 &* 37 ^ $0 >> 3) })
    let metadata = try GainMapMetadata(
      channels: (0..<channels).map {
        try .init(
          minimumStops: -0.25, maximumStops: 2 + Double($0) / 4, gamma: 1.5, baseOffset: 1.0 / 64,
          alternateOffset: 1.0 / 32)
      },
      alternateHeadroomStops: 2.5, usesBaseColorSpace: inBase)
    return StoredGainMap(image, metadata: metadata, alternatePrimaries: .bt2020)
  }

  @Test(arguments: [1, 3], [Float(1), nil]) func mapsAreReadAsTheyWereWritten(
    channels: Int, quality: Float?
  ) throws {
    let (path, map) = (folder.file("a.jxl"), try map(channels: channels, inBase: channels == 1))
    let file = try JPEGXLWriter(.init(.jpegXL, .displayP3, quality: quality), workers: 2)
      .write(linear(), gainMap: map, to: .replacing(path))
    #expect(file.hasGainMap && file.notes.isEmpty)
    let image = try StillImage(contentsOf: URL(filePath: path))
    #expect(try image.gainMapImage() == map.image)
    #expect(image.gainMapParameters == GainMapParameters(iso: map.metadata))
    #expect(image.gainMap?.formats == [.iso] && image.gainMap?.bitDepth == 8)
    #expect(image.gainMap?.alternatePrimaries == (channels == 1 ? nil : .bt2020))
    #expect(image.notes.isEmpty && abs(image.contentHeadroom - exp2(2.5)) < 1e-6)
    // Programs that know no maps see the picture alone.
    let base = try image.base()
    let buffer = try PlanarBuffer(size: base.size)
    try base.read(PixelRect(Self.size), into: buffer)
    for y in 2..<38 {
      for x in 2..<58 { #expect(abs(buffer.row(1, y)[x] - Float(x + y) / 100) < 0.03) }
    }
  }

  @Test func pictureThatIsTooBrightIsRefused() throws {
    let bright = try Image<DisplayReferred>(
      size: Self.size, info: .init(primaries: .displayP3, headroom: 4)
    ) { _ in }
    #expect(throws: WriteError.self) {
      try JPEGXLWriter(.init(.jpegXL, .displayP3)).write(
        bright, gainMap: map(channels: 1), to: .replacing(folder.file("a.jxl")))
    }
    #expect(folder.names.isEmpty)
  }

  /// The codestream in the container that libjxl writes for level 10.
  private func bare(_ jxl: TestJXL) throws -> [UInt8] {
    let bytes = try #require(jxl.bytes())
    guard let name = bytes.firstRange(of: Array("jxlc".utf8)) else { return bytes }
    return Array(bytes[name.upperBound...])
  }

  /// A box of other programs: packed, lossy in XYB, with more bits, or not to be used.
  @Test func boxesOfOthers() throws {
    let record = try map(channels: 1).metadata.isoRecord
    func image(_ codestream: [UInt8], record: [UInt8], isPacked: Bool = false) throws -> StillImage
    {
      let box = JPEGXLGainMapBundle(record: record, codestream: codestream).bytes
      return try StillImage(
        try #require(TestJXL(boxes: [(JPEGXLGainMapBundle.box, box, isPacked)]).bytes()))
    }
    let gray = try bare(TestJXL(bits: 10, channels: 1))
    let deep = try image(gray, record: record, isPacked: true)
    #expect(deep.gainMap?.bitDepth == 10 && deep.gainMap?.channels == 1)
    #expect(try deep.gainMapImage().maximumCode == 1023)
    let lossy = try image(bare(TestJXL(isLossless: false)), record: record)
    #expect(try lossy.gainMapImage().channels == 3)
    let float = try image(bare(TestJXL(bits: 32, isFloat: true)), record: record)
    #expect(float.gainMap == nil && float.notes.count == 1)
    for bad in [[0xFF, 0x0A], [0, 0, 0, 12], gray.dropLast(gray.count - 5)] as [[UInt8]] {
      let still = try image(bad, record: record)
      #expect(still.gainMap == nil && still.notes.count == 1 && still.size.width > 0)
    }
    // A few bytes of the file may not unpack to many; as many of the file itself may be there.
    let padded = gray + [UInt8](repeating: 0, count: 20 << 20)
    #expect(try image(padded, record: record).gainMap?.bitDepth == 10)
    #expect(try image(padded, record: record, isPacked: true).gainMap == nil)
    #expect(try image(gray, record: [0, 9] + record.dropFirst(2)).gainMap == nil)
    #expect(try image(gray, record: Array(record.prefix(20))).gainMap == nil)
  }

  @Test func damagedFilesNeverTrap() throws {
    let path = folder.file("a.jxl")
    _ = try JPEGXLWriter(.init(.jpegXL, .displayP3), workers: 1).write(
      linear(), gainMap: map(channels: 1), to: .replacing(path))
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let start = try #require(bytes.firstRange(of: Array("jhgm".utf8))?.lowerBound)
    for seed in 0..<Damage.count(400) {
      let damaged = Damage.damaged(
        bytes, tables: start - 4..<start + 120, anywhere: 4, seed: Damage.seed(7) + UInt64(seed))
      guard let image = try? StillImage(damaged, limits: DecodeLimits(maxPixels: 100_000)) else {
        continue
      }
      _ = try? image.auxiliaryGainMap()
      _ = try? image.picture()
    }
  }
}

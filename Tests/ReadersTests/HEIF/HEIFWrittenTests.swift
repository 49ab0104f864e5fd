import Formats
import Foundation
import HDRRender
import ImageCore
import Testing
import Writers

@testable import Readers

/// Files of the writer, read back.
@Suite struct HEIFWrittenTests {
  /// Smooth values up to `headroom`.
  private func linear(
    _ size: PixelSize, _ primaries: Primaries, headroom: Float
  ) throws -> Image<DisplayReferred> {
    try Image(size: size, info: .init(primaries: primaries, headroom: headroom)) { planes in
      for plane in 0..<3 {
        for y in 0..<size.height {
          let v = Float(y) / Float(size.height)
          for x in 0..<size.width {
            let u = Float(x) / Float(size.width)
            let level = headroom * exp2(-5 * (1 - u))
            planes.row(plane, y)[x] = level * (0.8 + 0.2 * cos(6 * v + Float(plane)))
          }
        }
      }
    }
  }

  private static let cases:
    [(DynamicRangeMix.Transfer, ChromaSubsampling, PixelSize, bits: Int, points: [UInt16])] = [
      (.hlg, .yuv420, PixelSize(width: 320, height: 200), 10, [9, 18, 9]),
      (.pq, .yuv444, PixelSize(width: 1100, height: 130), 10, [9, 16, 9]),
      (.pq, .yuv420, PixelSize(width: 130, height: 600), 10, [9, 16, 9]),
      (.standard, .yuv420, PixelSize(width: 320, height: 200), 8, [12, 13, 6]),
      (.standard, .yuv444, PixelSize(width: 600, height: 66), 10, [12, 13, 6]),
    ]

  @Test(arguments: 0..<5)
  func readBack(index: Int) throws {
    let (transfer, chroma, size, bits, points) = Self.cases[index]
    let isHDR = points[0] == 9
    let written = try linear(
      size, isHDR ? .bt2020 : .displayP3, headroom: isHDR ? 4 : 1)
    var metadata = CaptureMetadata()
    metadata[.image, 0x010F] = .ascii("Maker")
    let bytes = try HEIFWriter(
      .init(.heif, ColorSpace(transfer), bits: bits, chroma: chroma, quality: 0.95), workers: 2
    )
    .encode(written, metadata: metadata)
    let still = try StillImage(bytes)
    #expect(still.kind == .heif && still.size == size && still.bitDepth == bits)
    #expect(still.channels == 3 && still.color.codePoints == points && still.notes.isEmpty)
    #expect(still.isHighDynamicRange == isHDR && still.metadata.make == "Maker")
    #expect((still.hdrMetadata.contentLight != nil) == isHDR)
    #expect((still.hdrMetadata.masteringDisplay != nil) == isHDR)
    if let display = still.hdrMetadata.masteringDisplay {
      let red = Primaries.bt2020.chromaticities.red
      #expect(abs(display.red.x - red.x) < 1e-4 && abs(display.white.x - 0.3127) < 1e-4)
      #expect(display.minimumNits == 0.0005 && display.maximumNits >= 203)
    }
    #expect(still.metadata.xmp?.isEmpty == false)
    let source = try still.base()
    let (a, b) = (try PlanarBuffer(size: size), try PlanarBuffer(size: size))
    try written.read(PixelRect(size), into: a)
    try source.read(PixelRect(size), into: b)
    var (worst, sum) = (Float(0), 0.0)
    for plane in 0..<3 {
      for y in 0..<size.height {
        for x in 0..<size.width {
          let off = abs(a.row(plane, y)[x] - b.row(plane, y)[x]) / max(a.row(plane, y)[x], 0.05)
          worst = max(worst, off)
          sum += Double(off)
        }
      }
    }
    let mean = sum / Double(3 * size.area)
    print("\(transfer) \(chroma) \(size): mean off \(mean), worst \(worst)")
    #expect(mean < 0.02 && worst < 0.25)
  }

  /// Narrow range and other matrices than the picture's own, stated by the container.
  @Test func containerOverridesCodedData() throws {
    let coded = try TestHEIF.Coded(PixelSize(width: 64, height: 64))
    var narrow = TestHEIF.plain(coded)
    narrow.properties[2] = TestHEIF.nclx(12, 13, 6, full: false)
    let (a, b) = (
      try TestHEIF.codes(StillImage(TestHEIF.plain(coded).bytes())),
      try TestHEIF.codes(StillImage(narrow.bytes()))
    )
    #expect(a != b)
    #expect(try StillImage(narrow.bytes()).notes.contains { $0.contains("limited range is used") })
    // Sony's cameras say so of pictures of full range.
    let sony = TestJPEG.exif(make: "SONY")
    narrow.items.append(.init(number: 9, type: "Exif", data: [0, 0, 0, 0] + sony[10...]))
    narrow.references.append(("cdsc", 9, [1]))
    #expect(try TestHEIF.codes(StillImage(narrow.bytes())) == a)
    #expect(try StillImage(narrow.bytes()).notes.contains { $0.contains("full range is used") })
    let means = [a, b].map { Double($0.reduce(0) { $0 + Int($1) }) / Double($0.count) }
    #expect(abs((means[0] - 16) * 255 / 219 - means[1]) < 1)
  }

  /// What of the color is not in the container is taken from the coded picture, else sRGB.
  @Test func colorWithoutABox() throws {
    var file = TestHEIF.plain(try TestHEIF.Coded(PixelSize(width: 64, height: 64), .hlg))
    file.items[0].properties.removeLast()
    let still = try StillImage(file.bytes())
    let sequence = still.color.codePoints
    #expect(sequence == [9, 18, 9] ? still.isHighDynamicRange : still.color == .assumed)
    file.properties[2] = TestHEIF.nclx(9, 3, 9)
    file.items[0].properties.append((3, false))
    let unknown = try StillImage(file.bytes())
    #expect(unknown.color.origin == .assumed && unknown.notes.count == 1)
  }

  @Test func lightBoxes() throws {
    var file = TestHEIF.plain(try TestHEIF.Coded(PixelSize(width: 64, height: 64), .pq))
    file.add(1, essential: false, TestHEIF.box("clli", [0x03, 0xE8, 0x00, 0xCB]))
    file.add(
      1, essential: false,
      TestHEIF.box("amve", [0, 1, 0x86, 0xA0, 0x3D, 0x13, 0x40, 0x42]))
    file.add(1, essential: false, TestHEIF.full("ndwt", 0, [0x00, 0x1E, 0xF9, 0xB0]))
    file.add(
      1, essential: false,
      TestHEIF.box(
        "cclv", [0x1C] + TestHEIF.u32(10_000) + TestHEIF.u32(1_000_000_000) + TestHEIF.u32(0)))
    let metadata = try StillImage(file.bytes()).hdrMetadata
    #expect(metadata.contentLight == .init(maximumNits: 1000, averageNits: 203))
    #expect(metadata.ambient?.lux == 10 && abs((metadata.ambient?.color.x ?? 0) - 0.3127) < 1e-4)
    #expect(metadata.diffuseWhiteNits == 203)
    #expect(
      metadata.contentVolume == .init(minimumNits: 0.001, maximumNits: 100, averageNits: 0))
  }
}

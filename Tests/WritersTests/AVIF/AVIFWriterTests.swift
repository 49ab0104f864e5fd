import Codecs
import Containers
import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Writers

struct AVIFWriterTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func writer(
    _ transfer: DynamicRangeMix.Transfer, bits: Int? = nil, _ chroma: ChromaSubsampling = .yuv420,
    quality: Float = 0.98, speed: Int? = nil, workers: Int = 2, tiles: TileLayout = .grid
  ) throws -> HEIFWriter {
    try HEIFWriter(
      .init(.avif, ColorSpace(transfer), bits: bits, chroma: chroma, quality: quality)
        .with { ($0.av1Speed, $0.tiles) = (speed, tiles) },
      workers: workers)
  }

  /// Signal of linear values in the file's primaries, 0…1, by the reference formulas.
  private static func signal(
    _ transfer: DynamicRangeMix.Transfer, _ linear: SIMD3<Float>
  ) -> SIMD3<Double> {
    let nits = SIMD3<Double>(linear) * ReferenceWhite.nits
    switch transfer {
    case .hlg:
      let scene = HLG.scene(display: nits / HLG.peakNits)
      return SIMD3(
        HLG.signal(scene: scene.x), HLG.signal(scene: scene.y), HLG.signal(scene: scene.z))
    case .pq:
      return SIMD3(PQ.signal(nits: nits.x), PQ.signal(nits: nits.y), PQ.signal(nits: nits.z))
    case .standard:
      return SIMD3(
        SRGB.signal(linear: Double(linear.x)), SRGB.signal(linear: Double(linear.y)),
        SRGB.signal(linear: Double(linear.z)))
    }
  }

  @Test(
    "Patches of known values keep their codes, and the file declares their meaning",
    arguments: [
      (.hlg, .yuv420, 10), (.hlg, .yuv444, 12), (.pq, .yuv420, 10), (.pq, .yuv444, 10),
      (.pq, .yuv420, 12), (.standard, .yuv420, 8), (.standard, .yuv444, 8),
      (.standard, .yuv420, 10),
    ] as [(DynamicRangeMix.Transfer, ChromaSubsampling, Int)], [nil, 9])
  func patches(
    format: (transfer: DynamicRangeMix.Transfer, chroma: ChromaSubsampling, bits: Int), speed: Int?
  ) throws {
    let (transfer, chroma, bits) = format
    let isSDR = transfer == .standard
    let tones: [SIMD3<Float>] = [
      SIMD3(0.01, 0.01, 0.01), SIMD3(0.18, 0.18, 0.18), SIMD3(0.3, 0.2, 0.15),
      SIMD3(0.1, 0.25, 0.4), SIMD3(0.9, 0.8, 0.5), isSDR ? SIMD3(1, 1, 1) : SIMD3(3, 3, 3),
    ]
    let picture = AnalyticPicture(
      192, 128, headroom: isSDR ? 1 : 3, primaries: isSDR ? .displayP3 : .bt2020
    ) { x, y in tones[x / 64 + 3 * (y / 64)] }
    let bytes = try writer(transfer, bits: bits, chroma, quality: 1, speed: speed).encode(picture)
    let file = try DecodedHEIF(bytes)
    #expect(file.bits == bits && file.size == picture.size)
    let codes = isSDR ? [12, 13, 6, 1] : [9, transfer == .pq ? 16 : 18, 9, 1]
    #expect(file.nclx == codes)
    let top = Double(1 << bits - 1)
    // A quantizer step of quality 1 is two 10-bit codes; RGB adds the roundings of three channels.
    let tolerance = bits == 12 ? 8 : bits == 10 ? 2 : 2
    for (index, linear) in tones.enumerated() {
      let wanted = Self.signal(transfer, linear) * top
      for (x, y) in [(20, 20), (32, 32), (44, 40)] {
        let got = file[64 * (index % 3) + x, 64 * (index / 3) + y]
        for c in 0..<3 {
          #expect(
            abs(Double(got[c]) - wanted[c]) <= Double(tolerance), "\(transfer) \(linear) \(got)")
        }
      }
    }
    // The coded picture says the same of itself as the container.
    let item = try #require(try ParsedHEIF(bytes).items[1])
    let record = try #require(item.property("av1C"))
    let sequence = try AV1Header(item.data)
    #expect(item.type == "av01" && !item.isHidden && sequence.isReducedStill)
    #expect(sequence.codes == file.nclx && sequence.bits == bits)
    #expect(item.property("pixi") == HEIFProperty.depth(bits).box)
    let position: UInt8 = chroma == .yuv444 ? 0 : isSDR ? 1 : 2
    #expect(record[9] == UInt8(sequence.profile << 5 | sequence.level))
    #expect(
      record[10] == (bits > 8 ? 0x40 : 0) | (bits == 12 ? 0x20 : 0)
        | (chroma == .yuv420 ? 0x0C | position : 0))
    #expect(sequence.chromaPosition == Int(position))
    let brand = bits == 12 ? [] : [chroma == .yuv420 ? "MA1B" : "MA1A"]
    #expect(try ParsedHEIF(bytes).brands == ["avif", "avif", "mif1", "miaf"] + brand)
    #expect((item.property("clli") != nil) == !isSDR && (item.property("mdcv") != nil) == !isSDR)
  }

  @Test(
    "Every size is read back completely, from one pixel to more than a tile",
    arguments: [
      (1, 1), (2, 1), (1, 3), (5, 3), (63, 65), (64, 64), (1023, 40), (1024, 64), (1025, 33),
      (1026, 66), (33, 1025), (2049, 50),
    ], [(TileLayout.auto, nil), (.grid, nil), (.auto, 9)] as [(TileLayout, Int?)])
  func sizes(size: (width: Int, height: Int), coding: (tiles: TileLayout, speed: Int?)) throws {
    let (tiles, speed) = coding
    let (width, height) = size
    for chroma in [ChromaSubsampling.yuv420, .yuv444] {
      let picture = AnalyticPicture(width, height, headroom: 2) { x, y in
        SIMD3(repeating: 0.2 + Float(x + y) / 1100)
      }
      let bytes = try writer(.pq, chroma, quality: 1, speed: speed, tiles: tiles).encode(picture)
      let file = try DecodedHEIF(bytes)
      #expect(file.size == picture.size)
      let grid = try ParsedHEIF(bytes)
      let isGrid = tiles == .grid && max(width, height) > 1024
      #expect(grid.items[grid.primary]?.type == (isGrid ? "grid" : "av01"))
      if isGrid {
        // ISO/IEC 23000-22 7.3.11.4: no grid of odd size and 4:2:0.
        let isOdd = width % 2 + height % 2 > 0
        let tile = try #require(grid.items[1]?.property("av1C"))
        #expect(tile[10] & 0x0C == (isOdd || chroma == .yuv444 ? 0 : 0x0C))
      }
      for x in Set([0, width / 2, min(width - 1, 1024), width - 1]) {
        for y in Set([0, height / 2, height - 1]) {
          let wanted = Self.signal(.pq, picture.linear(x, y)) * 1023
          for c in 0..<3 { #expect(abs(Double(file[x, y][c]) - wanted[c]) <= 3) }
        }
      }
    }
  }

  @Test("Tiles leave no seams: errors at their borders are those elsewhere")
  func seams() throws {
    let picture = AnalyticPicture.textured(1280, 96)
    let file = try DecodedHEIF(try writer(.pq, quality: 0.9).encode(picture))
    func error(_ columns: Range<Int>) -> Double {
      var sum = 0.0
      for x in columns {
        for y in 0..<96 {
          let off =
            Double(file[x, y].y) - Self.signal(.pq, picture.linear(x, y)).y * 1023
          sum += off * off
        }
      }
      return (sum / Double(96 * columns.count)).squareRoot()
    }
    #expect(error(638..<642) < 1.25 * error(0..<1280))
  }

  @Test("The bytes do not depend on the workers", arguments: [nil, 9])
  func deterministic(speed: Int?) throws {
    for (transfer, primaries) in [
      (DynamicRangeMix.Transfer.hlg, Primaries.bt2020), (.standard, .displayP3),
    ] {
      // Three runs of tiles.
      let picture = AnalyticPicture(
        70, 2100, primaries: primaries, AnalyticPicture.textured(70, 2100, headroom: 1).linear)
      let one = try writer(transfer, quality: 0.7, speed: speed, workers: 1).encode(picture)
      #expect(one == (try writer(transfer, quality: 0.7, speed: speed, workers: 3).encode(picture)))
      let chunks = try [1, 2, 3].map {
        try writer(transfer, quality: 0.7, speed: speed, workers: $0, tiles: .single).encode(
          picture)
      }
      #expect(chunks[0] == chunks[1] && chunks[0] == chunks[2] && chunks[0] != one)
    }
  }

  @Test("Files grow with quality, and 12 bits have a smaller error than 10")
  func quality() throws {
    let picture = AnalyticPicture.textured(320, 256)
    let qualities = stride(from: 0, through: 1, by: 0.01)
    let steps = qualities.map(AV1StillCodec().quantizer)
    #expect(steps == steps.sorted(by: >) && steps.first == 210 && steps.last == 2)
    let others = qualities.map(AOMStillCodec(speed: 9).quantizer)
    #expect(others == others.sorted(by: >) && others.first == 56 && others.last == 1)
    var last = 0
    for quality: Float in [0, 0.5, 0.75, 0.9, 1] {
      let bytes = try writer(.pq, quality: quality).encode(picture)
      #expect(bytes.count > last)
      last = bytes.count
    }
    let smooth = AnalyticPicture.smooth(256, 256, headroom: 4)
    let errors = try [10, 12].map { bits in
      let file = try DecodedHEIF(try writer(.pq, bits: bits, .yuv444, quality: 1).encode(smooth))
      var sum = 0.0
      for y in 0..<256 {
        for x in 0..<256 {
          let off =
            Double(file[x, y].y) / Double(1 << bits - 1)
            - Self.signal(.pq, smooth.linear(x, y)).y
          sum += off * off
        }
      }
      return (sum / 65_536).squareRoot()
    }
    #expect(errors[1] < 0.7 * errors[0], "\(errors)")
  }

  @Test("A thumbnail is an item that refers to the picture, which is unchanged")
  func thumbnail() throws {
    let picture = AnalyticPicture.smooth(1200, 90, headroom: 4)
    let plain = try ParsedHEIF(try writer(.pq).encode(picture))
    let settings = EncoderSettings(.avif, .bt2100PQ, quality: 0.98)
      .with { ($0.thumbnail, $0.tiles) = (256, .grid) }
    let file = try ParsedHEIF(try HEIFWriter(settings, workers: 2).encode(picture))
    let small = try #require(file.items.values.first { $0.reference("thmb") != nil })
    #expect(small.type == "av01" && small.isHidden)
    #expect(small.reference("thmb") == [file.primary] && file.primary == plain.primary)
    #expect(small.property("ispe") == HEIFProperty.size(PixelSize(width: 256, height: 19)).box)
    #expect(try AV1Header(small.data).codes == [9, 16, 9, 1])
    for number in try #require(file.items[file.primary]?.reference("dimg")) {
      #expect(file.items[number]?.data == plain.items[number]?.data)
    }
    #expect(throws: WriteError.self) {
      try HEIFWriter(.init(.avif, .bt2100PQ).with { $0.thumbnail = 8 })
    }
  }

  @Test("What the format cannot hold is refused")
  func refusals() throws {
    for quality: Float in [1.1, -0.1, .nan, .infinity] {
      #expect(throws: WriteError.self) { try writer(.pq, quality: quality) }
    }
    for (transfer, bits) in [
      (DynamicRangeMix.Transfer.pq, 8), (.hlg, 16), (.standard, 12), (.standard, -1),
    ] {
      #expect(throws: WriteError.self) { try writer(transfer, bits: bits) }
    }
    for speed in [-1, 10, .max] {
      #expect(throws: WriteError.self) { try writer(.pq, speed: speed) }
    }
    let p3 = AnalyticPicture(64, 64, primaries: .displayP3) { _, _ in SIMD3(0.5, 0.5, 0.5) }
    #expect(throws: WriteError.self) { try writer(.hlg).encode(p3) }
    // Nothing of these is read: they are refused by their size.
    for (width, height) in [(0, 4), (4, 0), (262_145, 1), (1, 1 << 40), (.max, .max)] {
      let picture = AnalyticPicture(width, height) { _, _ in SIMD3(0.5, 0.5, 0.5) }
      do {
        _ = try writer(.pq).encode(picture)
        Issue.record("\(width) × \(height) was written")
      } catch let error as WriteError {
        #expect(error.code == .unsupportedSize)
      }
    }
  }

  @Test("NaN and values above the declared headroom give valid code values")
  func hostilePixels() throws {
    let values: [Float] = [.nan, .infinity, -.infinity, -3, 1e30, 5]
    for (transfer, bits) in [
      (DynamicRangeMix.Transfer.hlg, 10), (.pq, 12), (.standard, 8),
    ] {
      let picture = AnalyticPicture(
        96, 64, headroom: 8, primaries: bits == 8 ? .displayP3 : .bt2020
      ) { x, y in SIMD3(values[x % 6], values[y % 6], values[(x + y) % 6]) }
      let file = try DecodedHEIF(try writer(transfer, bits: bits).encode(picture))
      #expect(file.codes.allSatisfy { $0 < 1 << bits })
    }
  }

  @Test("The result describes the file, its metadata and content light levels")
  func report() throws {
    let path = folder.file("a.avif")
    let bright = AnalyticPicture(700, 100, headroom: 8) { x, _ in
      SIMD3(repeating: x == 650 ? 8 : 1)
    }
    let hlg = try writer(.hlg).write(bright, to: .replacing(path))
    #expect(hlg.isToneMapped && hlg.notes.count == 1)
    var metadata = CaptureMetadata()
    metadata[.image, 0x010F] = .ascii("Maker")
    var hdrMetadata = HDRMetadata()
    hdrMetadata.diffuseWhiteNits = 203
    let pq = try writer(.pq).write(
      bright, metadata: metadata, hdrMetadata: hdrMetadata, to: .replacing(path))
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(!pq.isToneMapped && pq.statistics.maximumContentNits == 1624)
    #expect(bytes.count == pq.byteCount)
    #expect(bytes == (try writer(.pq).encode(bright, metadata: metadata, hdrMetadata: hdrMetadata)))
    let item = try #require(try ParsedHEIF(bytes).items[1])
    #expect(item.property("ndwt") == HEIFProperty.diffuseWhite(nits: 203).box)
    #expect(item.property("clli")?.suffix(4) == [0x06, 0x58, 0, 205])
    let file = try DecodedHEIF(bytes)
    #expect(file.exif.starts(with: [0, 0, 0, 0]) && file.xmp.contains("image/avif"))
    #expect(file.exif.count > 60)
    // All chroma where a grid of odd size would lose readers, and the result says so.
    let odd = AnalyticPicture(1031, 16) { _, _ in SIMD3(0.5, 0.5, 0.5) }
    #expect(try writer(.pq).write(odd, to: .replacing(path)).notes.count == 1)
    #expect(try writer(.pq, .yuv444).write(odd, to: .replacing(path)).notes.isEmpty)
    #expect(throws: WriteError.self) { try writer(.pq).write(bright, to: .replacing(folder.path)) }
  }
}

import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Writers

struct HEIFWriterTests {
  private func writer(
    _ transfer: DynamicRangeMix.Transfer, bits: Int? = nil, _ chroma: ChromaSubsampling = .yuv420,
    quality: Float? = nil, workers: Int = 2
  ) throws -> HEIFWriter {
    try HEIFWriter(
      .init(.heif, ColorSpace(transfer), bits: bits, chroma: chroma, quality: quality),
      workers: workers)
  }

  @Test(
    "Reference white has the code of the standard",
    arguments: [ChromaSubsampling.yuv420, .yuv444])
  func flatField(chroma: ChromaSubsampling) throws {
    let white = AnalyticPicture(96, 64) { _, _ in SIMD3(1, 1, 1) }
    for (transfer, code) in [(DynamicRangeMix.Transfer.pq, 594), (.hlg, 767)] {
      let file = try DecodedHEIF(try writer(transfer, chroma).encode(white))
      for x in [0, 31, 95] {
        for channel in 0..<3 { #expect(abs(file[x, 40][channel] - code) <= 1) }
      }
    }
  }

  @Test("The file signals its color and depth")
  func signalling() throws {
    let picture = AnalyticPicture.smooth(600, 530, headroom: 4)
    let pq = try DecodedHEIF(try writer(.pq).encode(picture))
    #expect(pq.size == PixelSize(width: 600, height: 530))
    #expect(pq.bits == 10)
    #expect(pq.nclx == [9, 16, 9, 1])
    #expect(try DecodedHEIF(try writer(.hlg).encode(picture)).nclx == [9, 18, 9, 1])
    let p3 = AnalyticPicture(64, 64, primaries: .displayP3) { x, _ in
      SIMD3(repeating: Float(x) / 63)
    }
    for bits in [8, 10] {
      let sdr = try DecodedHEIF(try writer(.standard, bits: bits).encode(p3))
      #expect(sdr.bits == bits)
      #expect(sdr.nclx == [12, 13, 6, 1])
      let wanted = SRGB.signal(linear: 32.0 / 63) * Double((1 << bits) - 1)
      #expect(abs(Double(sdr[32, 32].y) - wanted) <= (bits == 8 ? 1.5 : 4))
    }
  }

  @Test(
    "Every size comes back, with its edges",
    arguments: [
      (1, 1), (2, 1), (1, 2), (5, 3), (2, 2), (64, 64), (65, 64), (511, 513), (513, 1), (512, 512),
      (514, 2), (1026, 70),
    ])
  func sizes(width: Int, height: Int) throws {
    let picture = AnalyticPicture(width, height) { x, y in
      SIMD3(repeating: 0.4 + 0.1 * Float(x) / Float(width) + 0.1 * Float(y) / Float(height))
    }
    for (chroma, tiles) in [
      (ChromaSubsampling.yuv420, TileLayout.auto), (.yuv444, .auto), (.yuv420, .single),
      (.yuv444, .single),
    ] {
      let settings = EncoderSettings(.heif, .bt2100PQ, chroma: chroma, quality: 1)
        .with { $0.tiles = tiles }
      let bytes = try HEIFWriter(settings, workers: 2).encode(picture)
      let primary = try #require(try ParsedHEIF(bytes).items[try ParsedHEIF(bytes).primary])
      #expect(tiles == .auto || (primary.reference("dimg") ?? [0]).count == 1)
      let file = try DecodedHEIF(bytes)
      #expect(file.size == PixelSize(width: width, height: height))
      for x in Set([0, width / 2, width - 1]) {
        for y in Set([0, height / 2, height - 1]) {
          let nits = Double(picture.linear(x, y).x) * ReferenceWhite.nits
          let wanted = Int((PQ.signal(nits: nits) * 1023).rounded())
          for channel in 0..<3 { #expect(abs(file[x, y][channel] - wanted) <= 4) }
        }
      }
    }
  }

  @Test("HLG and PQ decode to the same linear values")
  func hlgAgreesWithPQ() throws {
    let picture = AnalyticPicture.smooth(640, 560, headroom: 4.9)
    let hlg = try DecodedHEIF(try writer(.hlg, .yuv444, quality: 1).encode(picture))
    let pq = try DecodedHEIF(try writer(.pq, .yuv444, quality: 1).encode(picture))
    var errors: [Double] = []
    for y in stride(from: 3, to: 560, by: 7) {
      for x in stride(from: 3, to: 640, by: 7) {
        let (a, b) = (hlg[x, y], pq[x, y])
        let scene = SIMD3(
          HLG.scene(signal: Double(a.x) / 1023), HLG.scene(signal: Double(a.y) / 1023),
          HLG.scene(signal: Double(a.z) / 1023))
        let display = HLG.display(scene: scene) * HLG.peakNits
        let nits = PQ.nits(signal: Double(b.y) / 1023)
        if nits > 20 { errors.append(abs(display.y / nits - 1)) }
      }
    }
    errors.sort()
    #expect(errors.count > 2000)
    #expect(errors[errors.count / 2] < 0.005)
    #expect(errors.reduce(0, +) / Double(errors.count) < 0.01)
  }

  @Test("The bytes do not depend on the workers")
  func deterministic() throws {
    let picture = AnalyticPicture.textured(1100, 700)
    let one = try writer(.hlg, workers: 1).encode(picture)
    #expect(one == (try writer(.hlg, workers: 3).encode(picture)))
  }

  @Test("The default quality keeps luma within 49 dB, and files grow with quality")
  func quality() throws {
    let picture = AnalyticPicture.textured(768, 512)
    var last = 0
    for quality: Float in [0.2, 0.5, 0.75, 0.9, 1] {
      let bytes = try writer(.pq, quality: quality).encode(picture)
      #expect(bytes.count > last)
      last = bytes.count
      guard quality == EncoderSettings(.heif).codedQuality else { continue }
      #expect(try lumaPSNR(DecodedHEIF(bytes), picture) >= 49)
    }
  }

  private func lumaPSNR(_ file: DecodedHEIF, _ picture: AnalyticPicture) -> Double {
    var sum = 0.0
    let weights = SIMD3(0.2627, 0.6780, 0.0593)
    for y in 0..<file.size.height {
      for x in 0..<file.size.width {
        let linear = picture.linear(x, y)
        let code = file[x, y]
        var difference = 0.0
        for c in 0..<3 {
          let wanted = PQ.signal(nits: Double(linear[c]) * ReferenceWhite.nits) * 1023
          difference += weights[c] * (Double(code[c]) - wanted)
        }
        sum += difference * difference
      }
    }
    return 10 * log10(1023 * 1023 / (sum / Double(file.size.area)))
  }

  @Test("What the format cannot hold is refused")
  func refusals() throws {
    #expect(throws: WriteError.self) { try writer(.pq, quality: 1.1) }
    #expect(throws: WriteError.self) { try writer(.pq, quality: .nan) }
    #expect(throws: WriteError.self) { try writer(.standard, bits: 12) }
    let p3 = AnalyticPicture(64, 64, primaries: .displayP3) { _, _ in SIMD3(0.5, 0.5, 0.5) }
    #expect(throws: WriteError.self) { try writer(.hlg).encode(p3) }
    let empty = AnalyticPicture(0, 4) { _, _ in SIMD3(0.5, 0.5, 0.5) }
    #expect(throws: WriteError.self) { try writer(.pq).encode(empty) }
  }

  @Test("Highlights above the format's peak are rolled off, with a note")
  func rollsOff() throws {
    for (transfer, headroom, primaries) in [
      (DynamicRangeMix.Transfer.standard, Float(2), Primaries.displayP3), (.hlg, 8, .bt2020),
    ] {
      let picture = AnalyticPicture(64, 64, headroom: headroom, primaries: primaries) { x, _ in
        SIMD3(repeating: headroom * Float(x) / 63)
      }
      let path = NSTemporaryDirectory() + "rawdev-rolled-\(UUID().uuidString).heic"
      defer { unlink(path) }
      let written = try writer(transfer, bits: 10).write(picture, to: .replacing(path))
      #expect(written.isToneMapped && written.notes.count == 1)
      let peak = ColorSpace(transfer).peakNits / ReferenceWhite.nits
      #expect(abs(Double(written.statistics.contentHeadroom) / peak - 1) < 1e-3)
    }
    let blinding = AnalyticPicture(64, 64, headroom: 60) { _, _ in SIMD3(60, 60, 60) }
    let path = NSTemporaryDirectory() + "rawdev-clipped-\(UUID().uuidString).heic"
    defer { unlink(path) }
    let written = try writer(.pq).write(blinding, to: .replacing(path))
    #expect(!written.isToneMapped && written.notes.count == 1)
  }

  @Test("NaN and values above the declared headroom give valid code values")
  func hostilePixels() throws {
    let values: [Float] = [.nan, .infinity, -.infinity, -3, 1e30, 5]
    for transfer in [DynamicRangeMix.Transfer.hlg, .pq] {
      let picture = AnalyticPicture(96, 64, headroom: 8) { x, y in
        SIMD3(values[x % 6], values[y % 6], values[(x + y) % 6])
      }
      let file = try DecodedHEIF(try writer(transfer).encode(picture))
      #expect(file.codes.allSatisfy { $0 <= 1023 })
    }
  }

  @Test(
    "A thumbnail is an item that refers to the picture, which is unchanged"
  )
  func thumbnail() throws {
    let picture = AnalyticPicture.smooth(1100, 700, headroom: 4)
    let plain = try ParsedHEIF(try HEIFWriter(.init(.heif, .bt2100PQ)).encode(picture))
    let bytes = try [1, 3].map {
      try HEIFWriter(.init(.heif, .bt2100PQ).with { $0.thumbnail = 256 }, workers: $0)
        .encode(picture)
    }
    #expect(bytes[0] == bytes[1])
    let parsed = try ParsedHEIF(bytes[0])
    let small = try #require(
      parsed.items.first { $0.value.reference("thmb") == [parsed.primary] }?.value)
    #expect(small.isHidden)
    #expect(small.property("ispe")?.suffix(8) == [0, 0, 1, 0, 0, 0, 0, 163])
    #expect(small.property("colr") == parsed.items[parsed.primary]?.property("colr"))
    for (number, item) in plain.items where item.type == "hvc1" {
      #expect(parsed.items[number]?.data == item.data)
    }
    #expect(throws: WriteError.self) {
      try HEIFWriter(.init(.heif, .bt2100PQ).with { $0.thumbnail = 8 })
    }
  }

  @Test("The result describes the written file")
  func report() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("a.heic").path
    let bright = AnalyticPicture(700, 100, headroom: 8) { x, _ in
      SIMD3(repeating: x == 650 ? 8 : 1)
    }
    let hlg = try writer(.hlg).write(bright, to: .replacing(path))
    #expect(hlg.isToneMapped && hlg.notes.count == 1)
    #expect(abs(hlg.statistics.maximumContentNits - 1000) <= 1)
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(size == hlg.byteCount)
    let pq = try writer(.pq).write(bright, to: .replacing(path))
    #expect(!pq.isToneMapped)
    #expect(pq.statistics.maximumContentNits == 1624)
    #expect(pq.statistics.averageNits == 205)
    #expect(
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) == (try writer(.pq).encode(bright)))
    #expect(throws: WriteError.self) { try writer(.pq).write(bright, to: .replacing(folder.path)) }
  }
}

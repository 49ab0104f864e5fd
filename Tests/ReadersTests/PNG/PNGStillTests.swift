import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing
import Writers

@testable import Containers
@testable import Readers

@Suite struct PNGStillTests {
  private func still(_ bytes: [UInt8]) throws -> PNGStill {
    try PNGStill(FileBytes(bytes))
  }
  static func codes(_ picture: DecodedSamples) -> [[Int]] {
    (0..<picture.size.height).map { y in
      (0..<picture.size.width * picture.channels).map { i in
        picture.format.bytes == 1
          ? Int(picture.row(y).assumingMemoryBound(to: UInt8.self)[i])
          : Int(picture.row(y).assumingMemoryBound(to: UInt16.self)[i])
      }
    }
  }
  private func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.map { UInt8($0.hexDigitValue ?? 0) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// Every color type with every depth, straight and interlaced, code by code.
  @Test(arguments: [
    (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (4, 8), (4, 16), (6, 8), (6, 16),
  ])
  func codesComeBack(color: Int, depth: Int) throws {
    for isInterlaced in [false, true] {
      for (width, height) in [(7, 5), (1, 1), (33, 17)] {
        let png = TestPNG(
          width: width, height: height, depth: depth, color: color, isInterlaced: isInterlaced)
        let still = try still(png.bytes)
        let channels = color & 2 == 0 ? 1 : 3
        #expect(still.info.channels == channels && still.info.bitDepth == depth)
        #expect(still.info.notes.isEmpty == (color < 4))
        let picture = try still.picture()
        #expect(picture.format == .codes(bits: depth))
        let expected = (0..<height).map { y in
          (0..<width).flatMap { x in (0..<channels).map { png.sample(x, y, $0) } }
        }
        #expect(Self.codes(picture) == expected)
      }
    }
  }

  /// The window that a zlib stream declares, and writers before libpng 1.6 declared too small.
  @Test func declaredWindowsDoNotCount() throws {
    let png = TestPNG(width: 300, height: 40, depth: 8, color: 2)
    let name = Array("IDAT".utf8)
    var bytes = png.bytes
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: name) }) + 4
    // 256 bytes; the second byte makes both a multiple of 31.
    bytes.replaceSubrange(start..<start + 2, with: [0x08, 0x1D])
    let small = PNGHostileTests.withSums(bytes)
    #expect(small != png.bytes)
    #expect(try Self.codes(still(small).picture()) == Self.codes(still(png.bytes).picture()))
  }

  @Test(arguments: [1, 2, 4, 8])
  func palettesAreLookedUp(depth: Int) throws {
    let palette = (0..<(1 << depth) * 3).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    var png = TestPNG(width: 19, height: 6, depth: depth, color: 3)
    png.before = [TestPNG.chunk("PLTE", palette), TestPNG.chunk("tRNS", [0, 128])]
    for isInterlaced in [false, true] {
      png.isInterlaced = isInterlaced
      let still = try still(png.bytes)
      #expect(still.info.bitDepth == 8 && still.info.channels == 3)
      #expect(still.info.notes.count == 1)
      let expected = (0..<6).map { y in
        (0..<19).flatMap { x in (0..<3).map { Int(palette[3 * png.sample(x, y, 0) + $0]) } }
      }
      #expect(Self.codes(try still.picture()) == expected)
    }
  }

  /// The chunks' published bytes (PNG, third edition, as libpng 1.6.45 and Chromium write them).
  @Test func codePointsAndLight() throws {
    func color(_ text: String) throws -> ColorDescription {
      var png = TestPNG()
      png.before = [
        hex(text), hex("000000186d4443568a48390821349baa199608fc3d134042009896800000000598 31a5c7"),
        hex("00000008634c4c4900989680001ef9b0b0a5bb58"),
      ]
      let info = try still(png.bytes).info
      #expect(info.notes == [])
      #expect(info.hdrMetadata.contentLight?.maximumNits == 1000)
      #expect(abs((info.hdrMetadata.contentLight?.averageNits ?? 0) - 203) < 1e-9)
      let display = try #require(info.hdrMetadata.masteringDisplay)
      let bt2020 = Primaries.bt2020.chromaticities
      for (a, b) in [
        (display.red, bt2020.red), (display.green, bt2020.green), (display.blue, bt2020.blue),
        (display.white, .d65),
      ] {
        #expect(abs(a.x - b.x) < 2e-5 && abs(a.y - b.y) < 2e-5)
      }
      #expect(display.maximumNits == 1000 && abs(display.minimumNits - 0.0005) < 1e-9)
      return info.color
    }
    let pq = try color("00000004 63494350 09100001 4d2323fe")
    #expect(pq.transfer == .pq && pq.primaries == .bt2020 && pq.codePoints == [9, 16, 0])
    let hlg = try color("00000004 63494350 09120001 4ea7f790")
    #expect(hlg.transfer == .hlg && hlg.primaries == .bt2020)
    let p3 = try color("00000004 63494350 0c0d0001 6e03e3ef")
    #expect(p3.transfer == .srgb && p3.primaries == .displayP3)
  }

  /// cICP before iCCP before sRGB before gAMA and cHRM, whatever their order in the file.
  @Test func colorChunksHaveAnOrderOfPrecedence() throws {
    let bt709: [Int] = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000]
    var chunks = [
      TestPNG.chunk("cHRM", bt709.flatMap(TestPNG.word)),
      TestPNG.chunk("gAMA", TestPNG.word(55_556)),
      TestPNG.chunk("sRGB", [0]), TestPNG.profile(try ColorSpace.displayP3.iccProfile()),
      TestPNG.chunk("cICP", [9, 16, 0, 1]),
    ]
    func color() throws -> ColorDescription {
      try still(TestPNG(before: chunks).bytes).info.color
    }
    #expect(try color().transfer == .pq)
    chunks.removeLast()
    #expect(try color().name == "Display P3" && color().origin == .profile)
    chunks.removeLast()
    #expect(try color().name == "sRGB" && color().origin == .codePoints)
    chunks.removeLast()
    #expect(try color().transfer == .gamma(1.8) && color().primaries == .srgb)
    #expect(try color().matrix == .identity)
    chunks.removeFirst()
    #expect(try color().transfer == .gamma(1.8))
    chunks = []
    #expect(try color() == .assumed)
  }

  @Test func otherPrimariesBecomeBT2020() throws {
    let wide: [Int] = [31270, 32900, 73500, 26500, 11500, 82600, 15700, 1800]
    let chunks = [
      TestPNG.chunk("gAMA", TestPNG.word(45_455)),
      TestPNG.chunk("cHRM", wide.flatMap(TestPNG.word)),
    ]
    let color = try still(TestPNG(before: chunks).bytes).info.color
    #expect(color.primaries == .bt2020 && color.transfer == .gamma(2.2))
    let white = color.matrix * SIMD3(1, 1, 1)
    #expect(abs(white.x - 1) < 1e-3 && abs(white.y - 1) < 1e-3 && abs(white.z - 1) < 1e-3)
  }

  @Test func videoLevelsBecomeFullRange() throws {
    var png = TestPNG(width: 64, height: 8, depth: 8, color: 0)
    png.before = [TestPNG.chunk("cICP", [1, 13, 0, 0])]
    let codes = Self.codes(try still(png.bytes).picture())
    for y in 0..<8 {
      for x in 0..<64 {
        let level = (Double(png.sample(x, y, 0)) - 16) / 219 * 255
        #expect(abs(Double(codes[y][x]) - min(max(level, 0), 255)) <= 0.5001)
      }
    }
  }

  @Test(arguments: [false, true])
  func textsAndExif(compressed: Bool) throws {
    // Orientation 6 and a maker.
    let exif: [UInt8] =
      Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 2]
      + [0x01, 0x0F, 0, 2, 0, 0, 0, 4] + Array("Abc\0".utf8)
      + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0] + [0, 0, 0, 0]
    let packet = Array("<x:xmpmeta>\(String(repeating: "words ", count: 40_000))</x:xmpmeta>".utf8)
    var png = TestPNG()
    png.behind = [
      TestPNG.chunk("eXIf", exif), TestPNG.text(packet, compressed: compressed),
    ]
    let image = try StillImage(png.bytes)
    #expect(image.metadata.make == "Abc" && image.orientation.rawValue == 6)
    #expect(image.size == PixelSize(width: 5, height: 7))
    #expect(image.metadata.xmp == packet)
  }

  @Test func damagedChunksAreLeftOutAndNamed() throws {
    var chunk = TestPNG.chunk("cICP", [9, 16, 0, 1])
    chunk[9] = 18
    let info = try still(TestPNG(before: [chunk]).bytes).info
    #expect(info.color == .assumed && info.notes.first?.contains("cICP") == true)
    let profile = TestPNG.chunk("iCCP", Array("x".utf8) + [0, 0, 1, 2, 3])
    let other = try still(TestPNG(before: [profile]).bytes).info
    #expect(other.color == .assumed && other.notes.first?.contains("ICC") == true)
  }

  @Test func cutBehindThePixelsIsNoted() throws {
    let bytes = TestPNG().bytes
    #expect(try still(bytes).info.notes.isEmpty)
    #expect(try still(bytes.dropLast(12)).info.notes == [StillInfo.cutNote])
  }

  /// The written linear values, within a code.
  @Test(arguments: [
    (ColorSpace.bt2100PQ, 16, Float(12), KnownPicture.Signal.pq, 65_535.0),
    (.bt2100HLG, 16, 2.5, .hlg, 65_535), (.displayP3, 8, 1, .srgb, 255),
    (.sRGB, 16, 1, .srgb, 65_535),
  ])
  func writtenLightComesBack(
    space: ColorSpace, bits: Int, headroom: Float, signal: KnownPicture.Signal, top: Double
  ) throws {
    let primaries = space.primaries
    let path = NSTemporaryDirectory() + "readers-\(UUID().uuidString).png"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let picture = try KnownPicture.picture(primaries, headroom: headroom)
    var metadata = CaptureMetadata()
    metadata[.image, 0x010F] = .ascii("Maker")
    _ = try PNGPictureWriter(.init(.png, space, bits: bits)).write(
      picture, metadata: metadata, to: .replacing(path))
    let image = try StillImage(contentsOf: URL(filePath: path))
    #expect(image.color.primaries == primaries && image.notes == [])
    #expect(image.metadata.make == "Maker" && image.metadata.xmp != nil)
    let error = try KnownPicture.error(try image.base(), picture, signal, top: top)
    #expect(error < 1, "\(error) codes")
    if headroom > 1 {
      #expect(abs(image.contentHeadroom - Double(headroom)) < 0.01 * Double(headroom))
    }
  }

  @Test func writtenCodesComeBack() throws {
    let path = NSTemporaryDirectory() + "readers-\(UUID().uuidString).png"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try PNGWriter(depth: .bits16, layout: .rgb).write(
      size: PixelSize(width: 50, height: 20), to: .replacing(path)
    ) { y, samples in
      for i in samples.indices { samples[i] = UInt16(truncatingIfNeeded: i * 419 + y * 3121) }
    }
    let codes = Self.codes(
      try PNGStill(FileBytes(path: path, limits: DecodeLimits(maxFileBytes: 1 << 20))).picture())
    for y in 0..<20 {
      #expect(codes[y] == (0..<150).map { Int(UInt16(truncatingIfNeeded: $0 * 419 + y * 3121)) })
    }
  }

  /// A real picture of HLG, against an independent reader and formula.
  @Test func sharedHLGPicture() throws {
    let path = try SharedFiles.path("hdr/hlg_hdr_room.png")
    let image = try StillImage(contentsOf: URL(filePath: path))
    let reference = try SharedFiles.reference("hdr/hlg_hdr_room.png")
    #expect(image.color.transfer == .hlg && image.color.primaries == .bt2020)
    #expect(image.bitDepth == 16 && image.size == PixelSize(width: 676, height: 449))
    let truth = ((reference["linear"] as? [String: Any])?["grid"] as? [[[Double]]] ?? [])
      .flatMap { $0 }
    let made = try CellMeans.of(try image.base())
    try #require(truth.count == 48)
    var worst = 0.0
    for (a, b) in zip(made, truth) {
      for c in 0..<3 { worst = max(worst, abs(a[c] - b[c]) / b[c]) }
    }
    #expect(worst < 0.005, "off by \(worst)")
    print("hlg_hdr_room.png: cells off by at most \(worst)")
  }
}

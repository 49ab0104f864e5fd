import CJXL
import Formats
import HDRRender
import ImageCore
import TestSupport
import Testing
import Writers

@testable import Containers
@testable import Readers

@Suite struct JPEGXLStillTests {
  private func still(_ jxl: TestJXL) throws -> JPEGXLStill {
    try JPEGXLStill(
      FileBytes(try #require(jxl.bytes(), "libjxl did not write \(jxl)")))
  }

  /// Integers of every depth, code by code.
  @Test(arguments: [UInt32(8), 10, 12, 14, 16])
  func codesComeBack(bits: UInt32) throws {
    for channels in [UInt32(1), 3] {
      for hasAlpha in [false, true] {
        let jxl = TestJXL(bits: bits, channels: channels, hasAlpha: hasAlpha)
        let still = try still(jxl)
        #expect(still.info.bitDepth == Int(bits) && still.info.channels == Int(channels))
        #expect(still.info.notes.isEmpty == !hasAlpha)
        let codes = PNGStillTests.codes(try still.picture())
        let expected = (0..<21).map { y in
          (0..<37).flatMap { x in (0..<Int(channels)).map { jxl.code(x, y, $0) } }
        }
        #expect(codes == expected)
      }
    }
  }

  /// 250 further channels of 64 × 64, which take two bytes each.
  @Test func furtherChannelsCount() throws {
    let path = HostileFile.path("still/channels.jxl")
    let area = 64 * 64
    func still(_ limits: DecodeLimits) throws -> JPEGXLStill {
      try JPEGXLStill(FileBytes(path: path, limits: limits))
    }
    // As layers, and as memory: six floats for a pixel, four for each channel.
    let (pixels, bytes) = (250 * area, (6 + 4 * 250) * 4 * area)
    let complete = try still(DecodeLimits(maxPixels: pixels, maxDecodeBytes: bytes))
    #expect(complete.info.notes.contains("extra channels were left out"))
    #expect(try complete.picture().size == PixelSize(width: 64, height: 64))
    for limits in [
      DecodeLimits(maxPixels: pixels - 1), DecodeLimits(maxDecodeBytes: bytes - 1),
    ] {
      let error = try #require(throws: ReadError.self) { try still(limits).picture() }
      #expect(error.code == .tooLarge && error.message.contains("raise the limit"))
    }
  }

  /// An alpha channel is part of a picture as large as the limit.
  @Test func alphaIsNoLayer() throws {
    let jxl = TestJXL(hasAlpha: true)
    let bytes = try #require(jxl.bytes())
    let limits = DecodeLimits(maxPixels: jxl.width * jxl.height)
    #expect(throws: Never.self) { try StillImage(bytes, limits: limits).base() }
  }

  /// 70 layers of 64 × 64, which take a few bytes each.
  @Test func layersCountTogether() throws {
    let path = HostileFile.path("still/layers.jxl")
    let maximum = 70 * 64 * 64 + 69 * JPEGXLFrame.overhead
    let still = try JPEGXLStill(
      FileBytes(path: path, limits: DecodeLimits(maxPixels: maximum, maxItems: 70)))
    #expect(try still.picture().size == PixelSize(width: 64, height: 64))
    for limits in [DecodeLimits(maxPixels: maximum - 1), DecodeLimits(maxItems: 69)] {
      let error = try #require(throws: ReadError.self) {
        try JPEGXLStill(FileBytes(path: path, limits: limits))
      }
      #expect(error.code == .tooLarge && error.message.contains("the limit"))
    }
  }

  @Test func floatsComeBackExactly() throws {
    let jxl = TestJXL(
      isFloat: true, primaries: JXL_PRIMARIES_2100, transfer: JXL_TRANSFER_FUNCTION_LINEAR)
    let image = try StillImage(try #require(jxl.bytes()))
    #expect(image.color.transfer == .linear && image.color.primaries == .bt2020)
    let linear = try KnownPicture.pixels(try image.base())
    for y in 0..<21 {
      for x in 0..<37 {
        for c in 0..<3 { #expect(linear[37 * y + x][c] == Double(jxl.linear(x, y, c))) }
      }
    }
  }

  @Test func codePointsAreColors() throws {
    func color(
      _ primaries: JxlPrimaries, _ transfer: JxlTransferFunction, gamma: Double = 0
    ) throws -> ColorDescription {
      try still(TestJXL(primaries: primaries, transfer: transfer, gamma: gamma)).info.color
    }
    let pq = try color(JXL_PRIMARIES_2100, JXL_TRANSFER_FUNCTION_PQ)
    #expect(pq.transfer == .pq && pq.primaries == .bt2020 && pq.codePoints == [9, 16, 0])
    let hlg = try color(JXL_PRIMARIES_2100, JXL_TRANSFER_FUNCTION_HLG)
    #expect(hlg.transfer == .hlg && hlg.codePoints == [9, 18, 0])
    let p3 = try color(JXL_PRIMARIES_P3, JXL_TRANSFER_FUNCTION_SRGB)
    #expect(p3.transfer == .srgb && p3.primaries == .displayP3 && p3.codePoints == [12, 13, 0])
    #expect(try color(JXL_PRIMARIES_SRGB, JXL_TRANSFER_FUNCTION_709).transfer == .bt709)
    let power = try color(JXL_PRIMARIES_SRGB, JXL_TRANSFER_FUNCTION_GAMMA, gamma: 1 / 2.2)
    #expect(power.transfer == .gamma(2.2) && power.primaries == .srgb)
    let adobe = try color(JXL_PRIMARIES_CUSTOM, JXL_TRANSFER_FUNCTION_SRGB)
    #expect(adobe.primaries == .adobeRGB && adobe.matrix == .identity)
    #expect(adobe.transfer == .srgb && adobe.codePoints == nil)
  }

  @Test func profilesAreRead() throws {
    let profile = LCMSTruth.lookupProfile(isLab: false)
    let color = try still(TestJXL(profile: profile)).info.color
    #expect(color.origin == .profile && color.profile == profile && color.name == "Tables")
  }

  /// Lossy pictures come back in their own colors, near enough to show that nothing is mixed up.
  @Test(arguments: [
    (JXL_PRIMARIES_SRGB, JXL_TRANSFER_FUNCTION_SRGB),
    (JXL_PRIMARIES_2100, JXL_TRANSFER_FUNCTION_PQ),
    (JXL_PRIMARIES_P3, JXL_TRANSFER_FUNCTION_SRGB), (JXL_PRIMARIES_2100, JXL_TRANSFER_FUNCTION_HLG),
  ])
  func lossyPictures(primaries: JxlPrimaries, transfer: JxlTransferFunction) throws {
    let jxl = TestJXL(
      bits: 16, isLossless: false,
      intensityTarget: transfer == JXL_TRANSFER_FUNCTION_PQ ? 10_000 : 0,
      primaries: primaries, transfer: transfer)
    let still = try still(jxl)
    #expect(still.info.color.codePoints?[1] == UInt16(transfer.rawValue))
    let codes = PNGStillTests.codes(try still.picture())
    var worst = 0.0
    for y in 0..<21 {
      for x in 0..<37 {
        for c in 0..<3 {
          let off = Double(codes[y][3 * x + c]) / 65_535 - Double(jxl.linear(x, y, c))
          worst = max(worst, abs(off))
        }
      }
    }
    #expect(worst < 0.03, "off by \(worst)")
  }

  /// XYB with only a profile: the same linear values as its numbers declare.
  @Test func lossyPictureWithProfile() throws {
    let profile = try ColorSpace.displayP3.iccProfile()
    let jxl = TestJXL(bits: 16, isLossless: false, profile: profile)
    guard let bytes = jxl.bytes() else { return }
    let image = try StillImage(bytes)
    #expect(image.color.origin == .profile || image.color.origin == .codePoints)
    let pixels = try KnownPicture.pixels(try image.base())
    let toFile = Primaries.displayP3.conversion(to: image.color.primaries)
    for y in [3, 10, 18] {
      for x in [4, 20, 30] {
        let code = SIMD3<Double>(
          Double(jxl.linear(x, y, 0)), Double(jxl.linear(x, y, 1)), Double(jxl.linear(x, y, 2)))
        var linear = code
        for c in 0..<3 { linear[c] = SRGB.linear(signal: code[c]) }
        let off = toFile * linear - pixels[37 * y + x]
        #expect(max(abs(off.x), abs(off.y), abs(off.z)) < 0.02)
      }
    }
  }

  @Test(arguments: 1...8)
  func picturesAreUpright(orientation: Int) throws {
    let jxl = TestJXL(orientation: orientation)
    let still = try still(jxl)
    let turn = try #require(Orientation(rawValue: orientation))
    let stored = PixelSize(width: 37, height: 21)
    #expect(still.info.storedSize == turn.upright(stored) && still.info.orientation == .up)
    let codes = PNGStillTests.codes(try still.picture())
    for y in 0..<still.info.storedSize.height {
      for x in 0..<still.info.storedSize.width {
        let from = turn.storedPoint(of: PixelPoint(x: x, y: y), stored: stored)
        for c in 0..<3 { #expect(codes[y][3 * x + c] == jxl.code(from.x, from.y, c)) }
      }
    }
  }

  @Test(arguments: [false, true])
  func boxesAreRead(isPacked: Bool) throws {
    let exif: [UInt8] =
      [0, 0, 0, 0] + Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1]
      + [0x01, 0x0F, 0, 2, 0, 0, 0, 4] + Array("Abc\0".utf8) + [0, 0, 0, 0]
    let packet = Array("<x:xmpmeta>\(String(repeating: "words ", count: 60_000))</x:xmpmeta>".utf8)
    let image = try StillImage(
      try #require(
        TestJXL(boxes: [("Exif", exif, isPacked), ("xml ", packet, isPacked)]).bytes()))
    #expect(image.metadata.make == "Abc" && image.metadata.xmp == packet)
  }

  @Test func lightAndAnimation() throws {
    let pq = try StillImage(
      try #require(
        TestJXL(
          bits: 10, intensityTarget: 2030, minimumNits: 0.5, primaries: JXL_PRIMARIES_2100,
          transfer: JXL_TRANSFER_FUNCTION_PQ
        ).bytes()))
    #expect(pq.hdrMetadata.contentLight?.maximumNits == 2030 && pq.contentHeadroom == 10)
    #expect(abs((pq.hdrMetadata.contentVolume?.minimumNits ?? 0) - 0.5) < 1e-3)
    let open = try StillImage(
      try #require(
        TestJXL(
          bits: 10, intensityTarget: 10_000, primaries: JXL_PRIMARIES_2100,
          transfer: JXL_TRANSFER_FUNCTION_PQ
        ).bytes()))
    #expect(open.hdrMetadata.contentLight == nil)
    let brightest = try open.base().lightStatistics().contentHeadroom
    #expect(try open.picture().contentHeadroom == Double(brightest) && brightest > 5)
    let moving = try still(TestJXL(isAnimated: true))
    #expect(moving.info.notes.count == 1)
    #expect(PNGStillTests.codes(try moving.picture())[0][0] == TestJXL().code(0, 0, 0))
  }

  @Test func damagedFiles() throws {
    let packet = [UInt8](repeating: 65, count: 3000)
    let files = [
      TestJXL(boxes: [("xml ", packet, true)]), TestJXL(bits: 16, isLossless: false),
      TestJXL(isFloat: true, hasAlpha: true),
      TestJXL(profile: try ColorSpace.displayP3.iccProfile()),
      TestJXL(isAnimated: true, orientation: 6),
    ].compactMap { $0.bytes() }
    try #require(files.count == 5)
    for file in files { #expect(PNGHostileTests.read(file) == nil) }
    var counts: [String: Int] = [:]
    for seed in 0..<UInt64(Damage.count(1500)) {
      let bytes = Damage.damaged(files[Int(seed / 5) % 5], seed: seed)
      counts[PNGHostileTests.read(bytes).map(\.rawValue) ?? "picture", default: 0] += 1
    }
    print("damaged JPEG XLs: \(counts)")
    #expect((counts["damaged"] ?? 0) > Damage.count(100))
  }

  /// A text of 200 MB in a box of some bytes is not taken.
  @Test func packedBomb() throws {
    let text = [UInt8](repeating: 32, count: 200 << 20)
    let image = try StillImage(
      try #require(TestJXL(boxes: [("xml ", text, true)]).bytes()))
    #expect(image.metadata.xmp == nil)
    _ = try image.base()
  }

  /// A square of this many rows, with nothing after its header (ISO/IEC 18181-1, C.3).
  private func claiming(_ side: Int) -> [UInt8] {
    // One bit 0, selector 3 of two bits, the side less one in 30, ratio 1 in three; all else is
    // usual.
    var header = UInt64(0b11) << 1
    header |= UInt64(side - 1) << 3
    header |= 1 << 33
    header |= 0b11 << 36
    return [0xFF, 0x0A] + (0..<8).map { UInt8(truncatingIfNeeded: header >> UInt64(8 * $0)) }
  }

  @Test func implausibleSizesAreRefused() {
    func code(_ side: Int) -> ReadError.Code? {
      do throws(ReadError) {
        _ = try StillImage(claiming(side)).base()
        return nil
      } catch { return error.code }
    }
    let before = PixelMemory.allocatedBytes
    #expect(code(1 << 30) != nil)
    #expect(code(32_000) == .tooLarge)
    #expect(code(20_000) == .tooLarge)
    #expect(code(12_000) == .damaged)
    #expect(PixelMemory.allocatedBytes - before < 1 << 24)
  }

  /// The picture is read, and what is missing past the end of the file is named.
  @Test func cutBehindThePictureIsNoted() throws {
    let brand = Array("jxl ".utf8)
    let head =
      TestHEIF.box("JXL ", [13, 10, 0x87, 10]) + TestHEIF.box("ftyp", brand + [0, 0, 0, 0] + brand)
    let complete = try #require(TestJXL().bytes())
    let stream = complete[try #require(complete.firstRange(of: [0xFF, 0x0A])).lowerBound...]
    let picture = TestHEIF.box("jxlc", Array(stream))
    let exif = TestHEIF.box("Exif", [UInt8](repeating: 0, count: 64))
    #expect(try StillImage(head + picture).notes.isEmpty)
    let cut = try StillImage(head + picture + exif.dropLast(8))
    #expect(cut.notes.contains(StillInfo.cutNote), "\(cut.notes)")
    _ = try cut.base()
  }
}

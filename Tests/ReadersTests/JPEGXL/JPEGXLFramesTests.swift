import CJXL
import Codecs
import Formats
import Foundation
import ImageCore
import TestSupport
import Testing
import Writers

@testable import Containers
@testable import Readers

/// Frames of what libjxl's encoder writes, and of files that hide what they cost.
@Suite struct JPEGXLFramesTests {
  /// The frames up to the last one, and whether they end within `bytes`.
  private func frames(_ bytes: [UInt8]) throws -> (frames: [JPEGXLFrame], isComplete: Bool) {
    try bytes.withUnsafeBytes { data in
      let steps = JPEGXLFrames.maxSteps(bytes: data.count)
      var walk = try #require(JPEGXLFrames(data, maxSteps: steps))
      var frames: [JPEGXLFrame] = []
      while let frame = walk.next() { frames.append(frame) }
      return (frames, walk.isComplete)
    }
  }

  /// The frames; the last one must end with the last byte of the codestream.
  private func wholeFrames(_ jxl: TestJXL) throws -> [JPEGXLFrame] {
    let bytes = try #require(jxl.bytes(), "libjxl did not write \(jxl)")
    let (frames, isComplete) = try frames(bytes)
    #expect(isComplete && frames.last?.isLast == true)
    #expect(try self.frames(bytes.dropLast()).isComplete == false)
    return frames
  }

  @Test(arguments: [true, false])
  func framesEndWithTheFile(isLossless: Bool) throws {
    for (width, height) in [(1, 1), (37, 21), (256, 256), (700, 300)] {
      for hasAlpha in [false, true] {
        for channels in [UInt32(1), 3] {
          let jxl = TestJXL(
            width: width, height: height, channels: channels, hasAlpha: hasAlpha,
            isLossless: isLossless)
          let frames = try wholeFrames(jxl)
          #expect(frames.map(\.size) == [PixelSize(width: width, height: height)])
          #expect(frames[0].endsPicture && frames[0].isShown && !frames[0].hasPosition)
        }
      }
    }
  }

  @Test func floatsAndLight() throws {
    _ = try wholeFrames(
      TestJXL(
        isFloat: true, intensityTarget: 4000, minimumNits: 1, primaries: JXL_PRIMARIES_CUSTOM,
        transfer: JXL_TRANSFER_FUNCTION_GAMMA, gamma: 0.45))
    _ = try wholeFrames(TestJXL(orientation: 6, transfer: JXL_TRANSFER_FUNCTION_PQ))
  }

  @Test func profilesArePassed() throws {
    for profile in [
      try ColorSpace.displayP3.iccProfile(), LCMSTruth.lookupProfile(isLab: false),
    ] {
      #expect(try wholeFrames(TestJXL(profile: profile)).count == 1)
    }
  }

  /// A profile of a million numbers that take no bits; libjxl stops at the same position.
  @Test func profilesWithoutBitsEnd() {
    // 8 × 8 pixels, and 2^20 numbers by one code of one symbol.
    let head: [UInt8] = [255, 10, 65, 64, 8, 7, 128, 0, 3, 72, 0]
    let bytes = head + [UInt8](repeating: 0, count: 53)
    bytes.withUnsafeBytes { data in
      var bits = JPEGXLBits(data, [0..<data.count], maxSteps: 1 << 24)
      #expect(JPEGXLImageHeader(&bits) == nil)
      #expect(!bits.isExhausted)
      #expect((1 << 24 - 1 << 17...1 << 24 - 1 << 16).contains(bits.stepsLeft))
    }
  }

  @Test func animationsEndPictures() throws {
    let frames = try wholeFrames(TestJXL(isAnimated: true))
    #expect(frames.map(\.endsPicture) == [true, true] && frames.map(\.isLast) == [false, true])
  }

  /// Parts in another order, which is coded by entropy.
  @Test(arguments: [true, false])
  func partsInAnotherOrder(isLossless: Bool) throws {
    let jxl = TestJXL(
      width: 2100, height: 700, isLossless: isLossless,
      settings: [JXL_ENC_FRAME_SETTING_GROUP_ORDER: 1])
    #expect(try wholeFrames(jxl).count == 1)
  }

  @Test(arguments: [Int64(0), 1, 2, 3])
  func groupsOfEverySize(size: Int64) throws {
    let jxl = TestJXL(
      width: 1100, height: 600,
      settings: [JXL_ENC_FRAME_SETTING_MODULAR: 1, JXL_ENC_FRAME_SETTING_MODULAR_GROUP_SIZE: size])
    #expect(try wholeFrames(jxl).count == 1)
  }

  @Test(arguments: [Int64(2), 4, 8])
  func upsampledFrames(factor: Int64) throws {
    let jxl = TestJXL(
      width: 300, height: 200, isLossless: false,
      settings: [JXL_ENC_FRAME_SETTING_RESAMPLING: factor])
    #expect(try wholeFrames(jxl).map(\.size) == [PixelSize(width: 300, height: 200)])
  }

  @Test func lowFrequenciesAreFrames() throws {
    let jxl = TestJXL(
      width: 300, height: 210, isLossless: false,
      settings: [JXL_ENC_FRAME_SETTING_PROGRESSIVE_DC: 2])
    let frames = try wholeFrames(jxl)
    #expect(frames.map(\.isShown) == [false, false, true])
    #expect(frames[0].size == PixelSize(width: 5, height: 4))
    #expect(frames[1].size == PixelSize(width: 38, height: 27))
    #expect(frames.map(\.store) == [5, 4, nil])
  }

  /// Parts of a codestream are joined.
  @Test func piecesOfACodestream() throws {
    let whole = try #require(TestJXL().bytes())
    let stream = Array(whole[try #require(whole.firstRange(of: [0xFF, 0x0A])).lowerBound...])
    for length in [1, 7, 100] {
      var file: [UInt8] = ISOBox.bytes("JXL ", [0x0D, 0x0A, 0x87, 0x0A])
      let starts = Array(stride(from: 0, to: stream.count, by: length))
      for (number, start) in starts.enumerated() {
        let last: UInt32 = start == starts.last ? 1 << 31 : 0
        let piece = stream[start..<min(start + length, stream.count)]
        file += ISOBox.bytes("jxlp", (UInt32(number) | last).bytes(bigEndian: true) + piece)
      }
      file += ISOBox.bytes("Exif", [0, 0, 0, 0])
      #expect(try frames(file) == frames(stream))
      #expect(try frames(file).isComplete)
    }
  }

  private func hidden(_ name: String, _ limits: DecodeLimits) throws -> JPEGXLStill {
    try JPEGXLStill(FileBytes(path: HostileFile.path("still/\(name).jxl"), limits: limits))
  }

  /// 60 frames of 512 × 512 before a picture of 64 × 64, each stored for patches and none shown.
  @Test func referencesCount() throws {
    let pixels = 60 * (512 * 512 + JPEGXLFrame.overhead) + 64 * 64
    // The last of them, and the four stored frames, one of which it replaces.
    let bytes = 512 * 512 * (6 + 4 * 3) * 4
    let limits = DecodeLimits(maxPixels: pixels, maxDecodeBytes: bytes, maxItems: 61)
    #expect(
      try hidden("references", limits).picture().size == PixelSize(width: 64, height: 64))
    for limits in [
      DecodeLimits(maxPixels: pixels - 1), DecodeLimits(maxDecodeBytes: bytes - 1),
      DecodeLimits(maxItems: 60),
    ] {
      let error = try #require(throws: ReadError.self) {
        try hidden("references", limits).picture()
      }
      #expect(error.code == .tooLarge && error.message.contains("the limit"))
    }
  }

  /// 60 frames of the low frequencies of a picture of 4096 × 4096.
  @Test func lowFrequenciesCount() throws {
    let pixels = 60 * (512 * 512 + JPEGXLFrame.overhead) + 4096 * 4096
    let size = PixelSize(width: 4096, height: 4096)
    #expect(
      try hidden("low-frequencies", DecodeLimits(maxPixels: pixels)).info.storedSize == size)
    let error = try #require(throws: ReadError.self) {
      try hidden("low-frequencies", DecodeLimits(maxPixels: pixels - 1))
    }
    #expect(error.code == .tooLarge && error.message.contains("raise the limit"))
  }

  /// 4096 patches of 64 × 64, and the frame that they are of.
  @Test func patchesCount() throws {
    try expectCost(
      2 * 64 * 64 + 4096 * 64 * 64 / 16 + JPEGXLFrame.overhead, of: "patches", side: 64)
  }

  /// Four frames of a block of 8 × 8 with tables of quantizers and orders before a picture: stored,
  /// with one pass, and blended, with eleven.
  @Test func tablesCount() throws {
    try expectCost(4 * (8 * 8 + 4 << 19) + 8 * 8, of: "tables", side: 8)
    try expectCost(4 * (8 * 8 + 14 << 19) + 8 * 8, of: "passes", side: 8)
  }

  private func expectCost(_ pixels: Int, of name: String, side: Int) throws {
    let picture = try hidden(name, DecodeLimits(maxPixels: pixels)).picture()
    #expect(picture.size == PixelSize(width: side, height: side))
    let error = try #require(throws: ReadError.self) {
      try hidden(name, DecodeLimits(maxPixels: pixels - 1))
    }
    #expect(error.code == .tooLarge && error.message.contains("raise the limit"))
  }

  /// Frames that are found with at most that number of steps, and how many of these are left.
  private func walk(_ bytes: [UInt8], maxSteps: Int) -> (frames: Int, stepsLeft: Int) {
    bytes.withUnsafeBytes { data in
      guard var walk = JPEGXLFrames(data, maxSteps: maxSteps) else { return (0, 0) }
      var frames = 0
      while walk.next() != nil { frames += 1 }
      return (frames, walk.stepsLeft)
    }
  }

  /// 4096 patches, which have no bits of their own.
  @Test func stepsAreCounted() throws {
    let path = HostileFile.path("still/patches.jxl")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let most = JPEGXLFrames.maxSteps(bytes: bytes.count)
    let whole = walk(bytes, maxSteps: most)
    let steps = most - whole.stepsLeft
    #expect(whole.frames == 2 && steps > 3 * 4096)
    #expect(walk(bytes, maxSteps: steps).frames == 2)
    #expect(walk(bytes, maxSteps: steps - 1).frames == 1)
    #expect(JPEGXLFrames.maxSteps(bytes: 167) == 1 << 18 + 256 * 167)
    #expect(JPEGXLFrames.maxSteps(bytes: 1 << 30) == 1 << 18 + 16 << 20)
    #expect(JPEGXLFrames.maxSteps(pixels: 800) == 1 << 18 + 100)
  }

  /// The headers of a picture of 128 × 128, and of one with a preview of as many pixels.
  private static let plain: [UInt8] = [0xFF, 0x0A, 95, 4, 16, 19]
  private static let previewed: [UInt8] = [0xFF, 0x0A, 95, 132, 9, 196, 4]
  /// A frame of the same size with patches, two of three each, in a part of `bytes` bytes; their
  /// codes take eight.
  private func patched(bytes: UInt8) -> [UInt8] {
    [88, 32, 144, 0, bytes << 2, 0, 26, 0, 8, 255, 223, 48, 132, 33]
  }

  @Test func patchesEndWithTheirPart() {
    #expect(walk(Self.plain + patched(bytes: 8), maxSteps: 1 << 18).frames == 1)
    #expect(walk(Self.plain + patched(bytes: 7), maxSteps: 1 << 18).frames == 0)
  }

  /// libjxl passes over previews.
  @Test func patchesOfPreviewsAreNotRead() {
    let main: [UInt8] = [8, 2, 9, 32, 0] + [UInt8](repeating: 0, count: 8)
    #expect(walk(Self.previewed + patched(bytes: 8) + main, maxSteps: 0).frames == 1)
  }

  /// The parts of a picture take their steps of the same number.
  @Test func partsShareTheirSteps() throws {
    let jxl = TestJXL(
      width: 2100, height: 700, settings: [JXL_ENC_FRAME_SETTING_GROUP_ORDER: 1])
    let bytes = try #require(jxl.bytes())
    let steps = 1 << 18 - walk(bytes, maxSteps: 1 << 18).stepsLeft
    #expect(steps > 0)
    let left = JPEGXL.HeaderSteps(2 * steps)
    for isDecoded in [true, true, false] {
      let decoder = try JPEGXL()
      let found = bytes.withUnsafeBytes {
        decoder.decode(
          $0, asFloats: false, left, accepts: { _ in true }, receive: { _, _, _, _ in })
      }
      #expect(found == isDecoded)
    }
  }

  @Test func splinesAreNotRead() throws {
    let error = try #require(throws: ReadError.self) { try hidden("splines", DecodeLimits()) }
    #expect(error.code == .unsupported && error.message.contains("splines"))
  }
}

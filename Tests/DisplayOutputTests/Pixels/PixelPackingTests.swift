import Foundation
import ImageCore
import ImageFilters
import TestSupport
import Testing

@testable import DisplayOutput
@testable import HDRRender

@Suite struct PixelPackingTests {
  private func same(_ a: PackedPicture, _ b: PackedPicture) -> Bool { a.planes == b.planes }

  private func repacked(_ picture: PackedPicture, _ packing: PixelPacking) throws -> PackedPicture {
    try packing(picture.linear())
  }

  /// Every code of ten bits as gray, and colors.
  private func codes10() throws -> PackedPicture {
    var words: [UInt8] = []
    for index in 0..<2048 {
      let (r, g, b) =
        index < 1024
        ? (index, index, index) : (index * 7 % 1024, index * 13 % 1024, index * 29 % 1024)
      let word = 3 << 30 | UInt32(r) << 20 | UInt32(g) << 10 | UInt32(b)
      withUnsafeBytes(of: word.littleEndian) { words.append(contentsOf: $0) }
    }
    return try PackedPicture(
      size: PixelSize(width: 64, height: 32), format: .rgb10,
      planes: [.init(bytes: words, bytesPerRow: 256)])
  }

  /// Codes to linear values and back are the same codes: the values are within half a code.
  @Test(arguments: SignalTransfer.allCases) func tenBitCodesComeBack(transfer: SignalTransfer)
    throws
  {
    var picture = try codes10()
    picture.attachments = PixelAttachments(primaries: .bt2020, transfer: transfer)
    let packing = try PixelPacking(.rgb10, transfer: transfer)
    let result = try repacked(picture, packing)
    #expect(same(result, picture))
    #expect(result.attachments?.transfer == transfer)
  }

  @Test(arguments: SignalTransfer.allCases) func sixteenBitCodesComeBack(transfer: SignalTransfer)
    throws
  {
    var words: [UInt16] = []
    for index in 0..<65_536 {
      words += [UInt16(index), UInt16(index), UInt16(index), 65_535]
    }
    let bytes = words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let picture = try PackedPicture(
      size: PixelSize(width: 256, height: 256), format: .rgba16,
      planes: [.init(bytes: bytes, bytesPerRow: 2048)],
      attachments: PixelAttachments(primaries: .bt2020, transfer: transfer))
    let packing = try PixelPacking(.rgba16, transfer: transfer)
    #expect(same(try repacked(picture, packing), picture))
  }

  @Test func floatsKeepValuesOutsideTheRange() throws {
    let picture = EditScene.noise()
    for transfer in [SignalTransfer.linear, .srgb] {
      for format in [PixelFormat.rgbaFloat, .rgbaHalf] {
        let packing = try PixelPacking(format, transfer: transfer, primaries: .displayP3)
        #expect(packing.isHDRSafe)
        let linear = try packing(picture).linear()
        #expect(abs(linear.info.headroom - 8) < 0.01 && linear.info.primaries == .displayP3)
        let result = EditScene.image(linear)
        var worst: Float = 0
        for y in 0..<picture.size.height {
          for x in 0..<picture.size.width {
            let error = result[x, y] - picture[x, y]
            for c in 0..<3 { worst = max(worst, abs(error[c]) / max(abs(picture[x, y][c]), 0.01)) }
          }
        }
        // Half of a half's last place; sRGB multiplies it by at most 2.4.
        #expect(worst <= (format == .rgbaFloat ? 1e-5 : 1.2e-3))
        if format == .rgbaFloat, transfer == .linear { #expect(EditScene.isSame(linear, picture)) }
      }
    }
  }

  /// Known codes of reference white, 203 cd/m².
  @Test func whiteHasItsCodes() throws {
    let white = EditScene.picture(4, 4, headroom: 1, primaries: .bt2020) { _, _ in
      SIMD3(1, 1, 1)
    }
    func luma(_ format: PixelFormat, _ transfer: SignalTransfer) throws -> (Int, Int) {
      let packed = try PixelPacking(format, transfer: transfer)(white)
      func word(_ plane: Int) -> Int {
        Int(packed.planes[plane].bytes[0]) | Int(packed.planes[plane].bytes[1]) << 8
      }
      #expect(word(0) & 63 == 0 && packed.planes[0].bytesPerRow == 64)
      return (word(0) >> 6, word(1) >> 6)
    }
    // 0.580689 and 0.749877 of 1023, and of 876 from 64 on.
    #expect(try luma(.biplanar10FullRange, .pq) == (594, 512))
    #expect(try luma(.biplanar10VideoRange, .pq) == (573, 512))
    #expect(try luma(.biplanar10FullRange, .hlg) == (767, 512))
    #expect(try luma(.biplanar10VideoRange, .hlg) == (721, 512))
    #expect(try luma(.biplanar10VideoRange, .srgb) == (940, 512))
  }

  /// All codes of luma, and flat colors, come back as they were.
  @Test(arguments: [PixelFormat.biplanar10FullRange, .biplanar10VideoRange])
  func biplanarCodesComeBack(format: PixelFormat) throws {
    let isVideo = format == .biplanar10VideoRange
    let (low, high) = isVideo ? (64, 940) : (0, 1023)
    for (transfer, primaries) in [
      (SignalTransfer.pq, Primaries.bt2020), (.hlg, .bt2020), (.srgb, .displayP3),
    ] {
      for (cb, cr) in [(512, 512), (530, 480), (490, 560)] {
        // Where there is color, only luma that some color has.
        let (first, last) = cb == 512 ? (low, high) : (low + 260, high - 260)
        let size = PixelSize(width: 47, height: 25)
        var luma = [UInt8](repeating: 0, count: 96 * 25)
        var chroma = [UInt8](repeating: 0, count: 96 * 13)
        func put(_ bytes: inout [UInt8], _ at: Int, _ code: Int) {
          bytes[at] = UInt8(truncatingIfNeeded: code << 6)
          bytes[at + 1] = UInt8(truncatingIfNeeded: code >> 2)
        }
        for index in 0..<size.area {
          put(
            &luma, index / 47 * 96 + index % 47 * 2, min(first + index, last))
        }
        for index in 0..<13 * 24 {
          put(&chroma, index / 24 * 96 + index % 24 * 4, cb)
          put(&chroma, index / 24 * 96 + index % 24 * 4 + 2, cr)
        }
        let picture = try PackedPicture(
          size: size, format: format,
          planes: [.init(bytes: luma, bytesPerRow: 96), .init(bytes: chroma, bytesPerRow: 96)],
          attachments: PixelAttachments(
            primaries: primaries, transfer: transfer,
            matrix: primaries == .bt2020 ? .bt2020 : .bt709))
        let packing = try PixelPacking(
          format, transfer: transfer, primaries: primaries, rowAlignment: 32)
        #expect(same(try repacked(picture, packing), picture), "\(transfer) \(cb) \(cr)")
      }
    }
  }

  @Test func ditherIsRightInTheMeanAndTheSameInEveryBand() throws {
    let level: Float = 0.3012
    let picture = EditScene.picture(64, 160, headroom: 1, primaries: .bt2020) { _, _ in
      SIMD3(repeating: level)
    }
    let packing = try PixelPacking(.rgb10, transfer: .linear, isDithered: true)
    let packed = try packing(picture, workers: 1)
    #expect(same(packed, try packing(picture, workers: 3)))
    let result = EditScene.image(try packed.linear())
    var (sum, seen) = (0.0, Set<Float>())
    for y in 0..<160 {
      for x in 0..<64 {
        sum += Double(result[x, y].x)
        seen.insert(result[x, y].x)
      }
    }
    #expect(seen.count == 2)
    #expect(abs(sum / (64 * 160) - Double(level)) < 1.0 / 1023 / 64)
    let thresholds = Set((0..<64).map { OrderedDither.threshold($0 % 8, $0 / 8) })
    #expect(thresholds.count == 64 && thresholds.allSatisfy { $0 > 0 && $0 < 1 })
  }

  @Test func whatTheFormatCannotHoldIsToneMapped() throws {
    let picture = EditScene.picture(64, 2) { x, _ in SIMD3(repeating: Float(x) / 8) }
    let packing = try PixelPacking(.rgba8, transfer: .srgb, primaries: .displayP3)
    #expect(!packing.isHDRSafe && !PixelFormat.rgba8.isHDRSafe)
    let result = EditScene.image(try packing(picture).linear())
    #expect(result[63, 0].x > 0.99 && result[40, 0].x < result[63, 0].x)
    #expect(result[40, 0].x > result[20, 0].x)
  }

  @Test func memoryWithoutAttachmentsIsStandard() throws {
    let picture = try PackedPicture(
      size: PixelSize(width: 1, height: 1), format: .rgba8,
      planes: [.init(bytes: [255, 188, 0, 255], bytesPerRow: 4)])
    let linear = try picture.linear()
    #expect(linear.info == .init(primaries: .srgb, headroom: 1))
    let pixel = EditScene.image(linear)[0, 0]
    #expect(pixel.x == 1 && abs(pixel.y - 0.5029) < 1e-4 && pixel.z == 0)
    var attachments = PixelAttachments(primaries: .bt2020, transfer: .pq)
    #expect(attachments.contentHeadroom == nil)
    attachments.hdrMetadata.contentLight = .init(maximumNits: 1000, averageNits: 100)
    #expect(abs((attachments.contentHeadroom ?? 0) - 4.926) < 1e-3)
  }

  @Test func badMemoryIsRefused() {
    let size = PixelSize(width: 4, height: 3)
    for (bytes, pitch) in [(15, 16), (47, 16), (48, 12), (48, .max), (48, -16), (0, 0)] {
      #expect(throws: OperatorError.self) {
        try PackedPicture(
          size: size, format: .rgba8,
          planes: [.init(bytes: [UInt8](repeating: 0, count: bytes), bytesPerRow: pitch)])
      }
    }
    #expect(throws: OperatorError.self) {
      try PackedPicture(size: size, format: .biplanar10FullRange, planes: [])
    }
    #expect(throws: OperatorError.self) { try PixelPacking(.rgba8, transfer: .pq) }
    #expect(throws: OperatorError.self) {
      try PixelPacking(.rgba16, transfer: .hlg, primaries: .displayP3)
    }
    #expect(throws: OperatorError.self) {
      try PixelPacking(.biplanar10FullRange, transfer: .linear)
    }
    #expect(throws: OperatorError.self) {
      try PixelPacking(.rgbaHalf, transfer: .linear, isDithered: true)
    }
    #expect(throws: OperatorError.self) {
      try PixelPacking(.rgba16, transfer: .pq)(EditScene.picture(0, 0) { _, _ in SIMD3() })
    }
  }

  @Test(arguments: [PixelFormat.rgb10, .biplanar10VideoRange]) func valuesDoNotDependOnTiles(
    format: PixelFormat
  ) throws {
    let packed = try PixelPacking(format, transfer: .pq)(EditScene.noise(61, 131))
    #expect(EditScene.isTileInvariant(try packed.linear()))
    // Bands leave no trace either.
    let short = try PixelPacking(format, transfer: .pq)(
      try CropFilter(PixelRect(x: 0, y: 0, width: 61, height: 100)).applied(
        to: EditScene.noise(61, 131)))
    let row = packed.planes[0].bytesPerRow
    #expect(packed.planes[0].bytes[0..<row * 99] == short.planes[0].bytes[0..<row * 99])
  }
}

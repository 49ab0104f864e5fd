import CTIFF
import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing
import Writers

@testable import Containers
@testable import Readers

@Suite struct TIFFStillTests {
  private func still(_ bytes: [UInt8]) throws -> TIFFStill {
    try TIFFStill(FileBytes(bytes))
  }

  private func check(_ tiff: TestTIFF, channels: Int, tolerance: Int = 0) throws {
    let still = try still(try #require(tiff.bytes(), "libtiff did not write \(tiff)"))
    let picture = try still.picture()
    #expect(picture.size == PixelSize(width: tiff.width, height: tiff.height))
    try #require(picture.channels == channels)
    var wrong = 0
    for y in 0..<tiff.height {
      let row = picture.row(y)
      for i in 0..<tiff.width * channels {
        let (x, c) = i.quotientAndRemainder(dividingBy: channels)
        switch picture.format {
        case .codes(let bits):
          let stored =
            bits <= 8
            ? Int(row.assumingMemoryBound(to: UInt8.self)[i])
            : Int(row.assumingMemoryBound(to: UInt16.self)[i])
          var code = tiff.code(x, y, c)
          if tiff.bits == 32 { code >>= 16 }
          if tiff.photometric == 8, c > 0 { code ^= 1 << (Int(tiff.bits) - 1) }
          if tiff.photometric == 0 { code = (1 << min(Int(tiff.bits), 16)) - 1 - code }
          if let palette = tiff.palette {
            code = Int(palette[c * palette.count / 3 + tiff.code(x, y, 0)])
          }
          if abs(stored - code) > tolerance { wrong += 1 }
        case .floats:
          if row.assumingMemoryBound(to: Float.self)[i] != tiff.linear(x, y, c) { wrong += 1 }
        case .halves:
          let half = row.assumingMemoryBound(to: UInt16.self)[i]
          if half != TestTIFF.half(tiff.linear(x, y, c)) { wrong += 1 }
        }
      }
    }
    #expect(wrong == 0, "\(wrong) wrong samples of \(tiff)")
  }

  /// Every number of bits, gray and RGB, strips and tiles, side by side and in planes, either order
  /// of bytes.
  @Test(arguments: [
    (UInt16(1), UInt16(1)), (2, 1), (4, 1), (8, 1), (10, 1), (12, 1), (14, 1), (16, 1), (32, 1),
    (16, 3), (24, 3), (32, 3), (64, 3),
  ])
  func samplesComeBack(bits: UInt16, format: UInt16) throws {
    for samples in [UInt16(1), 3] {
      for variant in 0..<8 {
        var tiff = TestTIFF(
          bits: bits, samples: samples, format: format, photometric: samples == 1 ? 1 : 2)
        tiff.isTiled = variant & 1 != 0
        tiff.isPlanar = variant & 2 != 0
        tiff.isBigEndian = variant & 4 != 0
        tiff.isBig = variant == 5
        try check(tiff, channels: Int(samples))
      }
    }
  }

  @Test(arguments: [
    COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE,
    COMPRESSION_PACKBITS, COMPRESSION_ZSTD, COMPRESSION_LZMA, COMPRESSION_LERC,
  ])
  func losslessCompressions(compression: Int32) throws {
    for (bits, format, predictor) in [
      (UInt16(8), UInt16(1), UInt16(1)), (16, 1, 1), (8, 1, 2), (16, 1, 2), (32, 3, 3), (16, 3, 3),
      (24, 3, 3),
    ] {
      let predicts = [
        COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE, COMPRESSION_ZSTD,
        COMPRESSION_LZMA,
      ].contains(compression)
      if predictor != 1, !predicts { continue }
      if compression == COMPRESSION_LERC, bits < 32, format == 3 { continue }
      for isTiled in [false, true] {
        try check(
          TestTIFF(
            bits: bits, format: format, compression: compression, predictor: predictor,
            isTiled: isTiled), channels: 3)
      }
    }
  }

  @Test(arguments: [COMPRESSION_CCITTRLE, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4])
  func faxes(compression: Int32) throws {
    for photometric in [UInt16(0), 1] {
      try check(
        TestTIFF(
          bits: 1, samples: 1, photometric: photometric, compression: compression,
          rowsPerStrip: 21), channels: 1)
    }
  }

  /// What the header within the data asks for would be allocated.
  @Test func faxesOfJBIGAreRefused() throws {
    let tiff = TestTIFF(
      bits: 1, samples: 1, photometric: 1, compression: COMPRESSION_JBIG, rowsPerStrip: 21)
    let bytes = try #require(tiff.bytes())
    let error = #expect(throws: ReadError.self) { try StillImage(bytes) }
    #expect(error?.code == .unsupported && error?.message.contains("convert it") == true)
  }

  @Test func lossyAndWebP() throws {
    try check(TestTIFF(compression: COMPRESSION_WEBP), channels: 3)
    try check(
      TestTIFF(samples: 1, photometric: 1, compression: COMPRESSION_JPEG), channels: 1,
      tolerance: 3)
    for photometric in [UInt16(2), 6] {
      try check(
        TestTIFF(photometric: photometric, compression: COMPRESSION_JPEG, rowsPerStrip: 16),
        channels: 3, tolerance: 6)
    }
  }

  @Test func palettesAndInversion() throws {
    for bits in [UInt16(1), 4, 8] {
      let palette = (0..<(3 << Int(bits))).map { UInt16(truncatingIfNeeded: $0 &* 9973 &+ 257) }
      for isPlanar in [false, true] {
        var tiff = TestTIFF(bits: bits, samples: 1, photometric: 3, palette: palette)
        tiff.isPlanar = isPlanar
        try check(tiff, channels: 3)
      }
    }
    for bits in [UInt16(1), 8, 12, 16] {
      try check(TestTIFF(bits: bits, samples: 1, photometric: 0), channels: 1)
    }
  }

  /// Entries of 8 bits, as they are and times 256.
  @Test(arguments: [1, 256]) func palettesOfBytes(factor: Int) throws {
    let palette = (0..<768).map { UInt16($0 % 256 * factor) }
    let tiff = TestTIFF(bits: 8, samples: 1, photometric: 3, palette: palette)
    let picture = try still(try #require(tiff.bytes())).picture()
    let row = picture.row(0).assumingMemoryBound(to: UInt16.self)
    for x in 0..<tiff.width { #expect(Int(row[3 * x]) == tiff.code(x, 0, 0) * 257) }
  }

  /// A directory of shorts and longs, with `pixels` of one strip behind it.
  private func bare(_ fields: [UInt16: Int], _ pixels: [UInt8]) -> [UInt8] {
    var writer = TIFFStructure()
    writer.header(first: 8)
    var all = fields
    all[273] = 8 + 2 + 12 * (fields.count + 2) + 4
    all[279] = pixels.count
    func word(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let tags = all.keys.sorted()
    writer.directory(tags.map { ($0, UInt16(4), 1, word(all[$0] ?? 0)) }, next: 0)
    return writer.bytes + pixels
  }

  /// Some writers make rows of PackBits even; a longer run is damage.
  @Test func paddedRowsOfPackBits() throws {
    let fields: [UInt16: Int] = [256: 5, 257: 1, 258: 8, 259: 32773, 262: 1, 277: 1, 278: 1]
    let even = try still(bare(fields, [5, 1, 2, 3, 4, 5, 0])).picture()
    #expect((0..<5).map { even.row(0).assumingMemoryBound(to: UInt8.self)[$0] } == [1, 2, 3, 4, 5])
    #expect(throws: ReadError.self) {
      try still(bare(fields, [6, 1, 2, 3, 4, 5, 0, 0])).picture()
    }
    #expect(throws: ReadError.self) {
      try still(bare(fields.merging([256: 4]) { $1 }, [4, 1, 2, 3, 4, 5])).picture()
    }
  }

  @Test func colorsThatAreNotStated() throws {
    let fields: [UInt16: Int] = [256: 2, 257: 1, 258: 8, 259: 1, 277: 1, 278: 1]
    let gray = try still(bare(fields, [10, 200])).picture()
    #expect(gray.channels == 1 && gray.row(0).assumingMemoryBound(to: UInt8.self)[1] == 200)
    let color = try still(bare(fields.merging([277: 3]) { $1 }, [1, 2, 3, 4, 5, 6])).picture()
    #expect(color.channels == 3 && color.row(0).assumingMemoryBound(to: UInt8.self)[4] == 5)
  }

  /// JPEG 2000 and JPEG XL, which libtiff cannot decode.
  @Test(arguments: [34712, 50002]) func compressionsThatAreNotKnown(compression: Int) {
    let fields: [UInt16: Int] = [256: 2, 257: 1, 258: 8, 259: compression, 262: 1, 277: 1, 278: 1]
    let error = #expect(throws: ReadError.self) { try still(bare(fields, [10, 200])) }
    #expect(error?.code == .unsupported && error?.message.contains("\(compression)") == true)
  }

  @Test(arguments: [UInt16(0), 1, 2])
  func furtherSamplesAreSaid(kind: UInt16) throws {
    for isPlanar in [false, true] {
      var tiff = TestTIFF(samples: 4, extra: kind)
      tiff.isPlanar = isPlanar
      let still = try still(try #require(tiff.bytes()))
      #expect(still.info.notes.count == 1)
      #expect((try still.picture().alpha != nil) == (kind > 0))
      // Colors that are multiplied by alpha are divided.
      if kind != 1 { try check(tiff, channels: 3) }
    }
    guard kind != 1 else { return }
    try check(TestTIFF(bits: 16, samples: 2, photometric: 1, extra: kind), channels: 1)
  }

  /// Four inks of 8 and 16 bits, with and without more samples.
  @Test(arguments: [UInt16(8), 16])
  func inks(bits: UInt16) throws {
    let profile = LCMSTruth.inkProfile()
    for isPlanar in [false, true] {
      for profile in [profile, []] {
        for samples in [UInt16(4), 5] {
          var tiff = TestTIFF(bits: bits, samples: samples, photometric: 5, profile: profile)
          tiff.isPlanar = isPlanar
          tiff.isTiled = isPlanar
          if samples == 5 { tiff.extra = 2 }
          try check(tiff, channels: 4)
          let image = try StillImage(try #require(tiff.bytes()))
          #expect(image.channels == 4 && image.bitDepth == Int(bits) && !image.isTransparent)
          #expect(image.notes.count == (samples == 5 ? 2 : 1))
          #expect(image.color.origin == (profile.isEmpty ? .assumed : .profile))
        }
      }
    }
    try check(
      TestTIFF(samples: 4, photometric: 5, compression: COMPRESSION_JPEG, rowsPerStrip: 16),
      channels: 4, tolerance: 3)
    // Spot colors, and floats.
    let fields: [UInt16: Int] = [
      256: 1, 257: 1, 258: 8, 259: 1, 262: 5, 277: 4, 278: 1, 332: 2,
    ]
    for other in [fields, fields.merging([332: 1, 258: 32, 339: 3]) { $1 }] {
      let error = #expect(throws: ReadError.self) { try still(bare(other, [1, 2, 3, 4])) }
      #expect(error?.code == .unsupported && error?.message.contains("convert it to RGB") == true)
    }
  }

  /// L*a*b* of TIFF and of ICC, with the codes of their own.
  @Test(arguments: [UInt16(8), 9], [UInt16(8), 16])
  func lab(photometric: UInt16, bits: UInt16) throws {
    for extra in [UInt16?.none, 2] {
      var tiff = TestTIFF(bits: bits, samples: extra == nil ? 3 : 4, photometric: photometric)
      tiff.extra = extra
      for isPlanar in [false, true] {
        tiff.isPlanar = isPlanar
        try check(tiff, channels: 3)
      }
    }
    // White, gray, the red, green and blue of sRGB as published of them under D50.
    let colors: [(lab: SIMD3<Double>, srgb: SIMD3<Double>)] = [
      (SIMD3(100, 0, 0), SIMD3(255, 255, 255)), (SIMD3(53.585, 0, 0), SIMD3(128, 128, 128)),
      (SIMD3(54.2905, 80.8049, 69.8910), SIMD3(255, 0, 0)),
      (SIMD3(87.8185, -79.2711, 80.9946), SIMD3(0, 255, 0)),
      (SIMD3(29.5683, 68.2874, -112.0297), SIMD3(0, 0, 255)),
    ]
    var bytes: [UInt8] = []
    for (lab, _) in colors {
      for c in 0..<3 {
        let step = bits == 8 ? 1.0 : 256
        let top = bits == 8 ? 255 : photometric == 9 ? 65_280.0 : 65_535
        let code = Int((c == 0 ? lab[0] / 100 * top : lab[c] * step).rounded())
        let stored = code + (c > 0 && photometric == 9 ? 128 * Int(step) : 0)
        bytes += (0..<Int(bits) / 8).map { UInt8(truncatingIfNeeded: stored >> (8 * $0)) }
      }
    }
    let fields: [UInt16: Int] = [
      256: colors.count, 257: 1, 258: Int(bits), 259: 1, 262: Int(photometric), 277: 3, 278: 1,
    ]
    let image = try StillImage(bare(fields, bytes))
    #expect(image.color.name.contains("L*a*b*") && image.notes == [])
    let toSRGB = Primaries.bt2020.conversion(to: .srgb)
    for (linear, (lab, srgb)) in zip(try KnownPicture.pixels(try image.base()), colors) {
      let rgb = toSRGB * SIMD3<Double>(linear)
      for c in 0..<3 {
        let shown = 255 * SRGB.signal(linear: min(max(rgb[c], 0), 1))
        // A step of 8 bits of L*a*b* is several of a saturated sRGB.
        #expect(abs(shown - srgb[c]) < (bits == 8 ? 14 : 1.1), "\(lab): \(shown) of \(srgb[c])")
      }
    }
  }

  /// The maximum signed integer is white, negative values are black.
  @Test(arguments: [8, 16, 32]) func signs(bits: Int) throws {
    let maximum = 1 << (bits - 1) - 1
    let bytes = [0, maximum / 2, maximum, -1, -maximum - 1].flatMap { value in
      (0..<bits / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let image = try StillImage(
      bare([256: 5, 257: 1, 258: bits, 259: 1, 262: 1, 277: 1, 278: 1, 339: 2], bytes))
    #expect(image.notes.contains { $0.contains("below 0") })
    let half = SRGB.linear(signal: Double(maximum / 2) / Double(maximum))
    for (linear, wanted) in zip(try KnownPicture.pixels(try image.base()), [0, half, 1, 0, 0]) {
      // Seven bits become eight.
      #expect(
        abs(Double(linear.x) - wanted) < (bits == 8 ? 4e-3 : 1e-4), "\(linear.x) of \(wanted)")
    }
  }

  /// What else samples and colors may be is named.
  @Test func otherSamplesAreNamed() throws {
    let fields: [UInt16: Int] = [256: 2, 257: 1, 258: 16, 259: 1, 262: 1, 277: 1, 278: 1]
    let others: [([UInt16: Int], String)] = [
      ([339: 2, 258: 12], "12 bits (signed integers)"),
      ([339: 6, 258: 64], "complex"), ([262: 10, 277: 3, 258: 8], "fax"),
      ([262: 8, 277: 3, 258: 32, 339: 3], "floats"), ([262: 5, 277: 4, 258: 32, 339: 3], "floats"),
    ]
    for (changes, words) in others {
      let error = #expect(throws: ReadError.self) {
        try still(bare(fields.merging(changes) { $1 }, [UInt8](repeating: 0, count: 64)))
      }
      #expect(error?.code == .unsupported && error?.message.contains(words) == true)
      #expect(error?.message.contains("convert it to RGB") == true)
    }
  }

  /// JPEGs of 12 bits and lossless ones in strips, which libtiff calls damaged.
  @Test(arguments: [(12, UInt8(0xC1), "12 bits"), (8, 0xC3, "lossless JPEG")])
  func otherJPEGsAreNamed(bits: Int, marker: UInt8, words: String) throws {
    var jpeg = try TestJPEG.ramps(16, 16, components: 1)
    let at = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
    (jpeg[at + 1], jpeg[at + 4]) = (marker, UInt8(bits))
    let fields: [UInt16: Int] = [
      256: 16, 257: 16, 258: bits, 259: 7, 262: 1, 277: 1, 278: 16,
    ]
    let error = #expect(throws: ReadError.self) { try still(bare(fields, jpeg)).picture() }
    #expect(error?.code == .unsupported && error?.message.contains(words) == true, "\(error)")
  }

  /// YCbCr that is not JPEG's, through libtiff's conversion: gray stays gray.
  @Test func uncompressedYCbCr() throws {
    let tiff = TestTIFF(photometric: 6, subsampling: 1)
    let picture = try still(try #require(tiff.bytes())).picture()
    #expect(picture.channels == 3 && picture.format == .codes(bits: 8))
  }

  /// JPEG in planes, which libtiff leaves in YCbCr while it reads strips.
  @Test func planesOfJPEGAreConverted() throws {
    var tiff = TestTIFF(
      photometric: 6, compression: COMPRESSION_JPEG, rowsPerStrip: 16, subsampling: 1)
    tiff.isPlanar = true
    let picture = try still(try #require(tiff.bytes())).picture()
    let pixel = picture.row(10).assumingMemoryBound(to: UInt8.self) + 3 * 20
    let (y, cb, cr) = (tiff.code(20, 10, 0), tiff.code(20, 10, 1), tiff.code(20, 10, 2))
    #expect(abs(Double(pixel[0]) - (Double(y) + 1.402 * Double(cr - 128))) < 8)
    #expect(abs(Double(pixel[2]) - (Double(y) + 1.772 * Double(cb - 128))) < 8)
  }

  /// Logarithmic XYZ of SGI: luminance within a third of a percent of what was written.
  @Test func logarithmicLight() throws {
    let tiff = TestTIFF(
      bits: 32, format: 3, photometric: 32_845, compression: COMPRESSION_SGILOG, rowsPerStrip: 21)
    let image = try StillImage(try #require(tiff.bytes()))
    #expect(image.notes.count == 1 && image.color.transfer == .linear)
    let linear = try KnownPicture.pixels(try image.base())
    for y in 2..<21 {
      for x in 8..<37 where tiff.linear(x, y, 1) > 0 {
        let luminance = Primaries.bt2020.toXYZ * linear[37 * y + x]
        let written = Double(tiff.linear(x, y, 1))
        #expect(abs(luminance.y / written - 1) < 0.004)
      }
    }
  }

  @Test func orientationProfileAndMeaning() throws {
    let profile = try ColorSpace.bt2100PQ.iccProfile()
    let image = try StillImage(
      try #require(TestTIFF(bits: 16, orientation: 6, profile: profile).bytes()))
    #expect(image.size == PixelSize(width: 21, height: 37) && image.orientation.rawValue == 6)
    #expect(image.color.transfer == .pq && image.bitDepth == 16 && image.isHighDynamicRange)
    let float = try StillImage(try #require(TestTIFF(bits: 32, format: 3).bytes()))
    #expect(float.color.transfer == .linear && float.color.origin == .assumed)
    #expect(float.notes.count == 1)
    let linear = try KnownPicture.pixels(try float.base())
    #expect(linear[5].x == 0.5 && linear[0].x == -0.75)
    let integer = try StillImage(try #require(TestTIFF().bytes()))
    #expect(integer.color == .assumed && integer.notes == [])
  }

  /// What the writer of TIFF wrote: floats bit for bit, codes within one.
  @Test(arguments: [
    (ColorSpace.bt2100PQ, Float(12), KnownPicture.Signal.pq),
    (.bt2100HLG, 2.5, .hlg), (.displayP3, 1, .srgb), (.sRGB, 1, .srgb), (.bt2020, 1, .bt2020),
    (.linearBT2020, 1, .linear),
  ])
  func writtenCodesComeBack(
    space: ColorSpace, headroom: Float, signal: KnownPicture.Signal
  ) throws {
    let path = NSTemporaryDirectory() + "readers-\(UUID().uuidString).tif"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let picture = try KnownPicture.picture(space.primaries, headroom: headroom)
    _ = try TIFFWriter(.init(.tiff, space, bits: 16)).write(
      picture, to: .replacing(path))
    let image = try StillImage(contentsOf: URL(filePath: path))
    #expect(image.color.primaries == space.primaries && image.notes == [])
    let error = try KnownPicture.error(try image.base(), picture, signal, top: 65_535)
    #expect(error < 1, "\(error) codes")
  }

  @Test(arguments: [
    TIFFCompression.none, .deflate(level: 1), .zstd(level: 3), .lzw,
  ])
  func writtenFloatsComeBackExactly(compression: TIFFCompression) throws {
    let path = NSTemporaryDirectory() + "readers-\(UUID().uuidString).tif"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let picture = try KnownPicture.picture(.displayP3, headroom: 40)
    var metadata = CaptureMetadata(xmp: Array("<x/>".utf8))
    metadata[.image, 0x010F] = .ascii("Maker")
    metadata[.exif, 0x829A] = .rationals([Rational(1, 50)])
    let settings = EncoderSettings(.tiff, .linearDisplayP3, bits: 32)
    _ = try TIFFWriter(settings.with { $0.compression = compression }).write(
      picture, metadata: metadata, to: .replacing(path))
    let image = try StillImage(contentsOf: URL(filePath: path))
    #expect(image.color.primaries == .displayP3 && image.color.origin == .profile)
    #expect(image.metadata.make == "Maker" && image.metadata.exposureTime == 0.02)
    #expect(image.metadata.xmp != nil && image.bitDepth == 32)
    #expect(try KnownPicture.pixels(try image.base()) == KnownPicture.pixels(picture))
  }

  @Test func cameraRawsAreRefused() throws {
    for name in ["dng/c_cfa16_strip_le.dng", "raws/canon30d_IMG_0848.CR2"] {
      let path = try SharedFiles.path(name)
      do throws(ReadError) {
        _ = try StillImage(contentsOf: URL(filePath: path))
        Issue.record("\(name) was read")
      } catch {
        #expect(error.code == .unsupported && error.message.contains("camera raw; develop it"))
      }
    }
  }
}

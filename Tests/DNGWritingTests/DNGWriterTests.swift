import Codecs
import Containers
import Formats
import Foundation
import ImageCore
import RawDecode
import RawTestSupport
import SyntheticRaw
import TestSupport
import Testing

@testable import DNGWriting

/// Written DNGs are read by our reader, with the samples and metadata of the source.
@Suite struct DNGWriterTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// The DNG of `raw`.
  func written(
    _ raw: RawFile, _ change: (inout DNGSettings) -> Void = { _ in },
    previews: DNGPreviews = .none
  ) throws -> RawFile {
    var settings = DNGSettings(workers: 2)
    change(&settings)
    let path = folder.file(UUID().uuidString + ".dng")
    _ = try DNGWriting.DNGWriter(raw, settings).write(
      to: .replacing(path), name: "A.RAW", previews: previews)
    return try RawFile.open(path: path)
  }

  func expectEqual(_ raw: RawFile, _ dng: RawFile) throws {
    let (a, b) = (try raw.decodeStored(), try dng.decodeStored())
    #expect(a.size == b.size && a.layout == b.layout)
    #expect(Self.bits(a) == Self.bits(b))
    #expect(raw.info.activeArea == dng.info.activeArea)
    #expect(raw.info.cameraFrame ?? raw.info.crop == dng.info.crop)
    #expect(raw.info.size == dng.info.size)
    #expect(raw.info.orientation == dng.info.orientation)
    for channel in 0..<3 {
      #expect(abs(a.levels.scale[channel] / b.levels.scale[channel] - 1) < 1e-6)
    }
    if let white = raw.info.profile?.asShotWhite, raw.info.profile?.knowsAsShotWhite == true {
      let other = try #require(dng.info.profile?.asShotWhite)
      #expect(abs(white.x - other.x) < 1e-7 && abs(white.y - other.y) < 1e-7)
      let (m, n) = (
        try #require(raw.info.profile).cameraToBT2020(white: white),
        try #require(dng.info.profile).cameraToBT2020(white: other)
      )
      for row in 0..<3 {
        for column in 0..<3 { #expect(abs(m[row, column] - n[row, column]) < 1e-6) }
      }
    }
  }

  static func bits(_ data: SensorData) -> [UInt32] {
    (0..<data.samples.rows).flatMap { y in
      (0..<data.samples.stride).map { x in
        data.samples.format == .uint16
          ? UInt32(data.samples.counts(row: y)[x]) : data.samples.floats(row: y)[x].bitPattern
      }
    }
  }

  /// Every coding of nine makers, borders included.
  @Test(arguments: CameraSample.all) func keepsTheSamplesOfCameraRaws(sample: CameraSample) throws {
    guard sample.decoders.contains(LibRawVersion.installed.minor) else { return }
    let source = try sample.busy().written()
    let raw = try RawFile.open(bytes: source.bytes)
    let dng = try written(raw)
    try expectEqual(raw, dng)
    let stored = try dng.decodeStored()
    if sample.raw.coding.isExact, stored.size == sample.raw.size {
      #expect(Self.bits(stored) == source.samples.map { UInt32($0) })
    }
    #expect(dng.info.cameraName == raw.info.cameraName)
    #expect(dng.metadata.isoSpeed == raw.metadata.isoSpeed)
  }

  @Test(arguments: [ByteOrder.little, .big]) func keepsDNGs(order: ByteOrder) throws {
    var numbers = SeededRandom(seed: 5)
    let size = PixelSize(width: 530, height: 70)
    var source = SyntheticRaw.DNGWriter(
      size: size, layout: .mosaic(.bayer(.gbrg)), samples: [])
    source.samples = (0..<size.area).map { _ in UInt16.random(in: 0..<4096, using: &numbers) }
    source.bitsPerSample = 12
    source.byteOrder = order
    source.activeArea = PixelRect(x: 3, y: 2, width: 501, height: 61)
    for compression in [SyntheticRaw.DNGWriter.Compression.none, .losslessJPEG] {
      source.compression = compression
      let raw = try RawFile.open(bytes: try source.bytes)
      for own in [DNGSettings.Compression.losslessJPEG, .none] {
        let dng = try written(raw) { $0.compression = own }
        try expectEqual(raw, dng)
        #expect(dng.tiff?.bigEndian == (order == .big))
      }
    }
  }

  /// Strips of an odd number of columns, whose neighbors of one color are two apart, and pictures
  /// with more columns than a lossless JPEG; the lowest have no full row of tiles.
  @Test(arguments: [
    PixelSize(width: 601, height: 8), PixelSize(width: 65_535, height: 4),
    PixelSize(width: 65_536, height: 4), PixelSize(width: 70_001, height: 9),
  ])
  func keepsLowAndWidePictures(size: PixelSize) throws {
    var numbers = SeededRandom(seed: 8)
    let layouts: [(SyntheticRaw.DNGWriter.Layout, Int)] = [
      (.mosaic(.bayer(.rggb)), 1), (.linear, 3),
    ]
    for (layout, planes) in layouts {
      var source = SyntheticRaw.DNGWriter(size: size, layout: layout, samples: [])
      source.samples = (0..<size.area * planes).map { index in
        UInt16((index % size.width) & 1) * 3000 + UInt16.random(in: 0..<64, using: &numbers)
      }
      let raw = try RawFile.open(bytes: try source.bytes)
      let dng = try written(raw)
      #expect(try #require(dng.tags).storage.isTiled == (size.width > 65_535))
      let (a, b) = (try raw.decodeStored(), try dng.decodeStored())
      let isEqual = Self.bits(a) == Self.bits(b)
      #expect(isEqual)
    }
  }

  /// Errors of the written file are not attributed to the source.
  @Test func damageOfTheWrittenFileIsItsOwn() throws {
    let size = PixelSize(width: 64, height: 48)
    let source = SyntheticRaw.DNGWriter(
      size: size, layout: .mosaic(.bayer(.rggb)),
      samples: (0..<size.area).map { UInt16($0 % 4000) })
    let raw = try RawFile.open(bytes: try source.bytes)
    let dng = try written(raw)
    let path = try #require(dng.bytes.path)
    let chunk = try #require(dng.tags?.storage.chunks.first)
    let verification = DNGVerification(
      info: raw.info, data: try raw.decodeStored(), table: [], distance: 0, limits: raw.limits,
      band: size.height, workers: 1)
    func message(_ change: (inout [UInt8]) -> Void) throws -> String? {
      var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      change(&bytes)
      let changed = folder.file(UUID().uuidString + ".dng")
      try Data(bytes).write(to: URL(fileURLWithPath: changed))
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: changed))
      defer { try? file.close() }
      do {
        try verification.check(file.fileDescriptor, path: changed, source: nil)
        return nil
      } catch let error as WriteError { return error.message }
    }
    let sound = try message { _ in }
    #expect(sound == nil)
    let changes: [(inout [UInt8]) -> Void] = [
      { $0[chunk.offset] = 0 }, { $0 = Array($0.prefix(9)) },
    ]
    for change in changes {
      let words = try #require(try message(change))
      #expect(words.contains("cannot be read again") && words.contains("the source is sound"))
      #expect(!words.contains("copy"))
    }
  }

  @Test(arguments: [16, 24, 32]) func keepsFloats(bits: Int) throws {
    var numbers = SeededRandom(seed: 6)
    let size = PixelSize(width: 61, height: 35)
    var source = SyntheticRaw.DNGWriter(
      size: size, layout: .linear, samples: [])
    source.floats = (0..<size.area * 3).map { _ in
      Float(Int.random(in: 0..<4000, using: &numbers)) / 1024
    }
    source.bitsPerSample = bits
    let raw = try RawFile.open(bytes: try source.bytes)
    for own in DNGSettings.Compression.allCases {
      try expectEqual(raw, try written(raw) { $0.compression = own })
    }
  }

  /// Mosaics with and without fields, of odd sizes, in both byte orders; three samples a pixel.
  @Test(arguments: [ByteOrder.little, .big]) func keepsSamplesInJPEGXL(order: ByteOrder) throws {
    var numbers = SeededRandom(seed: 7)
    let layouts: [(SyntheticRaw.DNGWriter.Layout, Int)] = [
      (.mosaic(.bayer(.gbrg)), 1), (.mosaic(.xTrans()), 1), (.linear, 3),
    ]
    for (layout, planes) in layouts {
      for size in [PixelSize(width: 1061, height: 35), PixelSize(width: 48, height: 1030)] {
        var source = SyntheticRaw.DNGWriter(size: size, layout: layout, samples: [])
        source.samples = (0..<size.area * planes).map { _ in
          UInt16.random(in: 0...65535, using: &numbers)
        }
        source.byteOrder = order
        let raw = try RawFile.open(bytes: try source.bytes)
        let dng = try written(raw) { ($0.compression, $0.effort) = (.jpegXL, 1) }
        #expect(dng.tags?.storage.compression == 52546)
        #expect(dng.tags?.storage.columnFields == (layout == .mosaic(.bayer(.gbrg)) ? 2 : 1))
        try expectEqual(raw, dng)
      }
    }
  }

  /// Levels scale with the samples, and their ratio is preserved.
  @Test(arguments: [0.5, 2] as [Float]) func losesLittleInJPEGXL(distance: Float) throws {
    let size = PixelSize(width: 260, height: 130)
    var source = SyntheticRaw.DNGWriter(
      size: size, layout: .mosaic(.bayer(.rggb)), samples: [])
    for y in 0..<size.height {
      for x in 0..<size.width { source.samples.append(UInt16(200 + 10 * x + 5 * y)) }
    }
    (source.bitsPerSample, source.white) = (12, [4000])
    source.black = SyntheticRaw.DNGWriter.BlackPattern(
      width: 1, height: 1, levels: [Rational(64, 1)])
    let raw = try RawFile.open(bytes: try source.bytes)
    let dng = try written(raw) { ($0.compression, $0.distance) = (.jpegXL, distance) }
    #expect(dng.tags?.levels.white == [64000])
    #expect(dng.bytes.count < raw.bytes.count / 4)
    let (a, b) = (try raw.decodeStored(), try dng.decodeStored())
    #expect(b.levels.black.max() == 1024)
    #expect(abs(b.levels.scale.x * 16 / a.levels.scale.x - 1) < 1e-6)
    let differences = zip(Self.bits(a), Self.bits(b)).map { abs(Int($0) * 16 - Int($1)) }
    #expect(differences.reduce(0, +) / differences.count < 600)
  }

  /// Noise, nearly all of it far above white.
  @Test func samplesThatAreNoPictureAreTheSourcesFault() throws {
    let size = PixelSize(width: 260, height: 130)
    var numbers = SeededRandom(seed: 7)
    var source = SyntheticRaw.DNGWriter(
      size: size, layout: .mosaic(.bayer(.rggb)), samples: [])
    for _ in 0..<size.width * size.height {
      source.samples.append(UInt16.random(in: 64...4095, using: &numbers))
    }
    (source.bitsPerSample, source.white) = (12, [100])
    source.black = SyntheticRaw.DNGWriter.BlackPattern(
      width: 1, height: 1, levels: [Rational(64, 1)])
    let path = try folder.write(try source.bytes, to: "a.raw")
    let raw = try RawFile.open(path: path)
    let error = try #require(throws: RAWError.self) {
      try written(raw) { ($0.compression, $0.distance) = (.jpegXL, 1) }
    }
    #expect(error.code == .damaged && error.stage == .decode && error.path == path)
    #expect(folder.names == ["a.raw"])
    _ = try written(raw) { $0.compression = .jpegXL }
  }

  @Test func refusesDistancesOfOthers() throws {
    let raw = try RawFile.open(bytes: [UInt8](TinyDNG().data))
    for (compression, distance) in [
      (DNGSettings.Compression.losslessJPEG, 1), (.jpegXL, -1), (.jpegXL, 16), (.none, 0.5),
    ] as [(DNGSettings.Compression, Float)] {
      #expect(throws: WriteError.self) {
        try written(raw) { ($0.compression, $0.distance) = (compression, distance) }
      }
    }
    #expect(folder.names.isEmpty)
  }

  @Test func refusesIntegersByDeflate() throws {
    let raw = try RawFile.open(bytes: [UInt8](TinyDNG().data))
    #expect(throws: (any Error).self) { try written(raw) { $0.compression = .deflate } }
    #expect(folder.names.isEmpty)
  }

  /// Entries, camera profiles and the pictures beside the raw one, byte for byte.
  @Test(arguments: [false, true]) func keepsWhatADNGHolds(bigEndian: Bool) throws {
    var source = TinyDNG(bigEndian: bigEndian)
    source.fields[50936] = .text("Mine")
    source.fields[52525] = TinyDNG.gainTableMap(stored: [UInt32](repeating: 0x3F80_0000, count: 8))
    source.fields[50740] = .undefined { _ in Array("Maker\0what it likes".utf8) }
    source.profiles = [
      (!bigEndian, TinyDNG.colors.merging([50936: .text("Second")]) { $1 }),
      (bigEndian, TinyDNG.colors.merging([50936: .text("Third")]) { $1 }),
    ]
    let raw = try RawFile.open(bytes: [UInt8](source.data))
    let dng = try written(raw)
    try expectEqual(raw, dng)
    #expect(dng.info.profiles.map(\.name) == ["Mine", "Second", "Third"])
    let (a, b) = (try #require(raw.tiff), try #require(dng.tiff))
    for tag: UInt16 in [50721, 50728, 50740, 52525, 50936] {
      #expect(b.first[tag]?.bytes == a.first[tag]?.bytes, "\(tag)")
    }
  }

  /// If the source declares no white, it is the maximum of its 8 bits.
  @Test(arguments: [nil, TinyDNG.Value.text("white"), .longs([200, 190, 180])])
  func keepsWhite(level: TinyDNG.Value?) throws {
    var source = TinyDNG()
    source.fields[258] = .longs([8, 8, 8])
    source.fields[50717] = level
    let raw = try RawFile.open(bytes: [UInt8](source.data))
    try expectEqual(raw, try written(raw))
  }

  /// XMP that cannot be edited is preserved, and the DNG's source is known without it.
  @Test func damagedXMPStays() throws {
    let packet = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'><a b='Q&A'/></x:xmpmeta>".utf8)
    var source = TinyDNG()
    source.fields[700] = TinyDNG.Value(type: 1, count: packet.count) { _ in packet }
    let raw = try RawFile.open(bytes: [UInt8](source.data))
    let dng = try written(raw)
    #expect(dng.metadata.xmp == packet)
    #expect(DNGWriting.DNGWriter.sourceDigest(of: dng) == raw.bytes.md5)
  }

  /// A directory after IFD 0 that references a JPEG.
  @Test func keepsPreviews() throws {
    let gray = [UInt8](repeating: 130, count: 32 * 16)
    let jpeg = try gray.withUnsafeBufferPointer { plane in
      let start = try #require(plane.baseAddress)
      return try TurboJPEGCompressor().compress(
        [start, start, start], strides: [32, 32, 32], size: PixelSize(width: 32, height: 16),
        chroma: .yuv444, quality: 80)
    }
    let raw = try RawFile.open(bytes: [UInt8](TinyDNG().data))
    let thumbnail = DNGPreviews.Thumbnail(
      width: 2, height: 1, rgb: [255, 0, 0, 0, 255, 0])
    let dng = try written(raw, previews: DNGPreviews(thumbnail: thumbnail, jpeg: jpeg))
    try expectEqual(raw, dng)
    #expect(dng.preview()?.jpeg == jpeg)
    let main = try #require(dng.tiff).first
    #expect(main[256]?.integer == 2 && main[254]?.integer == 1)
    // A second conversion preserves both.
    let again = try written(dng, previews: DNGPreviews(keepsOwn: true))
    #expect(again.preview()?.jpeg == jpeg)
    #expect(again.tiff?.first[256]?.integer == 2)
  }

  @Test func namesItsSource() throws {
    let bytes = [UInt8](TinyDNG().data)
    let dng = try written(try RawFile.open(bytes: bytes))
    let main = try #require(dng.tiff).first
    #expect(main[50827]?.text == "A.RAW")
    #expect(main[50781]?.bytes == MD5.digest(bytes))
  }

  /// NewRawImageDigest as the DNG SDK wrote it for the same samples: a mosaic, three planes.
  @Test(arguments: [
    "c_cfa16_strip_le", "c_lin16_strip_le", "c_proraw_unc16", "05_PGTM2_unsigned8",
  ])
  func digestsAreThoseOfTheSDK(name: String) throws {
    let raw = try RawFile.open(path: try SharedFiles.path("dng/\(name).dng"))
    let digest = try #require(raw.tiff?.directories.compactMap { $0[51111]?.bytes }.first)
    let dng = try written(raw)
    #expect(dng.tiff?.first[51111]?.bytes == digest)
    try expectEqual(raw, dng)
  }

  /// The same bytes with any number of threads.
  @Test func doesNotDependOnThreads() throws {
    let raw = try RawFile.open(bytes: try CameraSample.all[0].busy().written().bytes)
    let files = try [1, 2, 5].map { workers in
      try written(raw) { $0.workers = workers }.bytes.md5
    }
    #expect(Set(files).count == 1)
  }
}

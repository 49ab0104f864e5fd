import Formats
import Foundation
import ImageCore
import TestSupport
import Testing

@testable import Writers

@Suite struct TIFFWriterTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  static let sizes = [(1, 1), (1, 203), (203, 1), (2, 2), (131, 197), (515, 300)]
  static let compressions: [TIFFCompression] = [
    .none, .lzw, .deflate(level: 1), .deflate(level: 12), .zstd(level: 1),
  ]

  private func writer(
    _ space: ColorSpace, bits: Int = 16, _ compression: TIFFCompression = .none, workers: Int = 2
  ) throws -> TIFFWriter {
    try TIFFWriter(
      .init(.tiff, space, bits: bits).with { $0.compression = compression }, workers: workers)
  }

  @Test(arguments: compressions, sizes)
  func integerCodesComeBackExactly(compression: TIFFCompression, side: (Int, Int)) throws {
    let picture = FormulaPicture.noise(side.0, side.1, primaries: .displayP3)
    let file = try writer(.displayP3, compression)
      .write(picture, to: .replacing(folder.file("a.tif")))
    let count = picture.size.area * 3
    let read = try #require(TIFFReadBack.samples(file.name, as: UInt16.self, count: count))
    var expected = [UInt16](repeating: 0, count: count)
    let planes = try PlanarBuffer(size: picture.size)
    try picture.read(PixelRect(picture.size), into: planes)
    expected.withUnsafeMutableBufferPointer { codes in
      for y in 0..<side.1 {
        guard let start = codes.baseAddress else { return }
        PowerEncoder.sRGB.encode(planes.rows(y), into: start + 3 * y * side.0)
      }
    }
    #expect(read == expected)
    #expect(folder.names == ["a.tif"])
    #expect(file.byteCount == FileManager.default.contents(atPath: file.name)?.count)
  }

  /// 8 bits are the codes of 16, rounded.
  @Test(arguments: compressions, sizes)
  func bytesComeBackExactly(compression: TIFFCompression, side: (Int, Int)) throws {
    let picture = FormulaPicture.noise(side.0, side.1, primaries: .adobeRGB)
    func samples<Code: FixedWidthInteger>(as type: Code.Type) throws -> [Code] {
      let file = try writer(.adobeRGB, bits: Code.bitWidth, compression)
        .write(picture, to: .replacing(folder.file("a.tif")))
      return try #require(
        TIFFReadBack.samples(file.name, as: type, count: picture.size.area * 3))
    }
    let wide = try samples(as: UInt16.self)
    #expect(
      try samples(as: UInt8.self)
        == wide.map { UInt8((Int($0) * 510 + 65_535) / 131_070) })
    #expect(throws: WriteError.self) { try writer(.bt2100PQ, bits: 8) }
  }

  /// Floats of 16 bits are the 32-bit ones, rounded.
  @Test(arguments: compressions, sizes)
  func halvesComeBackExactly(compression: TIFFCompression, side: (Int, Int)) throws {
    let picture = FormulaPicture.noise(side.0, side.1, primaries: .acesAP1, headroom: 7)
    let settings = EncoderSettings(.tiff, .acesCG, bits: 16)
      .with { ($0.isHalf, $0.compression) = (true, compression) }
    let file = try TIFFWriter(settings)
      .write(picture, to: .replacing(folder.file("a.tif")))
    let read = try #require(
      TIFFReadBack.samples(file.name, as: UInt16.self, count: picture.size.area * 3))
    let planes = try PlanarBuffer(size: picture.size)
    try picture.read(PixelRect(picture.size), into: planes)
    let expected = (0..<side.1).flatMap { y in
      (0..<side.0).flatMap { x in
        (0..<3).map { Float16(planes.row($0, y)[x]).bitPattern }
      }
    }
    let isSame = read == expected
    #expect(isSame && file.notes.isEmpty)
  }

  /// Flat areas and repeated rows: the longest strings that the compressors can find.
  @Test(arguments: compressions)
  func flatPicturesComeBackExactly(compression: TIFFCompression) throws {
    let picture = FormulaPicture<DisplayReferred>(
      size: PixelSize(width: 3000, height: 150), info: .init(primaries: .bt2020, headroom: 1)
    ) { x, y in y < 70 ? SIMD3(0, 0.5, 1) : SIMD3(Float(x % 64) / 64, 0, Float(y % 3) / 2) }
    let file = try writer(.linearBT2020, compression).write(
      picture, to: .replacing(folder.file("a.tif")))
    let read = try #require(
      TIFFReadBack.samples(file.name, as: UInt16.self, count: picture.size.area * 3))
    let expected = (0..<150).flatMap { y in
      (0..<3000).flatMap { x -> [UInt16] in
        let linear = picture.value(x, y) * 65_535
        return [linear.x, linear.y, linear.z].map { UInt16($0.rounded(.toNearestOrEven)) }
      }
    }
    #expect(read == expected)
    if compression != .none { #expect(file.byteCount < 3000 * 150) }
  }

  @Test(arguments: compressions, sizes)
  func floatsComeBackBitForBit(compression: TIFFCompression, side: (Int, Int)) throws {
    let special: [Float] = [
      -0.0, .nan, Float(bitPattern: 0x7FA0_1234), .infinity, -.infinity, Float(bitPattern: 7), -3.5,
      60_000,
    ]
    let scene = FormulaPicture<SceneLinear>(
      size: PixelSize(width: side.0, height: side.1), info: .init(peak: .infinity)
    ) { x, y in
      let i = x &+ y &* 7
      return SIMD3(special[i % 8], Float(i) * 0.001 - 1, special[(i / 8) % 8])
    }
    let file = try writer(.linearBT2020, bits: 32, compression)
      .write(scene, to: .replacing(folder.file("a.tif")))
    let count = scene.size.area * 3
    let read = try #require(TIFFReadBack.samples(file.name, as: UInt32.self, count: count))
    let expected = (0..<side.1).flatMap { y in
      (0..<side.0).flatMap { x -> [UInt32] in
        let v = scene.value(x, y)
        return [v.x.bitPattern, v.y.bitPattern, v.z.bitPattern]
      }
    }
    #expect(read == expected)
  }

  @Test(arguments: compressions)
  func bytesDoNotDependOnTheNumberOfWorkers(compression: TIFFCompression) throws {
    let picture = FormulaPicture.noise(700, 1500, headroom: 40)
    let files = try [1, 2, 5].map { workers in
      let path = folder.file("\(workers).tif")
      let file = try writer(.bt2100PQ, compression, workers: workers)
        .write(picture, to: .replacing(path))
      return (FileManager.default.contents(atPath: path), file.statistics)
    }
    #expect(files[0].0 != nil)
    #expect(files.allSatisfy { $0 == files[0] })
  }

  @Test func statisticsAreThoseOfTheLinearLight() throws {
    let picture = FormulaPicture<DisplayReferred>(
      size: PixelSize(width: 100, height: 600), info: .init(primaries: .bt2020, headroom: 8)
    ) { x, y in x == 99 && y == 599 ? SIMD3(0, 8, -1) : SIMD3(0.5, 0.25, 0) }
    let file = try TIFFWriter(.init(.tiff, .linearBT2020, bits: 16))
      .write(picture, to: .replacing(folder.file("a.tif")))
    #expect(file.statistics.contentHeadroom == 8)
    #expect(abs(file.statistics.contentAverageLightLevel - (0.5 + 7.5 / 60_000)) < 1e-6)
    #expect(file.size == picture.size)
  }

  @Test func wrongPrimariesAreRefused() throws {
    let error = try #require(throws: WriteError.self) {
      try TIFFWriter(.init(.tiff, .displayP3, bits: 16))
        .write(FormulaPicture.noise(4, 4, primaries: .bt2020), to: .replacing(folder.file("a.tif")))
    }
    #expect(error.code == .badSetting)
    #expect(error.message.contains("displayP3"))
    #expect(folder.names.isEmpty)
  }

  @Test func sceneLightFitsFloatOnly() throws {
    let scene = FormulaPicture<SceneLinear>(
      size: PixelSize(width: 2, height: 2), info: .init(peak: 1)
    ) { _, _ in SIMD3(1, 1, 1) }
    let error = try #require(throws: WriteError.self) {
      try TIFFWriter(.init(.tiff, .linearBT2020, bits: 16))
        .write(scene, to: .replacing(folder.file("a.tif")))
    }
    #expect(error.code == .badSetting)
  }

  @Test(arguments: [(0, 5), (5, 0)])
  func emptyPictureIsRefused(side: (Int, Int)) throws {
    let error = try #require(throws: WriteError.self) {
      try TIFFWriter(.init(.tiff, .linearBT2020, bits: 32))
        .write(FormulaPicture.noise(side.0, side.1), to: .replacing(folder.file("a.tif")))
    }
    #expect(error.code == .unsupportedSize)
    #expect(folder.names.isEmpty)
  }

  @Test(arguments: [
    TIFFCompression.deflate(level: 0), .deflate(level: 13), .zstd(level: 0),
    .zstd(level: 20),
  ])
  func levelsOutsideTheirRangeAreRefused(compression: TIFFCompression) throws {
    let error = try #require(throws: WriteError.self) {
      try writer(.linearBT2020, bits: 32, compression)
    }
    #expect(error.code == .badSetting)
  }
}

@Suite struct TIFFWriterDiskTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// The disk fills up after a number of bands; 0 = before libtiff's header.
  @Test(arguments: [0, 2])
  func fullDiskLeavesTheOldFile(bands: Int) throws {
    let path = folder.file("a.tif")
    try "old".write(toFile: path, atomically: false, encoding: .utf8)
    let full = open("/dev/full", O_RDWR)
    defer { close(full) }
    let picture = FormulaPicture<DisplayReferred>(
      size: PixelSize(width: 64, height: 2000), info: .init(primaries: .bt2020, headroom: 1)
    ) { x, y in
      if bands > 0, x == 0, y == bands * 256 { DiskFull.happens(toTemporaryFileOf: path) }
      return SIMD3(1, 1, 1)
    }
    let error = try #require(throws: WriteError.self) {
      let settings = EncoderSettings(.tiff, .linearBT2020, bits: 32)
      _ = try TIFFWriter(settings.with { $0.compression = .none }, workers: 1).write(
        picture,
        to: bands == 0
          ? .handedOver(full, name: path) : .file(path: path, existing: .replace))
    }
    #expect(error.code == .diskFull)
    #expect(error.path == path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    #expect(folder.names == ["a.tif"])
  }

  @Test func missingFolderIsNamed() throws {
    let error = try #require(throws: WriteError.self) {
      try TIFFWriter(.init(.tiff, .linearBT2020, bits: 32))
        .write(FormulaPicture.noise(4, 4), to: .replacing(folder.file("no/a.tif")))
    }
    #expect(error.code == .cannotWrite)
  }
}

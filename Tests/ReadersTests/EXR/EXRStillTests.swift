import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing
import Writers

@testable import Readers

@Suite struct EXRStillTests {
  private static func written(
    _ picture: any PixelSource<DisplayReferred>, _ compression: EXRCompression,
    depth: FloatDepth = .float, tileSize: Int? = nil, in folder: TestFolder
  ) throws -> URL {
    let path = folder.path + "/\(compression.rawValue)-\(depth.rawValue)-\(tileSize ?? 0).exr"
    let settings = EncoderSettings(.exr, bits: depth.rawValue).with {
      ($0.exrCompression, $0.exrTileSize) = (compression, tileSize)
    }
    _ = try EXRWriter(settings).write(picture, to: .replacing(path))
    return URL(filePath: path)
  }

  /// What is written is read: floats bit for bit where the compression has no loss.
  @Test(arguments: EXRCompression.allCases) func writtenFiles(compression: EXRCompression) throws {
    let folder = try TestFolder()
    for primaries in [Primaries.srgb, .displayP3, .bt2020, .acesAP1] {
      let picture = try KnownPicture.picture(primaries, headroom: 12)
      for (depth, tileSize) in [(FloatDepth.float, nil), (.half, 32)] {
        let url = try Self.written(
          picture, compression, depth: depth, tileSize: tileSize, in: folder)
        let still = try StillImage(contentsOf: url)
        #expect(still.kind == .exr && still.color.primaries == primaries && still.channels == 3)
        #expect(still.color.matrix == .identity && still.isFloat)
        let isLossy = compression == .dwaa || compression == .dwab
        let maximum = isLossy ? 0.1 : depth == .half ? 12 * 0x1p-11 : 0
        let found = try KnownPicture.pixels(try still.base())
        for (a, b) in zip(found, try KnownPicture.pixels(picture)) {
          #expect(max(abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z)) <= maximum)
        }
        #expect(abs(try still.picture().contentHeadroom - 12) < 0.2)
      }
    }
  }

  /// A frame of 72 million pixels around a few is nearly a gigabyte of black: damage.
  @Test func framesAreNotMostlyBlack() throws {
    let folder = try TestFolder()
    let url = try Self.written(
      try KnownPicture.picture(.srgb, headroom: 2), .zip, in: folder)
    var bytes = [UInt8](try Data(contentsOf: url))
    let name = Array("displayWindow\0box2i\0".utf8)
    let start = try #require(
      bytes.indices.first { bytes[$0...].starts(with: name) }.map { $0 + name.count + 4 })
    func frame(_ width: UInt32, _ height: UInt32) throws -> StillImage {
      let window = [0, 0, width - 1, height - 1].flatMap { number in
        (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
      }
      bytes.replaceSubrange(start..<start + 16, with: window)
      return try StillImage(bytes)
    }
    #expect(throws: ReadError.self) { try frame(9000, 8000).base() }
    #expect(try frame(900, 800).base().size == PixelSize(width: 900, height: 800))
  }

  /// What standard attributes say of the capture is Exif again.
  @Test func theCaptureComesBack() throws {
    let folder = try TestFolder()
    var metadata = CaptureMetadata()
    metadata[.image, 0x010F] = .ascii("Maker")
    metadata[.image, 0x8298] = .ascii("An Owner")
    metadata[.exif, 0x829A] = .rationals([Rational(1, 500)])
    metadata[.exif, 0x829D] = .rationals([Rational(71_000, 10_000)])
    metadata[.exif, 0x8827] = .shorts([1600])
    metadata[.exif, 0x9003] = .ascii("2024:05:06 07:08:09")
    metadata[.exif, 0x9011] = .ascii("+05:30")
    metadata[.exif, 0xA434] = .ascii("A Lens")
    metadata[.gps, 1] = .ascii("S")
    metadata[.gps, 2] = .rationals([Rational(33, 1), Rational(30, 1), Rational(0, 100)])
    metadata[.gps, 3] = .ascii("E")
    metadata[.gps, 4] = .rationals([Rational(151, 1), Rational(15, 1), Rational(0, 100)])
    metadata[.gps, 5] = .bytes([1])
    metadata[.gps, 6] = .rationals([Rational(25_000, 10_000)])
    let path = folder.path + "/a.exr"
    _ = try EXRWriter(.init(.exr)).write(
      try KnownPicture.picture(.srgb, headroom: 2), metadata: metadata, to: .replacing(path))
    let found = try StillImage(contentsOf: URL(filePath: path)).metadata
    for entry in metadata.entries {
      #expect(found[entry.directory, entry.tag] == entry.value, "\(entry.tag)")
    }
  }

  /// Values that are none become finite, with a note (a picture of OpenEXR's own test suite).
  @Test func valuesThatAreNone() throws {
    let still = try StillImage(contentsOf: SharedFiles.url("more/hdr/exr_BrightRingsNanInf.exr"))
    let picture = try still.picture()
    #expect(picture.notes.contains { $0.contains("infinite or NaN") })
    let linear = try KnownPicture.pixels(try still.base())
    #expect(linear.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite })
    #expect(picture.contentHeadroom < 0x1p16)
  }

  /// Sides of tiles whose product is beyond all numbers.
  @Test(arguments: [[UInt8](repeating: 255, count: 8), [0, 0, 0, 64, 0, 0, 0, 64]])
  func hugeTilesAreRefused(sides: [UInt8]) throws {
    let folder = try TestFolder()
    let picture = try KnownPicture.picture(.bt2020, headroom: 4)
    let url = try Self.written(picture, .zip, tileSize: 32, in: folder)
    var bytes = [UInt8](try Data(contentsOf: url))
    let name = try #require(bytes.firstRange(of: Array("tiledesc\0".utf8)))
    bytes.replaceSubrange(name.upperBound + 4..<name.upperBound + 12, with: sides)
    let code = PNGHostileTests.read(bytes)
    #expect(code == .damaged || code == .tooLarge)
  }

  @Test func damagedFiles() throws {
    let folder = try TestFolder()
    let picture = try KnownPicture.picture(.bt2020, headroom: 4)
    let files = try EXRCompression.allCases.enumerated().map { index, compression in
      [UInt8](
        try Data(
          contentsOf: Self.written(
            picture, compression, depth: .half, tileSize: index % 2 == 0 ? nil : 48, in: folder)))
    }
    for file in files { #expect(PNGHostileTests.read(file) == nil) }
    var counts: [String: Int] = [:]
    for seed in 0..<UInt64(Damage.count(1500)) {
      let file = files[Int(seed % UInt64(files.count))]
      let bytes =
        seed % 3 == 0
        ? Damage.damaged(file, seed: seed)
        : Damage.damaged(file, tables: 0..<600, anywhere: 4, seed: seed)
      counts[PNGHostileTests.read(bytes).map(\.rawValue) ?? "picture", default: 0] += 1
    }
    print("damaged EXRs: \(counts)")
    let minimum = Damage.count(60)
    #expect((counts["picture"] ?? 0) > minimum && (counts["damaged"] ?? 0) > minimum)
  }
}

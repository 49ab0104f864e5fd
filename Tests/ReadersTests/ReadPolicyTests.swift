import CTIFF
import Export
import Formats
import Foundation
import HDRRender
import ImageCore
import TestSupport
import Testing
import Writers

@testable import Readers

/// A damaged file of each kind is a picture with a note under `show`, and refused under `whole`.
@Suite struct ReadPolicyTests {
  private static let format = PictureFormat(
    .hdr10, primaries: .bt2020, bitDepth: 10, size: KnownPicture.size)

  /// A picture in a file of `container`.
  private static func written(
    _ container: EncoderSettings.Container, isHDR: Bool = false
  ) throws -> [UInt8] {
    var source = format
    if !isHDR { source.dynamicRange = .sdr }
    let folder = try TestFolder()
    let path = folder.path + "/picture"
    let linear = try KnownPicture.picture(isHDR ? .bt2020 : .srgb, headroom: isHDR ? 4 : 1)
    let settings = EncoderSettings.template(.preserve, source: source, container: container)
    _ = try StillExporter(settings).write(DisplayPicture(linear), to: .replacing(path))
    return [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  private static func cut(_ bytes: [UInt8], to fraction: Double = 0.75) -> [UInt8] {
    Array(bytes.prefix(Int(Double(bytes.count) * fraction)))
  }

  private static func row(_ y: Int, of samples: DecodedSamples) -> [UInt8] {
    let count = samples.size.width * samples.channels * samples.format.bytes
    return Array(UnsafeRawBufferPointer(start: samples.row(y), count: count))
  }

  /// The samples of a damaged file under `show`, with its notes; refused under `whole`.
  private static func shown(
    _ bytes: [UInt8], _ damage: FileDamage, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> DecodedSamples {
    #expect(ReadPolicy.whole.outcome(of: damage) == .refused, sourceLocation: sourceLocation)
    #expect(ReadPolicy.show.reads(damage), sourceLocation: sourceLocation)
    #expect(sourceLocation: sourceLocation) { try StillImage(bytes).base() } throws: {
      ($0 as? ReadError)?.code == .damaged
    }
    let still = try StillImage(bytes, policy: .show)
    let notes = try still.picture().notes
    #expect(notes.contains { $0.hasPrefix("its pixels are damaged") || $0.contains("as far as") })
    return try still.container.picture()
  }

  /// The first rows are equal to the complete file's, the last one is not.
  private static func expectRows(
    _ count: Int, of complete: [UInt8], in part: DecodedSamples,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let wanted = try StillImage(complete).container.picture()
    for y in 0..<count {
      #expect(row(y, of: part) == row(y, of: wanted), sourceLocation: sourceLocation)
    }
    let last = wanted.size.height - 1
    #expect(row(last, of: part) != row(last, of: wanted), sourceLocation: sourceLocation)
  }

  @Test func jpegs() throws {
    let bytes = try Self.written(.jpeg)
    try Self.expectRows(16, of: bytes, in: Self.shown(Self.cut(bytes), .jpegData))
    // So short that it is seen when the file is opened: ten bytes behind the header of the scan.
    let scan = try #require(
      bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    let stub = Array(bytes.prefix(scan + 24))
    #expect(throws: ReadError.self) { try StillImage(stub) }
    #expect(try StillImage(stub, policy: .show).notes.contains(StillInfo.cutNote))
  }

  @Test func pngs() throws {
    let bytes = try Self.written(.png)
    let cut = Self.cut(bytes)
    try Self.expectRows(10, of: bytes, in: Self.shown(cut, .pngData))
    let still = try StillImage(cut, policy: .show)
    #expect(still.notes == [StillInfo.cutNote])
    // The header and the samples have the same note, which is reported once.
    let decoded = try still.picture().notes
    #expect(decoded == [StillInfo.cutNote] && still.notes(and: decoded) == decoded)
  }

  @Test func webPs() throws {
    let bytes = try SharedFiles.bytes("photos/cid22_1200348.webp")
    try Self.expectRows(16, of: bytes, in: Self.shown(Self.cut(bytes), .webPData))
    // There is no row in a header.
    #expect(throws: ReadError.self) {
      try StillImage(Array(bytes.prefix(64)), policy: .show).base()
    }
  }

  @Test func tiffs() throws {
    for isTiled in [false, true] {
      var file = TestTIFF()
      (file.compression, file.isTiled, file.height) = (COMPRESSION_ADOBE_DEFLATE, isTiled, 40)
      let complete = try #require(file.bytes())
      var bytes = complete
      // In the first strip or tile, behind the header of the file.
      bytes[30] ^= 0x55
      let part = try Self.shown(bytes, .tiffPart)
      let wanted = try StillImage(complete).container.picture()
      #expect(Self.row(39, of: part) == Self.row(39, of: wanted))
      #expect(Self.row(0, of: part).prefix(24).allSatisfy { $0 == 0 })
    }
    var single = TestTIFF()
    (single.compression, single.rowsPerStrip) = (COMPRESSION_ADOBE_DEFLATE, 21)
    var bytes = try #require(single.bytes())
    bytes[30] ^= 0x55
    #expect(throws: ReadError.self) { try StillImage(bytes, policy: .show).base() }
  }

  @Test func exrs() throws {
    let folder = try TestFolder()
    for compression in [EXRCompression.zip, .dwaa] {
      let path = folder.path + "/\(compression.rawValue).exr"
      let linear = try Image<DisplayReferred>(
        size: PixelSize(width: 64, height: 256), info: .init(primaries: .srgb, headroom: 2)
      ) { planes in
        for plane in 0..<3 {
          for y in 0..<256 {
            for x in 0..<64 { planes.row(plane, y)[x] = Float((x * 37 + y * 91) % 64 + 1) / 32 }
          }
        }
      }
      _ = try EXRWriter(
        EncoderSettings(.exr).with { $0.exrCompression = compression }
      ).write(linear, to: .replacing(path))
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      let part = try Self.shown(Self.cut(bytes, to: 0.6), .exrChunk)
      #expect(Self.row(255, of: part).allSatisfy { $0 == 0 })
      #expect(Self.row(0, of: part) == (try Self.row(0, of: StillImage(bytes).container.picture())))
    }
  }

  @Test func arraysAndRadiance() throws {
    let folder = try TestFolder()
    let path = folder.path + "/a.npy"
    _ = try ArrayWriter(EncoderSettings(.npy)).write(
      try KnownPicture.picture(.bt2020, headroom: 12), to: .replacing(path))
    for (bytes, damage) in [
      ([UInt8](try Data(contentsOf: URL(filePath: path))), FileDamage.npyRow),
      (RadianceStillTests.files()[0], .radianceLine),
    ] {
      try Self.expectRows(1, of: bytes, in: Self.shown(Self.cut(bytes), damage))
    }
  }

  /// Of a JPEG XL that ends early libjxl gives a coarse picture of what is missing, of one that
  /// ends in its header nothing.
  @Test func jpegXLs() throws {
    let size = PixelSize(width: 600, height: 600)
    let linear = try Image<DisplayReferred>(
      size: size, info: .init(primaries: .srgb, headroom: 1)
    ) { planes in
      for plane in 0..<3 {
        for y in 0..<600 {
          for x in 0..<600 {
            planes.row(plane, y)[x] = 0.3 + 0.2 * sin(Float(x * (plane + 3) + y * y / 40) / 9)
          }
        }
      }
    }
    let folder = try TestFolder()
    let path = folder.path + "/picture.jxl"
    _ = try JPEGXLWriter(EncoderSettings(.jpegXL, .sRGB, quality: 0.8)).write(
      linear, to: .replacing(path))
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let part = try Self.shown(Self.cut(bytes, to: 0.8), .jpegXLEnd)
    #expect(!part.isClear)
    let stub = Self.cut(bytes, to: 0.01)
    #expect(throws: ReadError.self) { try StillImage(stub, policy: .show).base() }
  }

  /// Of 48 tiles of a phone's picture the last twenty and the gain map are missing, then one is
  /// damaged in its middle.
  @Test func grids() throws {
    let complete = try SharedFiles.bytes("hdr/apple_greyhounds.heic")
    let cut = Array(complete.prefix(1_000_000))
    let part = try Self.shown(cut, .heifTile)
    let wanted = try StillImage(complete).container.picture()
    // Upright, each row crosses tiles from the first to the last ones.
    var (same, all) = (0, 0)
    for y in stride(from: 0, to: wanted.size.height, by: 61) {
      let pairs = zip(Self.row(y, of: part), Self.row(y, of: wanted))
      same += pairs.reduce(0) { $0 + ($1.0 == $1.1 ? 1 : 0) }
      all += wanted.size.width * wanted.channels
    }
    #expect((0.5...0.75).contains(Double(same) / Double(all)))
    let notes = try StillImage(cut, policy: .show).picture().notes
    #expect(notes.contains { $0.contains("without 20 of 48 tiles") })
    #expect(notes.contains { $0.hasPrefix("its gain map is damaged and was left out") })
    var bytes = complete
    for index in 330_294..<332_294 { bytes[index] = 0x55 }
    let damaged = try StillImage(bytes, policy: .show).picture()
    #expect(damaged.notes.contains { $0.contains("without 1 of 48 tiles") })
    guard case .gainMap = damaged.content else {
      Issue.record("the gain map is complete")
      return
    }
  }

  /// Only a second decoder sees where tiles of AV1 end, and it is not asked of what is shown.
  @Test func tileEnds() throws {
    #expect(ReadPolicy.show.outcome(of: .av1TileEnd) == .unchecked)
    let complete = try SharedFiles.bytes("hdr/pq_libavif_seine_hdr_rec2020.avif")
    var shown = 0
    for index in stride(from: 4000, through: 40_000, by: 9000) {
      var bytes = complete
      bytes[index] ^= 0x10
      #expect(throws: ReadError.self) { try StillImage(bytes).base() }
      // Later versions of libdav1d refuse some themselves.
      if (try? StillImage(bytes, policy: .show).base()) != nil { shown += 1 }
    }
    #expect(shown > 0)
    let (a, b) = (try StillImage(complete), try StillImage(complete, policy: .show))
    let (one, other) = (try a.container.picture(), try b.container.picture())
    for y in 0..<one.size.height { #expect(Self.row(y, of: one) == Self.row(y, of: other)) }
  }

  /// Under both policies a picture that lacks no pixels is complete.
  @Test func metadataIsLeftOut() throws {
    var bytes = try Self.written(.png, isHDR: true)
    let name = Array("cICP".utf8)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
    bytes[start + 4] ^= 0xFF
    for policy in ReadPolicy.allCases {
      #expect(policy.outcome(of: .pngChunk) == .leftOut)
      let still = try StillImage(bytes, policy: policy)
      #expect(still.notes.contains { $0.contains("cICP") })
      _ = try still.base()
    }
  }

  /// What leaves no picture is refused whatever the policy.
  @Test func headersAreNeeded() throws {
    for damage in FileDamage.allCases {
      let rule = damage.rule
      // Nothing that `show` refuses is read under `whole`.
      if rule.show == .refused { #expect(rule.whole == .refused) }
    }
    for container in [EncoderSettings.Container.jpeg, .png, .tiff, .jpegXL, .avif, .heif] {
      let bytes = try Self.written(container)
      for policy in ReadPolicy.allCases {
        #expect(throws: ReadError.self) {
          try StillImage(Array(bytes.prefix(12)), policy: policy).base()
        }
      }
    }
  }

  /// Of a picture of HEVC whose slice ends early libde265 leaves the rest as it was in memory,
  /// without a warning.
  @Test func gapsInHEVC() throws {
    let bytes = Damage.damaged(try Self.written(.heif), seed: 11)
    for policy in ReadPolicy.allCases {
      let error = #expect(throws: ReadError.self) {
        try StillImage(bytes, policy: policy).base()
      }
      #expect(error?.message.contains("a part of the picture is missing") == true, "\(policy)")
    }
  }

  /// Random damage gives a picture or an error under both, and complete pictures are the same.
  @Test func damagedFiles() throws {
    for container in [EncoderSettings.Container.jpeg, .png, .tiff, .jpegXL, .avif, .heif] {
      let file = try Self.written(container)
      for seed in 0..<UInt64(Damage.count(60)) {
        let bytes = Damage.damaged(file, seed: seed)
        let complete = try? StillImage(bytes).container.picture()
        let shown = try? StillImage(bytes, policy: .show).container.picture()
        guard let complete else { continue }
        let found = try #require(shown, "\(container) \(seed)")
        #expect(found.notes.isEmpty && found.size == complete.size, "\(container) \(seed)")
        for y in 0..<complete.size.height {
          #expect(Self.row(y, of: found) == Self.row(y, of: complete), "\(container) \(seed)")
        }
      }
    }
  }
}

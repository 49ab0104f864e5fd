import Foundation
import ImageCore
import TestSupport
import Testing

@testable import RawDecode

@Suite struct RawFileTests {
  /// A temporary folder.
  func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "raw-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  func refusal(_ path: String) -> RAWError? {
    do {
      _ = try RawFile.open(path: path).decode()
      return nil
    } catch { return error }
  }

  @Test func filesThatAreNoRawAreRefusedWithTheReason() throws {
    try withFolder { folder in
      let empty = folder.appending(path: "empty.dng")
      try Data().write(to: empty)
      let text = folder.appending(path: "text.dng")
      try Data("this is no raw file, whatever its name says\n".utf8).write(to: text)
      let missing = folder.appending(path: "missing.dng")
      let pipe = folder.appending(path: "pipe.dng")
      #expect(mkfifo(pipe.path, 0o600) == 0)
      let cases: [(URL, RAWError.Code, String)] = [
        (empty, .damaged, "empty"), (text, .notARaw, "not a supported raw format"),
        (folder, .cannotRead, "folder"), (missing, .cannotRead, "no such file"),
        (URL(filePath: "/dev/null"), .cannotRead, "not a regular file"),
        (pipe, .cannotRead, "not a regular file"),
      ]
      for (url, code, part) in cases {
        let error = try #require(refusal(url.path))
        #expect(error.code == code)
        #expect(error.message.contains(part))
        #expect(error.path == url.path)
        #expect(!error.message.contains("\n"))
      }
      if geteuid() != 0 {
        let locked = folder.appending(path: "locked.dng")
        try Data([1]).write(to: locked)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: locked.path)
        #expect(refusal(locked.path)?.code == .cannotRead)
      }
    }
  }

  static let complete = [
    "raws/canon30d_IMG_0848.CR2", "raws/canonG10_plant_window.cr2", "raws/bmpcc_coffee.dng",
    "raws/canonKissX4_colorchart.dng", "raws/lgH815_lossy_1mp.dng",
    "raws/derived_gopro_Fusion_GPFR7066.dng", "dng/synth_proraw_10bit.dng",
    "dng/cfa16_mstrip.dng", "dng/lin16_tile_le.dng", "dng/f32_lin_deflate_p1.dng",
    "dng/jxl_cfa_levels.dng",
  ]

  @Test(arguments: complete) func aFileCutShortIsRefusedAsDamaged(_ name: String) throws {
    let path = try SharedFiles.path(name)
    let data = try Data(contentsOf: URL(filePath: path))
    for fraction in [0.0001, 0.01, 0.1, 0.5, 0.9, 0.99] {
      let cut = [UInt8](data.prefix(max(9, Int(Double(data.count) * fraction))))
      do {
        _ = try RawFile.open(bytes: cut).decode()
        Issue.record("\(name) cut to \(fraction) was decoded")
      } catch {
        #expect(error.code == .damaged, "\(name) cut to \(fraction): \(error)")
      }
    }
  }

  /// Truncation by another program after opening: one error, with every decoder.
  @Test(arguments: complete) func aFileThatBecomesShorterIsOneError(_ name: String) throws {
    try withFolder { folder in
      let url = folder.appending(path: "a.raw")
      let content = try SharedFiles.bytes(name)
      try Data(content).write(to: url)
      let file = try RawFile.open(url)
      #expect(truncate(url.path, 4096) == 0)
      // Small files are in memory.
      guard content.count > 1 << 20 else {
        _ = try file.decode()
        return
      }
      for _ in 0..<2 {
        #expect { try file.decode() } throws: {
          ($0 as? RAWError)?.code == .cannotRead && "\($0)".contains("shorter")
        }
      }
      #expect(file.preview() == nil)
    }
  }

  /// A valid header without its pixels: its metadata can be read, decoding fails.
  @Test func aHeaderWithoutPixelsIsDescribed() throws {
    let path = try SharedFiles.path("raws/proraw_iphone12pro_header_only.dng")
    let file = try RawFile.open(path: path)
    #expect(file.info.size == PixelSize(width: 4032, height: 3024))
    #expect(file.metadata.make == "Apple")
    let error = try #require(refusal(path))
    #expect(error.code == .damaged && error.stage == .decode)
    #expect(
      error.message
        == "its pixel data end beyond the end of the file (64104 bytes); copy the file again")
  }

  @Test func limitsHoldBeforeDecoding() throws {
    let path = try SharedFiles.path("raws/canon30d_IMG_0848.CR2")
    for limits in [
      DecodeLimits(maxFileBytes: 1000), DecodeLimits(maxPixels: 1000),
      DecodeLimits(maxDecodeBytes: 1 << 20),
    ] {
      #expect(throws: RAWError.self) { try RawFile.open(path: path, limits: limits) }
      do { _ = try RawFile.open(path: path, limits: limits) } catch {
        #expect(error.code == .tooLarge)
      }
    }
  }

  @Test func pixelsAreExact() throws {
    let path = try SharedFiles.path("dng/cfa_levels.dng")
    let area = try RawFile.open(path: path).info.storedSize.area
    #expect(throws: Never.self) {
      try RawFile.open(path: path, limits: DecodeLimits(maxPixels: area)).decode()
    }
    let error = #expect(throws: RAWError.self) {
      try RawFile.open(path: path, limits: DecodeLimits(maxPixels: area - 1))
    }
    #expect(error?.code == .tooLarge)
  }

  /// Flipped bytes must give a picture or an error, never a trap.
  @Test(arguments: [
    "raws/lgH815_lossy_1mp.dng", "dng/cfa_levels.dng", "dng/lossy_mappoly.dng",
    "dng/jxl_cfa_levels.dng",
  ])
  func brokenBytesNeverTrap(_ name: String) throws {
    let path = try SharedFiles.path(name)
    let data = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var state: UInt64 = 42
    func random(_ below: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % below
    }
    let limits = DecodeLimits(maxPixels: 4_000_000, maxDecodeBytes: 64 << 20)
    var refused = 0
    for _ in 0..<40 {
      var bytes = data
      // Directories are at the start of these files.
      for _ in 0..<4 { bytes[random(min(bytes.count, 3000))] = UInt8(random(256)) }
      do {
        let file = try RawFile.open(bytes: bytes, limits: limits)
        _ = file.preview()
        _ = try file.decode()
      } catch { refused += 1 }
    }
    #expect(refused > 0 && refused < 40)
  }

  @Test func metadataIsCarried() throws {
    let path = try SharedFiles.path("raws/canon30d_IMG_0848.CR2")
    let metadata = try RawFile.open(path: path).metadata
    #expect(metadata.make == "Canon")
    #expect(metadata.model == "Canon EOS 30D")
    #expect(metadata.exposureTime != nil && metadata.fNumber != nil && metadata.isoSpeed != nil)
    #expect(metadata.dateTimeOriginal?.count == 19)
    #expect(metadata[.exif, 0x927C] == nil && metadata[.image, 0x0112] == nil)
    #expect(metadata.lens == "EF-S 18-55mm f/3.5-5.6")
    #expect(metadata.exposureTime == 0.002)
  }

  @Test(arguments: [
    "raws/canon30d_IMG_0848.CR2", "raws/canonG10_plant_window.cr2", "dng/synth_proraw_10bit.dng",
  ])
  func previewsDecodeAtSmallSizes(_ name: String) throws {
    let path = try SharedFiles.path(name)
    let file = try RawFile.open(path: path)
    let preview = try #require(file.preview())
    let small = try #require(preview.decode(maxSide: 512))
    #expect(
      max(small.size.width, small.size.height) <= 512 || small.size.width <= preview.size.width / 7)
    #expect(small.rgb.count == small.size.area * 3)
    #expect(Set(small.rgb).count > 10)
    print("preview", name, preview.size, small.size, file.info.size)
    #expect(EmbeddedPreview([0xFF, 0xD8, 0, 1, 2]) == nil)
    let broken = EmbeddedPreview(Array(preview.jpeg.prefix(preview.jpeg.count / 2)))
    #expect(broken?.decode(maxSide: 512) == nil)
  }

  @Test func camerasAreNamed() {
    #expect(SupportedCameras.models.count > 1000)
    #expect(SupportedCameras.models.contains { $0.contains("EOS 30D") })
  }
}

import Foundation
import ImageCore
import RawDecode
import RawFilter
import RawSensor
import RawTestSupport
import Recipes
import SyntheticRaw
import TestSupport
import Testing

@testable import Develop

/// Linear DNGs hold the result of the stages up to them.
@Suite struct DNGConverterTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private static func fixture(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/\(name)").path
  }

  private func converted(
    _ source: String, _ change: (inout DNGConverter) -> Void
  ) throws -> (report: DNGConverter.Report, filter: RAWFilter) {
    var converter = DNGConverter(workers: 2)
    converter.preview = .none
    change(&converter)
    let path = folder.file(UUID().uuidString + ".dng")
    let report = try converter.convert(source, to: .replacing(path))
    return (report, try RAWFilter(url: URL(fileURLWithPath: path)))
  }

  /// The selected frame of a file with several.
  @Test func aFrameIsWrittenAlone() throws {
    let size = PixelSize(width: 96, height: 64)
    func frame(_ number: Int) -> DNGWriter {
      SimulatedSensor().expose(size: size) { x, _ in
        SIMD3(repeating: (0.1 + 0.006 * Float(x)) / Float(number))
      }
    }
    var file = frame(1)
    file.furtherFrames = [frame(2).samples]
    file.preview = DNGPreview(
      size: PixelSize(width: 8, height: 8), srgb: Array(repeating: 99, count: 192))
    let source = folder.file("frames.dng")
    try Data(file.bytes).write(to: URL(fileURLWithPath: source))
    for number in [2, 1] {
      let made = try converted(source) { $0.frame = number }
      #expect(made.report.isVerified && made.filter.frameCount == 1)
      let (own, written) = (
        try RAWFilter(data: Data(frame(number).bytes)).rawFile.decode(),
        try made.filter.rawFile.decode()
      )
      for y in 0..<size.height { #expect(own.linear(row: y) == written.linear(row: y)) }
    }
    #expect(throws: DevelopError.self) { try converted(source) { $0.frame = 3 } }
  }

  /// What holds less than all samples is not up to date for all of them.
  @Test func lossyAndDemosaicedAreNoArchives() throws {
    let source = Self.fixture("sunset-bayer.dng")
    var converter = DNGConverter(workers: 2)
    (converter.preview, converter.keepsUpToDate) = (.none, true)
    let target = OutputDestination.file(
      path: folder.file("archive.dng"), existing: .replaceOwn)
    (converter.samples, converter.bits) = (.linear, .integers)
    (converter.compression, converter.distance) = (.jpegXL, 5)
    #expect(try !converter.convert(source, to: target).wasUpToDate)
    #expect(try converter.convert(source, to: target).wasUpToDate)
    (converter.samples, converter.compression, converter.distance) = (.stored, .losslessJPEG, 0)
    #expect(try !converter.convert(source, to: target).wasUpToDate)
    #expect(try converter.convert(source, to: target).wasUpToDate)
    // Of another raw it is refused.
    let error = #expect(throws: DevelopError.self) {
      try converter.convert(Self.fixture("sunset-linear.dng"), to: target)
    }
    #expect(error?.codeName == "exists")
  }

  /// The largest difference of two pictures, relative where they are bright.
  private func difference(
    _ a: any PixelSource<CameraRGB>, _ b: any PixelSource<CameraRGB>
  ) throws -> Float {
    #expect(a.size == b.size)
    func pixels(_ source: some PixelSource<CameraRGB>) throws -> PlanarBuffer {
      let buffer = try PlanarBuffer(size: source.size)
      try source.read(PixelRect(source.size), into: buffer)
      return buffer
    }
    let (p, q) = (try pixels(a), try pixels(b))
    var worst: Float = 0
    for c in 0..<3 {
      for y in 0..<a.size.height {
        for x in 0..<a.size.width {
          let (u, v) = (p.row(c, y)[x], q.row(c, y)[x])
          worst = max(worst, abs(u - v) / max(abs(u), 0.01))
        }
      }
    }
    return worst
  }

  @Test(arguments: ["sunset-bayer.dng", "sunset-xtrans.dng"], [DNGConverter.Bits.float, .half])
  func linearIsTheDemosaicedPicture(name: String, bits: DNGConverter.Bits) throws {
    let source = Self.fixture(name)
    let made = try converted(source) { ($0.samples, $0.bits) = (.linear, bits) }
    #expect(made.report.isVerified)
    let own = try RAWFilter(url: URL(fileURLWithPath: source))
    #expect(made.filter.nativeSize == own.nativeSize)
    let worst = try difference(
      try own.plan().stages().demosaiced, try made.filter.plan().stages().demosaiced)
    // Half precision rounds to 2⁻¹¹ of a value.
    #expect(worst < (bits == .half ? 5e-4 : 1e-5), "\(worst)")
  }

  @Test func sceneHasEveryCorrection() throws {
    let source = Self.fixture("sunset-bayer.dng")
    let made = try converted(source) { ($0.samples, $0.bits) = (.scene, .float) }
    let own = try RAWFilter(url: URL(fileURLWithPath: source))
    #expect(made.filter.rawFile.info.noiseReductionApplied == 1)
    #expect(made.filter.rawFile.info.opcodes.names.joined().isEmpty)
    let worst = try difference(
      try own.plan().stages().camera, try made.filter.plan().stages().camera)
    #expect(worst < 1e-5, "\(worst)")
  }

  /// Integers begin at black and end at white.
  @Test(arguments: [DNGConverter.Compression.losslessJPEG, .jpegXL])
  func integersAreAsRecorded(compression: DNGConverter.Compression) throws {
    let source = Self.fixture("sunset-bayer.dng")
    let made = try converted(source) {
      ($0.samples, $0.bits, $0.compression) = (.linear, .integers, compression)
    }
    #expect(made.report.isVerified && made.report.compression == compression)
    var (own, other) = (try RAWFilter(url: URL(fileURLWithPath: source)), made.filter)
    (own.isHighlightRecoveryEnabled, own.boostAmount) = (false, 0)
    (other.isHighlightRecoveryEnabled, other.boostAmount) = (false, 0)
    let (a, b) = (try own.plan().stages().demosaiced, try other.plan().stages().demosaiced)
    #expect(a.size == b.size)
    let (p, q) = (try PlanarBuffer(size: a.size), try PlanarBuffer(size: a.size))
    try a.read(PixelRect(a.size), into: p)
    try b.read(PixelRect(a.size), into: q)
    for c in 0..<3 {
      let white = own.sensorBalance[c]
      for y in 0..<a.size.height {
        for x in 0..<a.size.width {
          let (u, v) = (min(max(p.row(c, y)[x], 0), white), q.row(c, y)[x])
          guard abs(u - v) <= white / 65535 else {
            Issue.record("\(u) \(v) at \(x), \(y) of \(c)")
            return
          }
        }
      }
    }
  }

  /// The note of a CR3, which is a structure of its own, means the same in the DNG.
  @Test func notesOfCR3sArePreserved() throws {
    let sample = try #require(CameraSample.all.first { $0.raw.coding == .cr3 })
    let source = folder.file("a.cr3")
    try Data(sample.exposed { x, y in SIMD3(repeating: 0.2) }.written().bytes)
      .write(to: URL(fileURLWithPath: source))
    let own = try RAWFilter(url: URL(fileURLWithPath: source)).rawFile.metadata.makerNote
    #expect(own != nil)
    let made = try converted(source) { _ in }.filter
    #expect(made.rawFile.metadata.makerNote == own)
  }

  @Test func refusesIntegersOfScenes() throws {
    #expect(throws: DevelopError.self) {
      try converted(Self.fixture("sunset-bayer.dng")) {
        ($0.samples, $0.bits) = (.scene, .integers)
      }
    }
    #expect(folder.names.isEmpty)
  }
}

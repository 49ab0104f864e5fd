import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import TestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

/// Lens profiles through the façade.
@Suite struct RAWFilterLensTests {
  private typealias F = LensFixture
  private static let size = PixelSize(width: 192, height: 128)

  /// A gray mosaic that its metadata say was taken with the fixture's lens.
  private func file(
    _ lists: [UInt8: [UInt8]] = [:], metadata: CaptureMetadata = LensFixture.metadata(),
    isLinear: Bool = false
  ) throws -> RAWFilter {
    var writer: DNGWriter
    if isLinear {
      writer = DNGWriter(
        size: Self.size, layout: .linear,
        samples: Array(repeating: 20000, count: Self.size.area * 3))
    } else {
      var sensor = SimulatedSensor()
      (sensor.defectCount, sensor.cropMargin) = (0, 0)
      writer = sensor.expose(size: Self.size) { _, _ in SIMD3(repeating: 0.2) }
    }
    writer.metadata = metadata
    for (list, bytes) in lists {
      writer.additionalFields[[51008, 51009, 51022][Int(list) - 1]] = .bytes(bytes)
    }
    return try RAWFilter(data: Data(try writer.bytes))
  }

  /// Calls `body` with the path of a database that knows the lens.
  private func withDatabase<R>(_ body: (String) throws -> R) throws -> R {
    let lens = F.Lens(calibration: [F.ptLens, F.tca, F.vignetting])
    return try F.withFolder(["a.xml": F.xml([lens]), "timestamp.txt": "0"], body)
  }

  private func differing(_ a: Image<DisplayReferred>, _ b: Image<DisplayReferred>) -> Int {
    var count = a.size == b.size ? 0 : 1_000_000
    for y in 0..<min(a.size.height, b.size.height) {
      for x in 0..<min(a.size.width, b.size.width) where a[x, y] != b[x, y] { count += 1 }
    }
    return count
  }

  @Test func canBeSwitchedOff() throws {
    try withDatabase { path in
      var filter = try file()
      filter.boostAmount = 0
      filter.extendedDynamicRangeAmount = 1
      // Without a database that knows it, nothing to switch.
      #expect(!filter.isLensCorrectionSupported && filter.lensProfileName == nil)
      let without = try filter.outputImage().image
      filter.lensDatabasePath = path
      #expect(filter.isLensCorrectionSupported)
      #expect(filter.supportedAdjustments.contains("isLensCorrectionEnabled"))
      #expect(filter.lensProfileName == "Acme QX 10-100mm f/2-4 IS")
      #expect(
        filter.lensProfileInfo?.corrections == ["distortion", "lateral color", "vignetting"])
      let database = try #require(filter.lensProfileInfo?.database)
      #expect(try /lensfun 0\.3\.\d+, database of 1970-01-01/.wholeMatch(in: database) != nil)
      let corrected = try filter.outputImage().image
      #expect(corrected[2, 2].y > 1.4 * without[2, 2].y)
      #expect(abs(corrected[96, 64].y / without[96, 64].y - 1) < 0.02)
      filter.isLensCorrectionEnabled = false
      #expect(differing(try filter.outputImage().image, without) == 0)
      filter.isLensCorrectionEnabled = true
      #expect(differing(try filter.outputImage().image, corrected) == 0)
      #expect(filter.picture.counts == (1, 4))
    }
  }

  /// It is looked for in mosaics where nothing else corrects it; a picture without it has no such
  /// stage.
  @Test func lateralColorIsLookedForWhereNothingCorrectsIt() throws {
    var filter = try file()
    #expect(filter.isLateralColorCorrectionSupported)
    let facts = try #require(try filter.inspection().lateralColor)
    #expect(facts.map(\.color) == ["red", "blue"] && facts.allSatisfy { !$0.isCorrected })
    #expect(!(try filter.plan().activeStages.contains(.lateralColor)))
    let plain = try filter.outputImage().image
    filter.isLateralColorCorrectionEnabled = false
    #expect(try filter.inspection().lateralColor == nil)
    #expect(differing(try filter.outputImage().image, plain) == 0)
    #expect(!(try file(isLinear: true).isLateralColorCorrectionSupported))
    try withDatabase { path in
      var known = try file()
      known.lensDatabasePath = path
      #expect(!known.isLateralColorCorrectionSupported)
      known.isLensCorrectionEnabled = false
      #expect(known.isLateralColorCorrectionSupported)
    }
  }

  /// Red enlarged by 0.6 %: detected, and corrected before the demosaic or, without a demosaic,
  /// with the lens.
  @Test func lateralColorIsCorrected() throws {
    let size = PixelSize(width: 640, height: 432)
    @Sendable func pattern(_ x: Float, _ y: Float) -> Float {
      let waves =
        sin(x * 0.21 + 0.7 * sin(y * 0.053)) + sin(y * 0.17 + sin(x * 0.041))
        + sin((x + y) * 0.093) * sin((x - y) * 0.067)
      return 0.06 + 0.3 / (1 + exp(-4 * waves))
    }
    var sensor = SimulatedSensor()
    (sensor.defectCount, sensor.cropMargin) = (0, 0)
    let writer = sensor.expose(size: size) { x, y in
      let (dx, dy) = (Float(x) - 319.5, Float(y) - 215.5)
      let green = pattern(Float(x), Float(y))
      return SIMD3(pattern(319.5 + dx / 1.006, 215.5 + dy / 1.006), green, green)
    }
    var filter = try RAWFilter(data: Data(try writer.bytes))
    let facts = try #require(try filter.inspection().lateralColor)
    #expect(facts[0].isCorrected && abs(facts[0].amount - 1.34) < 0.15, "\(facts)")
    #expect(!facts[1].isCorrected, "\(facts)")
    let plan = try filter.plan()
    #expect(plan.activeStages.contains(.lateralColor) && !plan.activeStages.contains(.lens))
    let corrected = try filter.outputImage().image
    filter.isLateralColorCorrectionEnabled = false
    #expect(!(try filter.plan().activeStages.contains(.lateralColor)))
    #expect(differing(try filter.outputImage().image, corrected) > size.area / 2)
    filter.isLateralColorCorrectionEnabled = true
    filter.scaleFactor = 0.5
    let small = try filter.plan().activeStages
    #expect(small.contains(.lens) && !small.contains(.lateralColor))
  }

  @Test func peakSeesTheGains() throws {
    try withDatabase { path in
      var filter = try file()
      let plain = try filter.inspection().scenePeak
      filter.lensDatabasePath = path
      let peak = try filter.inspection().scenePeak
      #expect(peak > 1.4 * plain)
      var half = filter
      half.scaleFactor = 0.5
      #expect(try half.scenePipeline().info.peak == filter.scenePipeline().info.peak)
      filter.isLensCorrectionEnabled = false
      #expect(try filter.inspection().scenePeak == plain)
    }
  }

  @Test func opcodesComeFirst() throws {
    try withDatabase { path in
      typealias B = OpcodeBytes
      for opcode in [
        B.vignette([1, 0, 0, 0, 0]), B.rectilinear([[1, -0.05, 0, 0, 0, 0]]),
        B.vignette([0, 0, 0, 0, 0]),
      ] {
        var filter = try file([3: B.list(opcode)])
        let own = try filter.outputImage().image
        filter.lensDatabasePath = path
        #expect(filter.lensProfileName == nil)
        #expect(differing(try filter.outputImage().image, own) == 0)
      }
      // The sensor's shading includes the lens's; the rest is still to be corrected.
      var filter = try file([2: B.list(B.gainMap(1, 1, [1.5]))])
      filter.lensDatabasePath = path
      #expect(filter.lensProfileInfo?.corrections == ["distortion", "lateral color"])
    }
  }

  @Test func picturesWithoutMosaicAreLeftAlone() throws {
    try withDatabase { path in
      var filter = try file(isLinear: true)
      filter.lensDatabasePath = path
      #expect(!filter.isLensCorrectionSupported)
    }
  }

  @Test func databaseThatCannotBeReadFailsWhereItIsNeeded() throws {
    var filter = try file()
    filter.lensDatabasePath = "/nowhere/db"
    #expect(!filter.isLensCorrectionSupported && filter.lensProfileInfo == nil)
    var message = ""
    do { _ = try filter.outputImage() } catch { message = error.description }
    #expect(message.contains("/nowhere/db") && message.contains("liblensfun-data-v1"))
    filter.isLensCorrectionEnabled = false
    _ = try filter.outputImage()
    // A file that corrects itself needs none.
    var own = try file([3: OpcodeBytes.list(OpcodeBytes.vignette([1, 0, 0, 0, 0]))])
    own.lensDatabasePath = "/nowhere/db"
    _ = try own.outputImage()
    #expect(own.isLensCorrectionSupported)
  }

  /// A raw of a camera and a lens that lensfun's own database knows.
  @Test func straightensARealPicture() throws {
    let path = try SharedFiles.path("raws/canon30d_IMG_0848.CR2")
    guard LensDatabaseFolders.system != nil else {
      try Missing.skip("liblensfun-data-v1")
    }
    let filter = try RAWFilter(url: URL(filePath: path))
    #expect(filter.lensProfileName == "Canon EF-S 18-55mm f/3.5-5.6")
    #expect(filter.isLensCorrectionSupported)
  }
}

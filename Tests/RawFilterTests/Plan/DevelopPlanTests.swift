import Foundation
import HDRRender
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct DevelopPlanTests {
  /// A file with profiles for both ranges.
  static func pair() throws -> RAWFilter {
    var dng = DNGProfileTests.grouped(bigEndian: false)
    dng.pixel = { x, y in [UInt16(x * 8000), UInt16(y * 9000), 50000] }
    var filter = try RAWFilter(data: dng.data)
    filter.profileName = "Plain"
    return filter
  }

  // MARK: The numbers describe the picture

  @Test(arguments: [Float(0), 0.4, 1], [Float(0), 0.5, 1])
  func numbersAreThoseOfTheRendition(amount: Float, boost: Float) throws {
    var filter = try RAWFilterTests.filter(peak: 3)
    (filter.extendedDynamicRangeAmount, filter.boostAmount) = (amount, boost)
    let plan = try filter.plan()
    let rendition = try filter.rendition()
    #expect(plan.headroom == rendition.info.headroom)
    #expect(plan.fileHeadroom == rendition.fileHeadroom)
    #expect(plan.warnings == rendition.warnings)
    let stages = try plan.stages()
    #expect(stages.scene.info.peak == plan.peak)
    #expect(stages.display.size == rendition.size && rendition.size == filter.outputSize)
    #expect(plan.white == filter.neutralChromaticity)
    #expect(plan.orientation == filter.orientation)
    let facts = try filter.inspection()
    #expect(plan.peak == facts.scenePeak)
    if boost > 0 {
      #expect(
        plan.headroom
          == Float(Headroom.brightest(of: Double(plan.fileHeadroom), amount: Double(amount))))
    }
  }

  @Test func thePeakIsTheBrightestPixelOfTheScene() throws {
    let filter = try RAWFilterTests.filter(peak: 3)
    var plan = try filter.plan()
    plan.noise = .none
    let brightest = try plan.stages().scene.lightStatistics().contentHeadroom
    #expect(brightest <= plan.peak * 1.1 && brightest >= plan.peak * 0.9)
  }

  // MARK: Two renditions of one scene

  private static func same(_ a: some PixelSource<DisplayReferred>, _ b: RAWRendition) throws -> Bool
  {
    let (a, b) = (try Image(rendering: a), try Image(rendering: b))
    return a.size == b.size && a.info == b.info
      && (0..<a.size.height).allSatisfy { y in
        (0..<a.size.width).allSatisfy { a[$0, y] == b[$0, y] }
      }
  }

  @Test(arguments: [Float(0), 3]) func renditionsShareTheirScene(angle: Float) throws {
    var filter = try RAWFilterTests.filter(peak: 3)
    filter.straightenAngle = angle
    (filter.sharpnessAmount, filter.luminanceNoiseReductionAmount) = (0.4, 0.5)
    (filter.extendedDynamicRangeAmount, filter.localToneMapAmount) = (1, 0.3)
    let high = try filter.plan()
    filter.extendedDynamicRangeAmount = 0
    let standard = try filter.plan()
    #expect(high.sharesScene(with: standard) && standard.sharesScene(with: high))
    let pair = try high.renditions(with: standard)
    #expect(try Self.same(pair.own, try high.rendition()))
    #expect(try Self.same(pair.other, try standard.rendition()))
    #expect(pair.own.info.headroom > pair.other.info.headroom)
  }

  /// The last pictures of a file use up its samples: the pixels are the same, and who needs the
  /// samples again decodes them.
  @Test func lastRenditionsUseUpTheSamples() throws {
    let writer = RAWFilterTests.sensor.expose(size: PixelSize(width: 64, height: 2600)) { x, y in
      SIMD3(0.2 + 0.1 * Float(Int(x / 5) & 1), 0.3, Float(Int(y) % 97) / 97)
    }
    var filter = try RAWFilter(data: Data(try writer.bytes))
    filter.extendedDynamicRangeAmount = 1
    let high = try filter.plan()
    filter.extendedDynamicRangeAmount = 0
    let standard = try filter.plan()
    let samples = try high.picture.samples(high.sensor.opcodes).samples
    let last = try high.renditions(with: standard, isLast: true)
    #expect(filter.picture.counts.decodes == 1)
    // More threads than lanes would read from several rows downward.
    let read = try Image(rendering: last.own, workers: 1)
    #expect(try Self.same(read, try high.rendition()))
    #expect(filter.picture.counts.decodes == 2)
    #expect(samples.rows - samples.forgotten <= 1100)
  }

  /// Stages in single precision and those in double see one exposure, to the bit.
  @Test func theSceneHasOneExposure() throws {
    var filter = try RAWFilterTests.filter(peak: 3)
    for (exposure, baseline): (Float, Float) in [(0, 0), (0.1, -0.7), (1e-7, 19.3), (-20, 1 / 3)] {
      (filter.exposure, filter.baselineExposure) = (exposure, baseline)
      #expect(filter.sceneStops == Double(exposure) + Double(baseline))
      #expect(Float(filter.sceneStops) == exposure + baseline)
    }
  }

  @Test func otherScenesAreNotShared() throws {
    var filter = try RAWFilterTests.filter(peak: 3)
    let plan = try filter.plan()
    #expect(!plan.sharesScene(with: try RAWFilterTests.filter(peak: 3).plan()))
    filter.exposure = 0.5
    #expect(!plan.sharesScene(with: try filter.plan()))
    filter.exposure = 0
    #expect(plan.sharesScene(with: try filter.plan()))
    filter.linearSpaceFilter = { $0 }
    let filtered = try filter.plan()
    #expect(!filtered.sharesScene(with: filtered) && filtered.sharesCamera(with: filtered))
    filter.defringeAmount = 0.5
    #expect(!filtered.sharesCamera(with: try filter.plan()))
    // The ends of a pair of profiles have colors of their own.
    var pair = try Self.pair()
    pair.extendedDynamicRangeAmount = 1
    let high = try pair.plan()
    pair.extendedDynamicRangeAmount = 0
    let standard = try pair.plan()
    #expect(!high.sharesScene(with: standard) && high.sharesCamera(with: standard))
    let both = try high.renditions(with: standard)
    #expect(try Self.same(both.own, try high.rendition()))
    #expect(try Self.same(both.other, try standard.rendition()))
  }

  @Test func pairsAreTwoPlans() throws {
    var filter = try Self.pair()
    filter.extendedDynamicRangeAmount = 0.5
    let plan = try filter.plan()
    #expect(plan.activeStages.contains(.rangeBlend))
    let rendition = try filter.rendition()
    #expect(plan.headroom == rendition.info.headroom)
    #expect(plan.fileHeadroom == rendition.fileHeadroom)
    for (amount, name) in [(Float(0), "Plain"), (1, "Bright")] {
      filter.extendedDynamicRangeAmount = amount
      let end = try filter.plan()
      #expect(!end.activeStages.contains(.rangeBlend))
      #expect(end.settings.profileName == name)
      #expect(end.fileHeadroom == plan.fileHeadroom)
    }
  }

  @Test func pairsRefuseWhatOthersRefuse() throws {
    var filter = try Self.pair()
    filter.settings.extendedDynamicRangeAmount = .nan
    #expect(throws: RAWError.self) { try filter.rendition() }
    filter = try Self.pair()
    filter.profileName = "Nowhere"
    #expect(throws: RAWError.self) { try filter.rendition() }
  }

  // MARK: What is neutral is not there

  /// Settings, and the stage that each brings. `look`: the path of a LUT.
  private static func changes(look: String) -> [(DevelopStage, (inout RAWFilter) -> Void)] {
    [
      (.despeckle, { $0.despeckleAmount = 0.5 }),
      (.noiseReduction, { $0.luminanceNoiseReductionAmount = 0.5 }),
      (.noiseReduction, { $0.colorNoiseReductionAmount = 0.5 }),
      (.moireReduction, { $0.moireReductionAmount = 0.5 }),
      (.defringe, { $0.defringeAmount = 0.5 }),
      (.resampling, { $0.scaleFactor = 0.7 }),
      (.linearSpaceFilter, { $0.linearSpaceFilter = { $0 } }),
      (.captureSharpening, { $0.sharpnessAmount = 0.5 }),
      (.localContrast, { $0.contrastAmount = 0.5 }),
      (.localContrast, { $0.detailAmount = 0.5 }),
      (.localContrast, { $0.contrastAmount = -0.5 }),
      (.localContrast, { $0.detailAmount = -0.5 }),
      (.dehaze, { $0.dehazeAmount = 0.5 }),
      (.dehaze, { $0.dehazeAmount = -0.5 }),
      (.localToneMap, { $0.localToneMapAmount = 0.5 }),
      (.toneAdjustment, { $0.contrast = 0.5 }),
      (.toneAdjustment, { $0.blacks = -0.5 }),
      (.color, { $0.saturation = 0.5 }),
      (.color, { $0.colorMixer[.blue].hue = 0.5 }),
      (.color, { $0.colorGrading.shadows.saturation = 0.5 }),
      (.orientation, { $0.orientation = .left }),
      (.vignette, { $0.vignette.amount = -0.5 }),
      (.grain, { $0.grain.amount = 0.5 }),
      (.pointCurves, { $0.redToneCurve.points = [SIMD2(0, 0), SIMD2(1, 0.9)] }),
      (.lut, { $0.lutPath = look }),
    ]
  }

  @Test func neutralSettingsSkipStages() throws {
    let filter = try RAWFilterDetailTests.neutral(RAWFilterDetailTests.file())
    let plan = try filter.plan()
    #expect(plan.noiseModel == nil && plan.noiseSpectrum == nil)
    let ofTheFile: Set<DevelopStage> = [
      .lateralColor, .lens, .profileTables, .cameraLook, .rangeBlend,
    ]
    let optional = ofTheFile.union(Self.changes(look: "").map(\.0))
    #expect(optional.isDisjoint(with: plan.activeStages))
    // Behind a stage that is not there stands the very source in front of it.
    let stages = try plan.stages()
    #expect(stages.clean is SensorPipeline && stages.camera is SensorPipeline)
    #expect(stages.detailed is ScenePipeline)
  }

  @Test func eachSettingBringsItsStage() throws {
    let neutral = try RAWFilterDetailTests.neutral(RAWFilterDetailTests.file())
    let before = try neutral.plan().activeStages
    let look = try LookFixture.cube()
    defer { LookFixture.remove(look) }
    for (stage, change) in Self.changes(look: look.path) {
      var filter = neutral
      change(&filter)
      let expected = DevelopStage.allCases.filter { before.contains($0) || $0 == stage }
      #expect(try filter.plan().activeStages == expected, "\(stage)")
    }
    var filter = neutral
    filter.isDefectCorrectionEnabled = false
    #expect(try filter.plan().activeStages == before.filter { $0 != .defects })
    filter = neutral
    filter.boostAmount = 0
    #expect(
      try filter.plan().activeStages
        == before.filter { ![.cameraGamut, .toneCurve, .gamutMapping].contains($0) })
    filter = neutral
    filter.isDraftModeEnabled = true
    #expect(
      try filter.plan().activeStages
        == DevelopStage.allCases.filter {
          $0 == .resampling || before.contains($0) && $0 != .demosaic
        })
  }

  @Test func aPlanMeasuresNothingTwice() throws {
    let filter = try RAWFilter(data: RAWFilterDetailTests.file())
    let first = try filter.plan()
    let found = Analysis.Kind.allCases.map { filter.picture.cache.found($0) }
    let second = try filter.plan()
    _ = try second.rendition()
    #expect(Analysis.Kind.allCases.map { filter.picture.cache.found($0) } == found)
    #expect(first.peak == second.peak && first.settings == second.settings)
  }

  // MARK: Defaults

  @Test func resolvedSettingsMakeTheSamePicture() throws {
    var filter = try RAWFilter(data: RAWFilterDetailTests.file(shotNoise: 4e-3))
    let plain = try RAWFilterDetailTests.pixels(filter)
    filter.settings = try filter.resolvedSettings()
    #expect(filter.settings.baselineExposure != nil && filter.settings.orientation == .up)
    #expect(filter.settings.luminanceNoiseReductionAmount == 1)
    #expect(filter.settings == (try filter.resolvedSettings()))
    #expect(try RAWFilterDetailTests.pixels(filter) == plain)
  }

  @Test func gettersReadTheResolvedSettings() throws {
    let filter = try RAWFilter(data: RAWFilterDetailTests.file(shotNoise: 1e-3))
    let resolved = try filter.resolvedSettings()
    #expect(filter.baselineExposure == resolved.baselineExposure)
    #expect(filter.luminanceNoiseReductionAmount == resolved.luminanceNoiseReductionAmount)
    #expect(filter.colorNoiseReductionAmount == resolved.colorNoiseReductionAmount)
    #expect(filter.sharpnessAmount == resolved.sharpnessAmount)
    #expect(filter.localToneMapAmount == resolved.localToneMapAmount)
    #expect(filter.extendedDynamicRangeAmount == resolved.extendedDynamicRangeAmount)
    #expect(filter.orientation == resolved.orientation)
    #expect(try filter.resolvedAdjustments() == filter.adjustments)
  }

  /// A picture whose pixels cannot be decoded: the property reads neutral, the function says why.
  @Test func damageIsReportedByFunctionsAndNotByProperties() throws {
    let whole = try RAWFilterDetailTests.file(shotNoise: 8e-3)
    let filter = try RAWFilter(data: whole.dropLast(whole.count / 3))
    #expect(filter.luminanceNoiseReductionAmount == 0 && filter.colorNoiseReductionAmount == 0)
    #expect(throws: RAWError.self) { try filter.resolvedSettings() }
    #expect(throws: RAWError.self) { try filter.resolvedAdjustments() }
    #expect(throws: RAWError.self) { try filter.plan() }
    var automatic = filter
    automatic.isAutomaticWhiteBalanceEnabled = true
    #expect(automatic.neutralChromaticity == filter.neutralChromaticity)
    #expect(throws: RAWError.self) { try automatic.resolvedWhite() }
  }
}

// MARK: - Documents

extension DevelopPlanTests {
  /// The table of ARCHITECTURE.md lists the stages in the order of the pipeline.
  @Test func architectureListsTheStages() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appendingPathComponent("ARCHITECTURE.md"), encoding: .utf8)
    let table = text.components(separatedBy: "| stage | by |")[1]
      .components(separatedBy: "\n\n")[0]
    let listed = table.split(separator: "\n").compactMap { line -> String? in
      guard line.hasPrefix("| `") else { return nil }
      return String(line.dropFirst(3).prefix { $0 != "`" })
    }
    #expect(listed == DevelopStage.allCases.map(\.rawValue))
  }
}

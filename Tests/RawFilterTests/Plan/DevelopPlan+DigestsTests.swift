import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct DevelopPlanDigestsTests {
  private static func digests(_ filter: RAWFilter) throws -> [StageDigest] {
    try filter.plan().stageDigests()
  }

  private static func filter(workers: Int = 2) throws -> RAWFilter {
    var filter = try RAWFilter(data: RAWFilterDetailTests.file())
    for name in RAWFilterDetailTests.amounts {
      filter[keyPath: try RAWFilterDetailTests.path(name)] = 0.7
    }
    filter.workers = workers
    return filter
  }

  @Test func threadsAndRectanglesChangeNothing() throws {
    let digests = try Self.digests(Self.filter(workers: 1))
    #expect(digests == (try Self.digests(Self.filter(workers: 2))))
    #expect(digests == (try Self.digests(Self.filter(workers: 5))))
    // As pictures are written: stage by stage in strips, none of which is in memory.
    let rendition = try Self.filter().rendition()
    for height in [nil, 17] {
      let image = try Image(rendering: rendition, bandHeight: height, workers: 3)
      #expect(try StageDigest("", image, workers: 2).xxh64 == digests.last?.xxh64)
    }
  }

  @Test func whatIsKeptChangesNothing() throws {
    let filter = try Self.filter()
    let digests = try Self.digests(filter)
    _ = try filter.outputImage()
    let cached = try Self.digests(filter)
    #expect(digests == cached)
  }

  @Test func stagesAreInTheOrderOfThePipeline() throws {
    let stages = try Self.digests(Self.filter()).map(\.stage)
    // Whether anything is clipped or cropped is the sensor's.
    let others = stages.filter { !["highlights", "resampling"].contains($0) }
    #expect(
      others == [
        "decode", "levels", "defects", "demosaic", "despeckle", "noise reduction",
        "moiré reduction", "scene", "sharpening", "local contrast", "local contrast (2)",
        "dehaze", "local tone map", "tone",
      ])
  }

  /// The first stage whose digest is another one, or is there in only one of both.
  private static func first(_ old: [StageDigest], _ new: [StageDigest]) -> String? {
    let same = zip(old, new).prefix { $0 == $1 }.count
    let (a, b) = (old.dropFirst(same).first?.stage, new.dropFirst(same).first?.stage)
    let isGone = !new.contains { $0.stage == a }
    return isGone ? a ?? b : b
  }

  @Test func theFirstThatDiffersIsThatOfTheSetting() throws {
    let neutral = try RAWFilterDetailTests.neutral(RAWFilterDetailTests.file())
    let before = try Self.digests(neutral)
    let changes: [(String, (inout RAWFilter) -> Void)] = [
      ("defects", { $0.isDefectCorrectionEnabled = false }),
      ("demosaic", { $0.demosaicMethod = .best }),
      ("despeckle", { $0.despeckleAmount = 0.5 }),
      ("noise reduction", { $0.luminanceNoiseReductionAmount = 0.5 }),
      ("moiré reduction", { $0.moireReductionAmount = 0.5 }),
      ("defringe", { $0.defringeAmount = 0.5 }),
      ("resampling", { $0.scaleFactor = 0.7 }),
      ("scene", { $0.exposure = 0.5 }),
      ("sharpening", { $0.sharpnessAmount = 0.5 }),
      ("local contrast", { $0.contrastAmount = 0.5 }),
      ("local contrast", { $0.detailAmount = 0.5 }),
      ("dehaze", { $0.dehazeAmount = 0.5 }),
      ("local tone map", { $0.localToneMapAmount = 0.5 }),
      ("look", { $0.contrast = 0.5 }),
      ("look", { $0.saturation = 0.5 }),
      ("orientation", { $0.orientation = .left }),
      ("vignette, grain", { $0.vignette.amount = -0.5 }),
      ("vignette, grain", { $0.grain.amount = 0.5 }),
      ("tone", { $0.boostShadowAmount = 1.5 }),
      ("frame", { $0.straightenAngle = 3 }),
    ]
    for (stage, change) in changes {
      var filter = neutral
      change(&filter)
      #expect(Self.first(before, try Self.digests(filter)) == stage)
    }
    #expect(Self.first(before, try Self.digests(neutral)) == nil)
  }

  @Test func opcodesAreApartFromTheStoredSamples() throws {
    let list = OpcodeBytes.list(
      OpcodeBytes.polynomial([0.01, 0.9], OpcodeBytes.area(0, 0, 100, 180)))
    let plain = try Self.digests(RAWFilter(data: RAWFilterTests.file()))
    let file = try RAWFilterTests.file(fields: [51009: .bytes(list)])
    let changed = try Self.digests(RAWFilter(data: file))
    #expect(plain.prefix(2).map(\.stage) == ["decode", "levels"])
    #expect(changed.prefix(3).map(\.stage) == ["decode", "sensor opcodes", "levels"])
    #expect(changed[0] == plain[0] && changed[1].xxh64 != plain[0].xxh64)
    #expect(changed[2].xxh64 != plain[1].xxh64)
  }

  @Test func blendedRenditionsHaveTheirStagesTwice() throws {
    var filter = try DevelopPlanTests.pair()
    filter.extendedDynamicRangeAmount = 0.5
    let stages = try Self.digests(filter).map(\.stage)
    #expect(stages.contains("scene") && stages.contains("scene (2)"))
    #expect(Set(stages).count == stages.count && stages.last == "range blend")
  }
}

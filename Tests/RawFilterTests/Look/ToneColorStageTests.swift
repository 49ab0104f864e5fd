import Foundation
import HDRRender
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter

/// Laws of the stage for any of its settings.
@Suite struct ToneColorStageTests {
  /// Settings at their extremes, one for each part of the look.
  static let looks: [(name: String, change: @Sendable (inout LookSettings) -> Void)] = [
    ("tones up", { ($0.contrast, $0.highlights, $0.shadows) = (1, 1, 1) }),
    ("tones down", { ($0.contrast, $0.highlights, $0.whites, $0.blacks) = (-1, -1, -1, -1) }),
    ("white up", { ($0.whites, $0.blacks) = (1, 1) }),
    ("color", { ($0.saturation, $0.vibrance, $0.mixer[.red].luminance) = (1, 1, 1) }),
    ("black and white", { ($0.isBlackAndWhiteEnabled, $0.mixer[.orange].gray) = (true, 1) }),
    ("grading", { ($0.grading.highlights.saturation, $0.grading.global.luminance) = (1, 1) }),
  ]

  @Test(arguments: looks.indices) func isTheSameHoweverItIsCut(index: Int) throws {
    let source = DetailFixture.busy
    var look = LookSettings()
    Self.looks[index].change(&look)
    let stage = ToneColorStage(look, peak: source.info.peak).applied(to: source)
    #expect(try DetailFixture.cutDependence(stage) == 0)
    let after = try DetailFixture.read(stage)
    #expect(DetailFixture.isFinite(after))
    #expect(DetailFixture.differences(after, source) > 0)
    #expect(try after.lightStatistics().contentHeadroom <= after.info.peak * 1.00001)
  }

  @Test func neutralReturnsTheSourceItself() throws {
    let stage = ToneColorStage(LookSettings(), peak: 2).applied(to: DetailFixture.busy)
    #expect(stage is Image<SceneLinear>)
  }

  // MARK: Headroom

  /// Adjustments in the full pipeline: of the scene, and after the tone curve.
  static let others: [(name: String, change: @Sendable (inout LookSettings) -> Void)] = [
    ("finish", { ($0.vignette.amount, $0.grain.amount) = (1, 1) }),
    (
      "curves",
      {
        $0.toneCurve.points = [SIMD2(0, 0.05), SIMD2(0.4, 0.6), SIMD2(1, 1)]
        $0.blueToneCurve.points = [SIMD2(0, 0.1), SIMD2(1, 0.8)]
      }
    ),
  ]
  static let all = looks + others

  /// Amount 0 stays within white, amount e within headroom^e, and what the tone curve brings to at
  /// most 17 % of white does not depend on the amount.
  @Test(arguments: all.indices) func headroomFollowsTheAmount(index: Int) throws {
    try Self.headroomFollows { Self.all[index].change(&$0.settings.look) }
  }

  @Test(arguments: LookSpace.allCases) func headroomFollowsWithALook(space: LookSpace) throws {
    let look = try LookFixture.cube { SIMD3($0.x, $0.y * 0.9, $0.z * $0.z) + SIMD3(0.05, 0, 0) }
    defer { LookFixture.remove(look) }
    try Self.headroomFollows { ($0.lutPath, $0.lutSpace) = (look.path, space) }
  }

  private static func headroomFollows(_ change: (inout RAWFilter) -> Void) throws {
    var filter = try RAWFilter(data: RAWFilterDetailTests.file(shotNoise: 1e-4))
    filter.exposure = 2
    // Which colors are mapped depends on the headroom.
    filter.isGamutMappingEnabled = false
    change(&filter)
    // What the tone curve makes, without what is behind it.
    var toned = filter
    (toned.lutPath, toned.toneCurve, toned.blueToneCurve) = (nil, PointCurve(), PointCurve())
    let before = try toned.outputImage().image
    var pictures: [RAWImage] = []
    for amount: Float in [0, 0.5, 1] {
      filter.extendedDynamicRangeAmount = amount
      let picture = try filter.outputImage()
      #expect(picture.fileHeadroom > 1 && picture.fileHeadroom <= Headroom.maximum)
      #expect(picture.contentHeadroom <= pow(picture.fileHeadroom, amount) * 1.00001)
      pictures.append(picture)
    }
    let (standard, high) = (pictures[0].image, pictures[2].image)
    for y in 0..<standard.size.height {
      for x in 0..<standard.size.width where before[x, y].max() < 0.17 {
        #expect(abs(high[x, y].max() - standard[x, y].max()) < 1e-5)
      }
    }
  }

  // MARK: The filter

  /// Groups are set number by number: what is outside is clamped, what is no number ignored.
  @Test func groupsAreClamped() throws {
    var filter = try RAWFilter(data: RAWFilterDetailTests.file())
    filter.colorMixer[.green].hue = 3
    filter.colorMixer[.green].saturation = .nan
    filter.colorGrading.shadows.hue = -5
    filter.vignette.midpoint = 7
    filter.grain.amount = .infinity
    #expect(filter.settings.look.mixer[.green].hue == 1)
    #expect(filter.settings.look.mixer[.green].saturation == 0)
    #expect(filter.settings.look.grading.shadows.hue == 0)
    #expect(filter.vignette.midpoint == 1 && filter.grain.amount == 0)
    try filter.settings.validate()
  }

  /// The tones that adjustments are relative to depend on the scene, not on size, amount or
  /// exposure, and nothing is measured where nothing is placed.
  @Test func tonesAreMeasuredOnce() throws {
    var filter = try RAWFilter(data: RAWFilterDetailTests.file())
    filter.shadows = 1
    _ = try filter.plan()
    #expect(filter.picture.cache.found(.sceneTones) == 0)
    filter.blacks = -1
    _ = try filter.plan()
    let one = filter.picture.cache.found(.sceneTones)
    (filter.contrast, filter.whites, filter.exposure) = (0.5, 0.5, 1)
    (filter.scaleFactor, filter.extendedDynamicRangeAmount) = (0.5, 1)
    (filter.localToneMapAmount, filter.sharpnessAmount) = (1, 0)
    _ = try filter.plan()
    #expect(one == 1 && filter.picture.cache.found(.sceneTones) == 1)
    filter.neutralTemperature = 3000
    _ = try filter.plan()
    #expect(filter.picture.cache.found(.sceneTones) == 2)
  }

  @Test func aLocalToneMapIsMeasuredOnce() throws {
    var filter = try RAWFilter(data: RAWFilterDetailTests.file())
    filter.localToneMapAmount = 0.5
    _ = try filter.plan()
    let found = filter.picture.cache.found(.localTone)
    (filter.contrast, filter.saturation, filter.grain.amount) = (0.5, 0.5, 0.5)
    (filter.orientation, filter.boostShadowAmount, filter.defringeAmount) = (.left, 1.5, 0.5)
    _ = try filter.plan()
    #expect(filter.picture.cache.found(.localTone) == found)
  }
}

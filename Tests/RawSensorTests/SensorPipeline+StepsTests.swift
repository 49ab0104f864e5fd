import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct SensorPipelineStepsTests {
  private static let balance = SIMD4<Float>(1.9, 1, 1.4, 1.2)

  private static func pipeline(_ cfa: CFA, _ settings: SensorSettings) throws -> SensorPipeline {
    let data = SensorFixture.sensor(207, 90, cfa) { SensorFixture.busy($0, $1, $2) }
    return try SensorPipeline(data, balance: balance, settings: settings, workers: 1)
  }

  @Test(arguments: [SensorFixture.bayers[0], SensorFixture.xTrans()])
  func stepsAreThoseThatAreTaken(cfa: CFA) throws {
    let all = try Self.pipeline(
      cfa, SensorSettings(highlights: .clipped, defects: .byNoise(NoiseFixture.model)))
    #expect(all.steps.map(\.step) == [.levels, .defects, .highlights])
    #expect(all.lastStep == .demosaic)
    let few = try Self.pipeline(cfa, SensorSettings(highlights: .kept, defects: .kept))
    #expect(few.steps.map(\.step) == [.levels])
    // At its own resolution, however much the picture is reduced.
    let reduced = try all.at(.reduced)
    #expect(reduced.steps.map(\.picture.size) == all.steps.map(\.picture.size))
  }

  @Test(arguments: [SensorFixture.bayers[0], SensorFixture.xTrans()])
  func levelsAreTheBalancedSamples(cfa: CFA) throws {
    let pipeline = try Self.pipeline(cfa, SensorSettings(highlights: .clipped))
    let picture = try Image(rendering: pipeline.steps[0].picture, workers: 1)
    var differing = 0
    for y in 0..<picture.size.height {
      for x in 0..<picture.size.width {
        let channel = cfa.channel(x: x, y: y)
        let sample = SensorFixture.busy(x, y, channel) * Self.balance[channel]
        let pixel = picture[x, y]
        if pixel != SIMD3(repeating: pixel.x) || abs(pixel.x - sample) > 1e-5 { differing += 1 }
      }
    }
    #expect(differing == 0)
  }

  @Test(arguments: [SensorFixture.bayers[0], SensorFixture.xTrans()])
  func stepsAreTheSameInAnyRectangles(cfa: CFA) throws {
    let pipeline = try Self.pipeline(cfa, SensorSettings(highlights: .clipped))
    let full = try PlanarBuffer(size: pipeline.size)
    for (step, picture) in pipeline.steps {
      try picture.read(PixelRect(picture.size), into: full)
      let parts = try Image(rendering: picture, bandHeight: 7, workers: 3)
      let isSame = (0..<picture.size.height).allSatisfy { y in
        (0..<picture.size.width).allSatisfy { parts[$0, y].x == full.row(0, y)[$0] }
      }
      #expect(isSame, "\(step)")
    }
  }

  @Test func linearPicturesHaveNoDemosaic() throws {
    let samples = try RawSamples(of: Float.self, stride: 60, rows: 12) { out in
      for i in 0..<720 { out[i] = SensorFixture.hash(i, 0) }
    }
    let data = SensorData(
      size: PixelSize(width: 20, height: 12), layout: .linear, samples: samples,
      levels: SensorLevels(
        patternWidth: 1, patternHeight: 1, black: [0, 0, 0], scale: SIMD4(repeating: 1)))
    func pipeline(_ highlights: SensorSettings.Highlights) throws -> SensorPipeline {
      try SensorPipeline(
        data, balance: SIMD4(repeating: 1), settings: SensorSettings(highlights: highlights))
    }
    let clipped = try pipeline(.clipped)
    #expect(clipped.steps.map(\.step) == [.levels] && clipped.lastStep == .highlights)
    let kept = try pipeline(.kept)
    #expect(kept.steps.isEmpty && kept.lastStep == .levels)
  }
}

import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct LinearPixelsTests {
  private func data(_ pixel: (Int, Int) -> SIMD3<Float>) throws -> SensorData {
    let samples = try RawSamples(of: Float.self, stride: 60, rows: 12) { out in
      for y in 0..<12 {
        for x in 0..<20 { for c in 0..<3 { out[y * 60 + 3 * x + c] = pixel(x, y)[c] } }
      }
    }
    return SensorData(
      size: PixelSize(width: 20, height: 12), layout: .linear, samples: samples,
      levels: SensorLevels(
        patternWidth: 1, patternHeight: 1, black: [0, 0, 0], scale: SIMD4(repeating: 1)))
  }

  private let balance = SIMD4<Float>(2, 1, 1.5, 1)

  @Test func unsaturatedPixelsPassUnchanged() throws {
    let data = try data { x, y in
      SIMD3(
        SensorFixture.hash(x, y, 1) - 0.1, SensorFixture.hash(x, y, 2) - 0.1,
        SensorFixture.hash(x, y, 3) - 0.1)
    }
    for recovery in [true, false] {
      let picture = try SensorFixture.picture(
        data, SensorSettings(highlights: recovery ? .guided : .clipped))
      for y in 0..<12 {
        for x in 0..<20 {
          for c in 0..<3 {
            #expect(picture[x, y][c] == data.samples.floats(row: y)[3 * x + c])
          }
        }
      }
    }
  }

  @Test func saturationEndsNeutral() throws {
    let data = try data { x, _ in x < 10 ? SIMD3(0.6, 0.3, 0.3) : SIMD3(1, 1, 1) }
    let on = try SensorFixture.picture(data, balance: balance)
    #expect(on[15, 5] == SIMD3(2, 2, 2))
    #expect(on[5, 5].x == 1.2)
    let off = try SensorFixture.picture(
      data, balance: balance, SensorSettings(highlights: .clipped))
    #expect(off[15, 5] == SIMD3(1, 1, 1))
    #expect(off[9, 5].x == 1 && off[8, 5].x == 1.2)
    let pipeline = try SensorPipeline(data, balance: balance, settings: SensorSettings())
    #expect(pipeline.clippedFraction == SIMD4(0.5, 0.5, 0.5, 0))
  }

  @Test func highDynamicRangeStays() throws {
    let data = try data { x, _ in x < 10 ? SIMD3(0.6, 0.3, 0.3) : SIMD3(1.2, 1.1, 1) }
    for highlights in [SensorSettings.Highlights.guided, .clipped] {
      let settings = SensorSettings(highlights: highlights)
      let picture = try SensorFixture.picture(data, balance: balance, settings)
      #expect(picture[15, 5] == SIMD3(1.2 * 2, 1.1, 1.5))
      let pipeline = try SensorPipeline(data, balance: balance, settings: settings)
      #expect(pipeline.clippedFraction == SIMD4())
    }
  }
}

import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawFilter

@Suite struct LocalMedianTests {
  private func detail(
    _ width: Int, _ height: Int, workers: Int = 2, _ value: (Int, Int) -> Float
  ) throws -> [[Float]] {
    let (plane, out) = (TilePlane(), TilePlane())
    try plane.reshape(PixelRect(x: 0, y: 0, width: width, height: height))
    for y in 0..<height { for x in 0..<width { plane.row(y)[x] = value(x, y) } }
    try LocalMedian.detail(of: plane, into: out, workers: workers)
    return (0..<height).map { y in (0..<width).map { out.row(y)[$0] } }
  }

  private func largest(_ rows: [[Float]]) -> Float { rows.joined().map { abs($0) }.max() ?? 0 }

  @Test(arguments: [(1, 1), (2, 5), (17, 60)], [Float(0), -11.97, 15.93])
  func constantsHaveNone(size: (Int, Int), value: Float) throws {
    #expect(try largest(detail(size.0, size.1) { _, _ in value }) == 0)
  }

  /// Whatever rises without turning, at whatever height and angle, has no detail.
  @Test(arguments: [Float(0.1), 0.3, 0.5, 0.9, 1.1, 2, 6])
  func stepsAndRampsHaveNone(height: Float) throws {
    let step = try detail(160, 80) { x, _ in x < 81 ? -3 : -3 + height }
    let turned = try detail(120, 120) { x, y in 3 * (x - 60) + 2 * (y - 60) < 1 ? -3 : -3 + height }
    let stairs = try detail(240, 80) { x, _ in Float(x / 24) * height - 9 }
    let ramp = try detail(240, 80) { x, y in (Float(x) + Float(y) / 2) * height * 0.01 - 9 }
    let worst = [step, turned, stairs, ramp].map(largest)
    print("step, turned, stairs, ramp of \(height) EV: \(worst)")
    #expect(worst[0] < 0.02 && worst[2] < 0.02 && worst[3] < 0.001, "\(worst)")
    // The corners of the samples along a turned edge stand out a little more.
    #expect(worst[1] < 0.06, "\(worst)")
  }

  /// Waves up to the size of the disc are detail nearly in full; smaller than `reach`, whatever
  /// their height.
  @Test(arguments: [Float(0.05), 0.3, 0.6], [6, 12, 24, 40])
  func wavesAreDetail(height: Float, period: Int) throws {
    let wave = { (x: Int, y: Int) -> Float in
      height / 2 * sin(Float(x) * 2 * .pi / Float(period)) * sin(Float(y) * 5 / Float(period)) - 2
    }
    let rows = try detail(160, 160, wave)
    var (common, power) = (0.0, 0.0)
    for y in 30..<130 {
      for x in 30..<130 {
        let value = Double(wave(x, y)) + 2
        common += value * Double(rows[y][x])
        power += value * value
      }
    }
    #expect(common / power > 0.8, "\(common / power)")
  }

  @Test func brightnessAndWorkersDoNotMatter() throws {
    let value = { (x: Int, y: Int) in (x > 30 ? Float(-2) : 1) + SensorFixture.hash(x, y) }
    let (one, four) = (try detail(60, 50, workers: 1, value), try detail(60, 50, workers: 4, value))
    #expect(one == four)
    let bright = try detail(60, 50) { value($0, $1) + 4 }
    #expect(zip(one.joined(), bright.joined()).allSatisfy { abs($0 - $1) < 1e-4 })
  }

  @Test func samplesArePairsOfTheDisc() {
    #expect(LocalMedian.samples.allSatisfy { $0.x * $0.x + $0.y * $0.y <= 25 * 25 })
    #expect(LocalMedian.samples.count <= 48)
  }
}

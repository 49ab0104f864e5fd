import Foundation
import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct NoiseOutliersTests {
  static let patterns = [
    SensorFixture.bayers[0], SensorFixture.bayers[1], SensorFixture.xTrans(),
    CFA(width: 2, height: 2, channels: [0, 1, 3, 2]), CFA(width: 1, height: 1, channels: [0]),
  ]
  private static let shot: Float = 2e-4
  private static let read: Float = 1e-6
  private static let model = NoiseModel(
    shot: SIMD3(repeating: shot), read: SIMD3(repeating: read), saturation: SIMD3(repeating: 1))

  private static func outliers(_ cfa: CFA, width: Int) throws -> NoiseOutliers {
    try NoiseOutliers(
      cfa, model.channels(balance: SIMD4(repeating: 1)), clip: SIMD4(repeating: 0.987),
      width: width)
  }

  /// A sensor with Poisson noise and normal read noise.
  private struct Sensor {
    var random: SeededRandom

    mutating func uniform() -> Float {
      Float.random(in: Float.leastNormalMagnitude..<1, using: &random)
    }
    mutating func normal() -> Float {
      (-2 * log(uniform())).squareRoot() * cos(2 * Float.pi * uniform())
    }
    mutating func recorded(_ value: Float) -> Float {
      let electrons = max(value, 0) / shot
      var counted = electrons + electrons.squareRoot() * normal()
      if electrons < 100 {
        (counted, _) = (0, 0)
        var sum = -log(uniform())
        while sum < electrons {
          counted += 1
          sum -= log(uniform())
        }
      }
      return counted * shot + read.squareRoot() * normal()
    }
  }

  /// A square of photosites with enough around it.
  private static func plane(_ side: Int, _ value: (Int, Int) -> Float) throws -> TilePlane {
    let plane = TilePlane()
    try plane.reshape(PixelRect(x: 0, y: 0, width: side, height: side).expanded(by: 8))
    for y in -8..<side + 8 {
      for x in -8..<side + 8 { plane.row(y)[x + 8] = value(x, y) }
    }
    return plane
  }

  private static func repaired(_ plane: TilePlane, _ cfa: CFA) throws -> [DefectRepair] {
    var repairs: [DefectRepair] = []
    let side = plane.rect.width - 16
    try outliers(cfa, width: side).repair(
      plane, within: PixelRect(x: 0, y: 0, width: side, height: side), from: 0, repairs: &repairs)
    // With the values now in the plane.
    return repairs.map { DefectRepair(x: $0.x, y: $0.y, value: plane.row($0.y)[$0.x + 8]) }
  }

  struct Star {
    let x: Float
    let y: Float
    let peak: Float
    let tint: SIMD4<Float>
  }

  /// Stars of all brightnesses above 5 standard deviations of the sky's noise, white, blue and red,
  /// anywhere between the photosites: fewer than one of 200 loses half its flux.
  @Test(arguments: patterns, [Float(1.5), 2, 2.5])
  func starsKeepTheirLight(cfa: CFA, width fwhm: Float) throws {
    var sensor = Sensor(random: SeededRandom(seed: 7))
    let (rows, step, sky): (Int, Int, Float) = (40, 20, 0.01)
    let deviation = (Self.shot * sky + Self.read).squareRoot()
    let stars = (0..<rows * rows).map { i in
      Star(
        x: Float(i % rows * step + step / 2) + sensor.uniform() * 4,
        y: Float(i / rows * step + step / 2) + sensor.uniform() * 4,
        peak: deviation * 5 * pow(40, sensor.uniform()),
        tint: SIMD4(0.7 + 0.9 * sensor.uniform(), 1, 0.5 + 0.9 * sensor.uniform(), 1))
    }
    let perSquare = 4 * Float(0.693_147) / (fwhm * fwhm)
    let plane = try Self.plane(rows * step) { x, y in
      let index = min(max(y / step, 0), rows - 1) * rows + min(max(x / step, 0), rows - 1)
      let star = stars[index]
      let (dx, dy) = (Float(x) - star.x, Float(y) - star.y)
      let tint = star.tint[cfa.channel(at: x, y)]
      return sensor.recorded(sky + tint * star.peak * exp(-perSquare * (dx * dx + dy * dy)))
    }
    let before = try Self.plane(rows * step) { x, y in plane.row(y)[x + 8] }
    let repairs = try Self.repaired(plane, cfa)
    let lost = stars.filter { star in
      let (left, top) = (Int(star.x.rounded()) - 4, Int(star.y.rounded()) - 4)
      var (flux, taken): (Float, Float) = (0, 0)
      for y in top..<top + 9 {
        for x in left..<left + 9 {
          let (dx, dy) = (Float(x) - star.x, Float(y) - star.y)
          flux +=
            star.tint[cfa.channel(at: x, y)] * star.peak * exp(-perSquare * (dx * dx + dy * dy))
        }
      }
      for repair in repairs
      where repair.x >= left && repair.x < left + 9 && repair.y >= top && repair.y < top + 9 {
        taken += before.row(repair.y)[repair.x + 8] - repair.value
      }
      return abs(taken) > 0.5 * flux
    }.count
    #expect(Double(lost) < 0.005 * Double(stars.count), "\(lost) of \(stars.count)")
  }

  /// Photosites `excess` standard deviations above an even field, alone or in pairs.
  @Test(
    arguments: patterns,
    [(Float(10), 1, 0.95), (30, 1, 0.97), (-20, 1, 0.95), (10, 2, 0.8), (30, 2, 0.95)])
  func defectsAreFound(cfa: CFA, defect: (excess: Float, count: Int, fraction: Double)) throws {
    var sensor = Sensor(random: SeededRandom(seed: 3))
    let (rows, step, level): (Int, Int, Float) = (40, 16, 0.05)
    let deviation = (Self.shot * level + Self.read).squareRoot()
    var defects: Set<SIMD2<Int>> = []
    for i in 0..<rows * rows {
      let x = i % rows * step + 6 + Int(sensor.uniform() * 5)
      let y = i / rows * step + 6 + Int(sensor.uniform() * 5)
      for k in 0..<defect.count { defects.insert(SIMD2(x + k, y)) }
    }
    let plane = try Self.plane(rows * step) { x, y in
      sensor.recorded(level)
        + (defects.contains(SIMD2(x, y)) ? defect.excess * deviation : 0)
    }
    let found = try Self.repaired(plane, cfa)
    let right = found.filter { defects.contains(SIMD2($0.x, $0.y)) }
    let fraction = Double(right.count) / Double(defects.count)
    #expect(fraction > defect.fraction, "\(fraction) of \(defects.count)")
    #expect(found.count - right.count <= 8, "\(found.count - right.count) false")
    #expect(right.allSatisfy { abs($0.value - level) < 4 * deviation })
  }

  @Test(arguments: patterns)
  func textureAndEdgesAreUntouched(cfa: CFA) throws {
    let scenes: [(Int, Int, Int) -> Float] = [
      { x, y, c in DemosaicQualityTests.truth(x, y)[min(c, 2)] },
      { x, y, c in 0.8 * SensorFixture.busy(x, y, c) },
    ]
    for scene in scenes {
      var sensor = Sensor(random: SeededRandom(seed: 5))
      let plane = try Self.plane(512) { x, y in
        sensor.recorded(scene(abs(x), abs(y), cfa.channel(at: x, y)))
      }
      let found = try Self.repaired(plane, cfa).count
      #expect(found <= 8, "\(found) of \(512 * 512)")
    }
  }

  @Test(arguments: patterns)
  func anyRectangleIsRepairedAlike(cfa: CFA) throws {
    let data = SensorFixture.sensor(300, 280, cfa) { x, y, c in
      SensorFixture.hash(x, y, 9) > 0.995
        ? SensorFixture.hash(x, y, 8) : 0.3 * SensorFixture.busy(x, y, c)
    }
    let pipeline = try SensorPipeline(
      data, balance: SIMD4(repeating: 1), settings: SensorSettings(defects: .byNoise(Self.model)))
    let cuts = NoiseFixture.cuts(pipeline.size)
    #expect(try NoiseFixture.differences(pipeline, in: cuts) == 0)
    let alone = try SensorPipeline(
      data, balance: SIMD4(repeating: 1), settings: SensorSettings(defects: .byNoise(Self.model)),
      workers: 1)
    #expect(
      try NoiseFixture.differences(NoiseFixture.rendered(pipeline), NoiseFixture.rendered(alone))
        == 0)
    let kept = try SensorPipeline(
      data, balance: SIMD4(repeating: 1), settings: SensorSettings(defects: .kept))
    #expect(
      try NoiseFixture.differences(NoiseFixture.rendered(pipeline), NoiseFixture.rendered(kept)) > 0
    )
  }

  /// Beside a saturated photosite a defect cannot be distinguished from a glint.
  @Test func nothingIsRepairedBesideSaturation() throws {
    let cfa = Self.patterns[0]
    let plane = try Self.plane(64) { x, y in cfa.channel(at: x, y) == 1 ? 1 : x == 20 ? 0.9 : 0.5 }
    plane.row(20)[28] = 0.8
    #expect(try Self.repaired(plane, cfa).isEmpty)
  }
}

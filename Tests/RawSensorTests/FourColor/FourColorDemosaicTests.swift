import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct FourColorDemosaicTests {
  /// A sensor of four colors: the responses of its channels to linear BT.2020, equal for a neutral,
  /// and the matrix that converts them back to BT.2020.
  struct Sensor: Sendable {
    let cfa: CFA
    let answers: [SIMD3<Float>]
    let matrix: [Double]

    /// `fromXYZ`: XYZ to camera, row by row.
    init(_ channels: [UInt8], _ fromXYZ: [Double]) {
      cfa = CFA(width: 2, height: 2, channels: channels)
      let fromRGB = Primaries.bt2020.toXYZ.rows
      let rows = (0..<4).map { c -> SIMD3<Double> in
        let row = (0..<3).reduce(SIMD3<Double>()) { $0 + fromRGB[$1] * fromXYZ[3 * c + $1] }
        return row / row.sum()
      }
      answers = rows.map { SIMD3<Float>($0) }
      var square = Matrix3(diagonal: SIMD3())
      for i in 0..<3 { for j in 0..<3 { square[i, j] = rows.reduce(0) { $0 + $1[i] * $1[j] } } }
      let inverse = square.inverse ?? .identity
      matrix = (0..<3).flatMap { r in rows.map { (inverse * $0)[r] } }
    }

    func response(_ rgb: SIMD3<Float>, _ channel: Int) -> Float {
      max((answers[channel] * rgb).sum(), 0)
    }

    func settings(
      _ method: DemosaicMethod, _ highlights: SensorSettings.Highlights = .kept
    ) -> SensorSettings {
      SensorSettings(
        highlights: highlights, defects: .kept, method: method, fourColorToRGB: matrix)
    }
  }

  /// Near Sony's F828: red, green, blue, emerald.
  static let rgbe = Sensor(
    [0, 3, 1, 2],
    [0.79, -0.19, -0.08, -0.82, 1.55, 0.30, -0.15, 0.22, 0.68, -0.72, 1.14, 0.35])
  /// Near Canon's Pro90: green, magenta, cyan, yellow.
  static let cygm = Sensor(
    [0, 1, 3, 2],
    [-0.50, 0.99, 0.22, 0.46, -0.10, 0.43, -0.52, 1.00, 0.59, -0.18, 1.12, 0.06])
  static let sensors = [rgbe, cygm]

  /// PSNR of square roots of the three colors, 24 pixels cut off at the borders.
  static func quality(
    _ sensor: Sensor, _ method: DemosaicMethod, noise: Float = 0,
    _ scene: (Int, Int) -> SIMD3<Float>
  ) throws -> Double {
    let side = 384
    let data = SensorFixture.sensor(side, side, sensor.cfa) { x, y, c in
      let value = sensor.response(scene(x, y), c)
      return value + noise * value.squareRoot() * SensorFixture.noise(x, y)
    }
    let picture = try SensorFixture.picture(data, sensor.settings(method))
    let matrix = ChannelMatrix(sensor.matrix)
    var sum = 0.0
    for y in 24..<side - 24 {
      for x in 24..<side - 24 {
        let value = (0..<4).map { sensor.response(scene(x, y), $0) }
        let truth = matrix.apply(SIMD4(value))
        for c in 0..<3 {
          let d = max(picture[x, y][c], 0).squareRoot() - max(truth[c], 0).squareRoot()
          sum += Double(d * d)
        }
      }
    }
    return -10 * log10(sum / Double((side - 48) * (side - 48) * 3))
  }

  @Test(arguments: sensors)
  func beatsBilinear(sensor: Sensor) throws {
    let scene = { DemosaicQualityTests.truth($0, $1) * 0.9 }
    for noise: Float in [0, 0.04] {
      let bilinear = try Self.quality(sensor, .fast, noise: noise, scene)
      let best = try Self.quality(sensor, .best, noise: noise, scene)
      #expect(best > bilinear + 6, "\(best) \(bilinear)")
    }
  }

  @Test func isNearBayer() throws {
    let best = try Self.quality(Self.rgbe, .best) { DemosaicQualityTests.truth($0, $1) * 0.9 }
    let bayer = try DemosaicQualityTests.cpsnr(
      SensorFixture.bayers[0], DemosaicQualityTests.settings(.best))
    #expect(best > bayer - 2, "\(best) \(bayer)")
  }

  @Test(arguments: sensors)
  func flatColorsAreExact(sensor: Sensor) throws {
    for rgb: SIMD3<Float> in [[0.5, 0.4, 0.3], [0.1, 0.5, 0.2], [0.01, 0.02, 0.03], [0, 0, 0]] {
      let data = SensorFixture.sensor(90, 70, sensor.cfa) { sensor.response(rgb, $2) }
      let picture = try SensorFixture.picture(data, sensor.settings(.best))
      var worst: Float = 0
      for y in 0..<70 {
        for x in 0..<90 { for c in 0..<3 { worst = max(worst, abs(picture[x, y][c] - rgb[c])) } }
      }
      #expect(worst < 4e-6, "\(rgb): \(worst)")
    }
  }

  /// Where brightness changes and color does not, the ratio is exact.
  @Test(arguments: sensors)
  func slopesAreNearlyExact(sensor: Sensor) throws {
    let scene: (Int, Int) -> SIMD3<Float> = { x, y in
      SIMD3(0.4, 0.3, 0.2) * (0.5 + 0.004 * Float(x) + 0.002 * Float(y))
    }
    let data = SensorFixture.sensor(128, 96, sensor.cfa) { x, y, c in
      sensor.response(scene(x, y), c)
    }
    var settings = sensor.settings(.best)
    settings.domain = .linear
    let picture = try SensorFixture.picture(data, settings)
    var worst: Float = 0
    for y in 24..<72 {
      for x in 24..<104 {
        for c in 0..<3 { worst = max(worst, abs(picture[x, y][c] / scene(x, y)[c] - 1)) }
      }
    }
    #expect(worst < 1e-3, "\(worst)")
  }

  /// With a matrix that shows one channel, its photosites have their measured values.
  @Test(arguments: sensors)
  func measuredChannelsKeepTheirValues(sensor: Sensor) throws {
    let data = SensorFixture.sensor(80, 60, sensor.cfa, scene: SensorFixture.busy)
    for shown in 0..<4 {
      var settings = sensor.settings(.best)
      // The pair is the same: the matrix differs by next to nothing in the other two rows.
      settings.fourColorToRGB.replaceSubrange(0..<4, with: (0..<4).map { $0 == shown ? 1 : 0 })
      let picture = try SensorFixture.picture(data, settings)
      var worst: Float = 0
      for y in 0..<60 {
        for x in 0..<80 where sensor.cfa.channel(x: x, y: y) == shown {
          worst = max(worst, abs(picture[x, y].x - SensorFixture.busy(x, y, shown)))
        }
      }
      #expect(worst < 2e-5, "\(shown): \(worst)")
    }
  }

  @Test(arguments: sensors)
  func anyRectangleHoldsTheSamePixels(sensor: Sensor) throws {
    for highlights in [SensorSettings.Highlights.guided, .clipped] {
      let data = SensorFixture.sensor(801, 300, sensor.cfa, scene: SensorFixture.busy)
      let pipeline = try SensorPipeline(
        data, balance: SIMD4(1.9, 1, 1.4, 1.2), settings: sensor.settings(.best, highlights))
      #expect(try NoiseFixture.differences(pipeline, in: NoiseFixture.cuts(pipeline.size)) == 0)
    }
  }

  /// Lamps that saturate emerald first, or green, on a colored wall: colors around the saturated
  /// areas, as fractions of the sum, have no larger error than with bilinear interpolation; a
  /// reconstructed channel may add four thousandths at one pixel, clipped ones that on average.
  @Test(
    arguments: [SIMD4<Float>(1.3, 1.3, 1.3, 1), SIMD4(1.3, 1, 1.3, 1.3)],
    [SensorSettings.Highlights.guided, .clipped])
  func noRingAroundSaturatedAreas(
    balance: SIMD4<Float>, highlights: SensorSettings.Highlights
  ) throws {
    let side = 192
    let sensor = Self.rgbe
    let scene: (Int, Int) -> SIMD3<Float> = { x, y in
      let (dx, dy) = (Float(x % 96) - 48, Float(y % 96) - 48)
      return SIMD3(0.9, 1, 0.95) * (1.5 * exp(-(dx * dx + dy * dy) / 300))
        + SIMD3(0.12, 0.3, 0.5)
    }
    let data = SensorFixture.sensor(side, side, sensor.cfa) { x, y, c in
      min(sensor.response(scene(x, y), c) / balance[c], 1)
    }
    func isSaturated(_ x: Int, _ y: Int) -> Bool {
      (0..<4).contains { sensor.response(scene(x, y), $0) >= balance[$0] }
    }
    func error(_ method: DemosaicMethod) throws -> (mean: Float, worst: Float) {
      let picture = try SensorFixture.picture(
        data, balance: balance, sensor.settings(method, highlights))
      var (sum, count, worst): (Float, Float, Float) = (0, 0, 0)
      for y in 24..<side - 24 {
        for x in 24..<side - 24 where !isSaturated(x, y) {
          let isNear = (-10...10).contains { isSaturated(x + $0, y) || isSaturated(x, y + $0) }
          guard isNear else { continue }
          let (p, t) = (picture[x, y], scene(x, y))
          let off = p / p.sum() - t / t.sum()
          let d = max(off.max(), -off.min())
          (sum, count, worst) = (sum + d, count + 1, max(worst, d))
        }
      }
      #expect(count > 500)
      return (sum / count, worst)
    }
    let (best, bilinear) = (try error(.best), try error(.fast))
    let (mean, worst): (Float, Float) =
      highlights == .guided ? (5e-4, 4e-3) : (4e-3, 0.012)
    #expect(best.mean < bilinear.mean + mean, "\(best) \(bilinear)")
    #expect(best.worst < bilinear.worst + worst, "\(best) \(bilinear)")
  }

  /// Patches of strong colors: the maze at their edges ends within six photosites, and including it
  /// the error is less than half of the error of bilinear interpolation.
  @Test(arguments: sensors)
  func evenPatchesStayEven(sensor: Sensor) throws {
    let palette: [SIMD3<Float>] = [
      [0.5, 0.45, 0.4], [0.4, 0.1, 0.08], [0.1, 0.15, 0.5], [0.1, 0.4, 0.1], [0.6, 0.5, 0.1],
      [0.08, 0.08, 0.08], [0.1, 0.4, 0.5], [0.7, 0.7, 0.7],
    ]
    let scene: (Int, Int) -> SIMD3<Float> = { x, y in palette[(x / 40 * 3 + y / 40 * 5) % 8] }
    let data = SensorFixture.sensor(240, 240, sensor.cfa) { sensor.response(scene($0, $1), $2) }
    /// Mean square within six photosites of an edge, and the largest of the others.
    func errors(_ method: DemosaicMethod) throws -> (rim: Float, inside: Float) {
      let picture = try SensorFixture.picture(data, sensor.settings(method))
      var (sum, count, worst): (Float, Float, Float) = (0, 0, 0)
      for y in 40..<200 {
        for x in 40..<200 {
          let isInside = (6..<34).contains(x % 40) && (6..<34).contains(y % 40)
          for c in 0..<3 {
            let d = max(picture[x, y][c], 0).squareRoot() - scene(x, y)[c].squareRoot()
            if isInside {
              worst = max(worst, abs(d))
            } else {
              (sum, count) = (sum + d * d, count + 1)
            }
          }
        }
      }
      return (sum / count, worst)
    }
    let (best, bilinear) = (try errors(.best), try errors(.fast))
    #expect(best.rim < bilinear.rim * 0.5, "\(best) \(bilinear)")
    #expect(best.inside < 2e-3, "\(best)")
  }

  /// Versions and methods with bilinear four colors are unchanged.
  @Test func methodsStayWhatTheyWere() throws {
    let sensor = Self.rgbe
    let data = SensorFixture.sensor(70, 50, sensor.cfa, scene: SensorFixture.busy)
    func bits(_ method: DemosaicMethod) throws -> [SIMD3<UInt32>] {
      let picture = try SensorFixture.picture(data, sensor.settings(method))
      return (0..<70 * 50).map { i in
        let p = picture[i % 70, i / 70]
        return SIMD3(p.x.bitPattern, p.y.bitPattern, p.z.bitPattern)
      }
    }
    #expect(try bits(.automatic) == bits(.best))
    #expect(try bits(.best) != bits(.fast))
    #expect(try bits(.dual) == bits(.best))
  }
}

import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct LinearLevelsTests {
  @Test func blackPatternDeltasAndGainFollowTheFormula() throws {
    let (width, height) = (37, 20)
    let samples = try RawSamples(of: UInt16.self, stride: 40, rows: height) { out in
      for i in 0..<40 * height { out[i] = UInt16(100 + i % 900) }
    }
    let levels = SensorLevels(
      patternWidth: 2, patternHeight: 2, black: [100, 101, 102, 103],
      deltaColumn: (0..<width).map { Float($0) * 0.25 }, deltaRow: (0..<height).map { -Float($0) },
      scale: SIMD4(0.001, 0.002, 0.003, 0.004))
    let cfa = SensorFixture.bayers[1]
    let data = SensorData(
      size: PixelSize(width: width, height: height), layout: .mosaic(cfa), samples: samples,
      levels: levels)
    let plane = TilePlane()
    try plane.reshape(PixelRect(x: -4, y: -3, width: width + 9, height: height + 5))
    let stage = try LinearLevels(data, balance: SIMD4(2, 1, 1.5, 1))
    stage.load(plane)
    for y in -3..<height + 2 {
      for x in -4..<width + 5 {
        let sx = x < 0 ? -x : x >= width ? 2 * (width - 1) - x : x
        let sy = y < 0 ? -y : y >= height ? 2 * (height - 1) - y : y
        let stored = Float(100 + (sy * 40 + sx) % 900)
        let channel = cfa.channel(x: sx, y: sy)
        let black = levels.black[(sy % 2) * 2 + sx % 2] + Float(sx) * 0.25
        let gain = levels.scale[channel] * [2, 1, 1.5][channel]
        #expect(abs(plane.row(y)[x + 4] - (stored - black + Float(sy)) * gain) < 1e-6)
      }
    }
  }

  /// A constant black given as a high pattern takes no memory for each of its rows.
  @Test func equalRowsOfBlackAreOne() throws {
    let size = PixelSize(width: 40, height: 5)
    func levels(_ rows: Int, _ black: (Int) -> Float) throws -> LinearLevels {
      let data = try OpcodeFixture.data(size, .monochrome) { x, y, _ in UInt16(100 + x * y) }
      var levels = data.levels
      (levels.patternWidth, levels.patternHeight) = (2, rows)
      levels.black = (0..<2 * rows).map(black)
      return try LinearLevels(
        SensorData(size: size, layout: data.layout, samples: data.samples, levels: levels),
        balance: SIMD4(repeating: 1))
    }
    let (same, one) = (try levels(64) { Float(50 + $0 % 2) }, try levels(1) { Float(50 + $0) })
    let other = try levels(64) { Float(50 + $0 / 2) }
    #expect(same.blackRows == 1 && other.blackRows == 64)
    var (first, second) = ([Float](repeating: 0, count: 40), [Float](repeating: 0, count: 40))
    for y in 0..<5 {
      same.fill(row: y, into: &first)
      one.fill(row: y, into: &second)
      #expect(first == second)
      other.fill(row: y, into: &first)
      #expect(abs(first[7] * 65535 - Float(50 + 7 * y - y)) < 0.01)
    }
  }

  @Test func monochromeGivesThreeEqualChannelsBitForBit() throws {
    let data = SensorFixture.sensor(50, 40, CFA(width: 1, height: 1, channels: [0])) { x, y, _ in
      0.3 + 0.01 * SensorFixture.noise(x, y)
    }
    let gray = SensorData(
      size: data.size, layout: .monochrome, samples: data.samples, levels: data.levels)
    let picture = try SensorFixture.picture(gray)
    for y in 0..<40 {
      for x in 0..<50 {
        #expect(picture[x, y] == SIMD3(repeating: data.samples.floats(row: y)[x]))
      }
    }
  }

  /// Nothing is interpolated without filters: levels apart, each pixel is its own photosite,
  /// whatever the method, also in detail of one photosite.
  @Test func monochromeIsNeverDemosaiced() throws {
    let (width, height) = (61, 47)
    let samples = try RawSamples(of: UInt16.self, stride: width, rows: height) { out in
      for i in 0..<width * height {
        out[i] = UInt16(300 + 3000 * SensorFixture.hash(i % width, i / width))
      }
    }
    let data = SensorData(
      size: PixelSize(width: width, height: height), layout: .monochrome, samples: samples,
      levels: SensorLevels(
        patternWidth: 1, patternHeight: 1, black: [256], scale: SIMD4(repeating: 1 / 4096)))
    let plane = TilePlane()
    try plane.reshape(PixelRect(data.size))
    try LinearLevels(data, balance: SIMD4(repeating: 1)).load(plane)
    let noise = NoiseModel(shot: 1e-3, read: 1e-6, balance: SIMD4(repeating: 1))
    for method in DemosaicMethod.allCases {
      let picture = try SensorFixture.picture(
        data, SensorSettings(defects: .kept, method: method, noise: noise))
      var differences = 0
      for y in 0..<height {
        for x in 0..<width where picture[x, y] != SIMD3(repeating: plane.row(y)[x]) {
          differences += 1
        }
      }
      #expect(differences == 0, "\(method)")
    }
    #expect(plane.row(0)[0] == (Float(UInt16(300 + 3000 * SensorFixture.hash(0, 0))) - 256) / 4096)
  }

  @Test func fourColorsFoldByTheMatrixGiven() throws {
    let cfa = CFA(width: 2, height: 2, channels: [0, 1, 3, 2])
    let data = SensorFixture.sensor(40, 40, cfa) { _, _, c in [0.1, 0.2, 0.3, 0.4][c] }
    let matrix: [Double] = [1, 0, 0, 0.5, 0, 1, 0, -0.5, 0.25, 0.25, 0.25, 0.25]
    for resolution in [SensorSettings.Resolution.full, .reduced] {
      let picture = try SensorFixture.picture(
        data, SensorSettings(resolution: resolution, fourColorToRGB: matrix))
      let pixel = picture[9, 9] - SIMD3(0.3, 0, 0.25)
      #expect(abs(pixel.x) < 1e-6 && abs(pixel.y) < 1e-6 && abs(pixel.z) < 1e-6)
    }
  }
}

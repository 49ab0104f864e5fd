import ImageCore
import Testing

@testable import SyntheticRaw

@Suite("Simulated sensor")
struct SimulatedSensorTests {
  private var bare: SimulatedSensor {
    var sensor = SimulatedSensor()
    sensor.border = PixelSize(width: 0, height: 0)
    sensor.cropMargin = 0
    sensor.defectCount = 0
    sensor.shotNoise = 0
    sensor.readNoise = 0
    return sensor
  }

  @Test("answers a neutral with the file's AsShotNeutral at the file's exposure")
  func neutral() {
    let file = bare.expose(size: PixelSize(width: 4, height: 4)) { _, _ in SIMD3(1, 1, 1) }
    let range = 16_000 - 512.75
    let black = [512.5, 511.75, 512, 512.75]
    for y in 0..<4 {
      for x in 0..<4 {
        let c = MosaicPattern.bayer(.rggb).channel(x: x, y: y)
        let expected = black[(y & 1) * 2 + (x & 1)] + range * 0.3535534 * file.asShotNeutral[c]
        #expect(abs(Double(file.samples[y * 4 + x]) - expected) <= 0.51)
      }
    }
    #expect(file.asShotNeutral.max() == 1)
    #expect(file.baselineExposure == SignedRational(3, 2))
  }

  @Test("describes itself: the file's matrices turn camera values into the scene again")
  func consistent() throws {
    let camera = SimulatedCamera.daylight
    let (toCamera, neutral) = camera.sceneToCamera(
      white: Chromaticity(x: 0.34011, y: 0.35409), kelvin: 5200)
    let first = try #require(camera.forwardMatrix1)
    let second = try #require(camera.forwardMatrix2)
    let g: Double = (1.0 / 5200 - 1.0 / 6500) / (1.0 / 2850 - 1.0 / 6500)
    let forward: Matrix3 = first * g + second * (1 - g)
    let toD65 = ChromaticAdaptation.bradford(from: .d50, to: .d65)
    let colors: [SIMD3<Double>] = [
      SIMD3(1, 1, 1), SIMD3(0.2, 0.5, 0.1), SIMD3(0.9, 0.1, 0.05), SIMD3(0.05, 0.1, 2),
    ]
    for color in colors {
      let xyz = forward * ((toCamera * color) / neutral)
      let back = Primaries.bt2020.fromXYZ * (toD65 * xyz)
      for c in 0..<3 { #expect(abs(back[c] - color[c]) < 3e-3) }
    }
  }

  @Test("has color matrices that agree with its forward matrices")
  func matrices() throws {
    let camera = SimulatedCamera.daylight
    let calibrations = [
      (camera.colorMatrix1, try #require(camera.forwardMatrix1), SimulatedCamera.illuminantA),
      (try #require(camera.colorMatrix2), try #require(camera.forwardMatrix2), Chromaticity.d65),
    ]
    for (color, forward, white) in calibrations {
      let neutral = color * white.xyz
      let adapted = color * ChromaticAdaptation.bradford(from: .d50, to: white)
      let product = forward * Matrix3(diagonal: SIMD3(1, 1, 1) / neutral) * adapted
      for r in 0..<3 {
        for c in 0..<3 { #expect(abs(product[r, c] - Matrix3.identity[r, c]) < 2e-3) }
      }
    }
  }

  @Test("clips full photosites at white and keeps dark ones near black")
  func clips() {
    var sensor = bare
    sensor.readNoise = 9e-8
    let file = sensor.expose(size: PixelSize(width: 16, height: 16)) { x, _ in
      x < 8 ? SIMD3(repeating: 16) : SIMD3()
    }
    for i in file.samples.indices {
      if i % 16 < 8 {
        #expect(file.samples[i] == 16_000)
      } else {
        #expect(abs(Int(file.samples[i]) - 512) < 30)
      }
    }
  }

  @Test("has the noise that its NoiseProfile states")
  func noise() {
    var sensor = bare
    (sensor.shotNoise, sensor.readNoise) = (1e-4, 9e-8)
    sensor.blackQuarters = [2048, 2048, 2048, 2048]
    let file = sensor.expose(size: PixelSize(width: 128, height: 128)) { _, _ in
      SIMD3(repeating: 0.5)
    }
    let greens = file.samples.indices.filter { ($0 / 128 + $0 % 128) % 2 == 1 }
      .map { (Double(file.samples[$0]) - 512) / (16_000 - 512) }
    let mean = greens.reduce(0, +) / Double(greens.count)
    let variance = greens.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(greens.count - 1)
    let profile = file.noiseProfile[1]
    #expect(abs(variance / (profile.x * mean + profile.y) - 1) < 0.06)
  }

  @Test("covers the border and sticks at its defects")
  func border() throws {
    var sensor = SimulatedSensor()
    sensor.border = PixelSize(width: 6, height: 4)
    let size = PixelSize(width: 40, height: 30)
    let file = sensor.expose(size: size) { _, _ in SIMD3(1, 1, 1) }
    let area = try #require(file.activeArea)
    #expect(file.size == PixelSize(width: 46, height: 34))
    for y in 0..<34 {
      for x in 0..<46 where x < area.x || y < area.y {
        #expect(abs(Int(file.samples[y * 46 + x]) - 512) < 30)
      }
    }
    for (i, point) in sensor.defects(in: size).enumerated() {
      let value = file.samples[(area.y + point.y) * 46 + area.x + point.x]
      #expect(value == (i % 3 == 0 ? 16_000 : 512))
    }
  }

  @Test("gives the same numbers on any number of threads")
  func threads() {
    let scene = SyntheticScene(size: PixelSize(width: 60, height: 40))
    #expect(
      SimulatedSensor().expose(scene, workers: 1).samples
        == SimulatedSensor().expose(scene, workers: 5).samples)
  }
}

@Suite("Mosaic pattern")
struct MosaicPatternTests {
  @Test("names its Bayer phases by their first two rows")
  func bayer() {
    #expect(MosaicPattern.bayer(.rggb).channels == [0, 1, 1, 2])
    #expect(MosaicPattern.bayer(.grbg).channels == [1, 0, 2, 1])
    #expect(MosaicPattern.bayer(.gbrg).channels == [1, 2, 0, 1])
    #expect(MosaicPattern.bayer(.bggr).channels == [2, 1, 1, 0])
  }

  @Test("shifts X-Trans as given")
  func xTrans() {
    let base = MosaicPattern.xTrans()
    #expect(base.channels.filter { $0 == 1 }.count == 20)
    #expect(base.channels.filter { $0 == 0 }.count == 8)
    for dy in 0..<6 {
      for dx in 0..<6 {
        let shifted = MosaicPattern.xTrans(x: dx, y: dy)
        for i in 0..<36 {
          #expect(shifted.channel(x: i % 6, y: i / 6) == base.channel(x: i % 6 + dx, y: i / 6 + dy))
        }
      }
    }
    #expect(base.channel(x: -1, y: -1) == base.channel(x: 5, y: 5))
  }
}

public import ImageCore

/// A sensor that turns scene values into stored samples and the DNG that describes them.
///
/// A channel's value is x = 2^−exposure · (camera matrix · light), clipped at 1 where the
/// photosite is full. Noise is Poisson–Gaussian in its normal approximation, variance S·x + O
/// (Foi et al. 2008; NoiseProfile of DNG). Stored is round(black + x · (white − highest black)).
public struct SimulatedSensor: Sendable {
  /// Filters over the photosites; nil stores all three channels of each pixel.
  public var pattern: MosaicPattern? = .bayer(.rggb)
  /// Color of the camera.
  public var camera = SimulatedCamera.daylight
  /// Chromaticity of the illuminant.
  public var white = Chromaticity(x: 0.34011, y: 0.35409)
  /// Correlated color temperature of the illuminant, in kelvin.
  public var kelvin = 5200.0
  /// Stored level of full photosites.
  public var whiteLevel: UInt16 = 16_000
  /// Bits of a sample.
  public var bitsPerSample = 14
  /// Black in quarters of a count, two rows of two, from the first active pixel.
  public var blackQuarters: [UInt32] = [2050, 2047, 2048, 2051]
  /// S of the noise model, in full photosites.
  public var shotNoise: Float = 1e-4
  /// O of the noise model.
  public var readNoise: Float = 9e-8
  /// Seed of the noise and of the positions of defects.
  public var seed: UInt64 = 2020
  /// Photosites that are stuck: every third at full, the others at black.
  public var defectCount = 12
  /// Covered columns left of and rows above the active area.
  public var border = PixelSize(width: 24, height: 12)
  /// Active pixels outside the default crop, on each side.
  public var cropMargin = 8
  /// Sample points along each side of a pixel that are averaged.
  public var samplesPerAxis = 2

  /// Stops between white in the scene and full photosites; the file's BaselineExposure, in halves.
  public static let exposureHalves: Int32 = 3
  /// 2^−1.5: what a white of 1.0 gives in the strongest channel.
  static let whiteFraction: Float = 0.353_553_4

  /// A sensor with these defaults.
  public init() {}

  /// The raw of a scene; its size is the active area.
  public func expose(_ scene: SyntheticScene, workers: Int = Parallel.defaultWorkers) -> DNGWriter {
    expose(size: scene.size, workers: workers) {
      scene.pixel(x: $0, y: $1, samples: samplesPerAxis)
    }
  }

  /// The raw of `light`, a function of column and row of the active area, linear BT.2020, 1.0 =
  /// white.
  public func expose(
    size: PixelSize, workers: Int = Parallel.defaultWorkers,
    light: @Sendable (_ x: Int, _ y: Int) -> SIMD3<Float>
  ) -> DNGWriter {
    let neutral = camera.sceneToCamera(white: white, kelvin: kelvin).1
    let frame = PixelSize(width: size.width + border.width, height: size.height + border.height)
    let area = PixelRect(x: border.width, y: border.height, width: size.width, height: size.height)
    var samples = self.samples(of: frame, area: area, workers: workers, light: light)
    if pattern != nil { addDefects(&samples, frame: frame, area: area) }
    var file = DNGWriter(
      size: frame, layout: pattern.map { .mosaic($0) } ?? .linear, samples: samples)
    describe(&file, area: area, neutral: neutral)
    return file
  }

  /// The stored samples of a frame of which `area` is exposed and the rest is covered.
  public func samples(
    of frame: PixelSize, area: PixelRect, workers: Int = Parallel.defaultWorkers,
    light: @Sendable (_ x: Int, _ y: Int) -> SIMD3<Float>
  ) -> [UInt16] {
    let (toCamera, _) = camera.sceneToCamera(white: white, kelvin: kelvin)
    let rows = ExposedRows(sensor: self, toCamera: toCamera, frame: frame, area: area)
    let exposed = certain {
      try Parallel.map(count: frame.height, workers: workers) { y in
        rows.row(y, light: light)
      }
    }
    var samples: [UInt16] = []
    samples.reserveCapacity(frame.area * (pattern == nil ? 3 : 1))
    for row in exposed { samples += row }
    return samples
  }

  /// Positions of stuck photosites in the active area of `size`.
  public func defects(in size: PixelSize) -> [PixelPoint] {
    (0..<defectCount).map { i in
      let bits = IntegerNoise.bits(UInt64(i), seed: seed ^ 0xDEFEC7)
      return PixelPoint(
        x: Int((bits >> 32) % UInt64(size.width)),
        y: Int((bits & 0xFFFF_FFFF) % UInt64(size.height)))
    }
  }

  private func addDefects(_ samples: inout [UInt16], frame: PixelSize, area: PixelRect) {
    for (i, point) in defects(in: area.size).enumerated() {
      let index = (area.y + point.y) * frame.width + area.x + point.x
      samples[index] = i % 3 == 0 ? whiteLevel : UInt16(blackQuarters[0] / 4)
    }
  }

  private func describe(_ file: inout DNGWriter, area: PixelRect, neutral: SIMD3<Double>) {
    file.bitsPerSample = bitsPerSample
    file.camera = camera
    file.asShotNeutral = neutral
    file.baselineExposure = SignedRational(Self.exposureHalves, 2)
    let n = pattern == nil ? 3 : 1
    file.black = DNGWriter.BlackPattern(
      width: 2, height: 2,
      levels: blackQuarters.flatMap { [Rational](repeating: Rational($0, 4), count: n) })
    file.white = [UInt32(whiteLevel)]
    if border.width > 0 || border.height > 0 { file.activeArea = area }
    if cropMargin > 0, area.width > 2 * cropMargin, area.height > 2 * cropMargin {
      file.defaultCrop = PixelRect(
        x: cropMargin, y: cropMargin, width: area.width - 2 * cropMargin,
        height: area.height - 2 * cropMargin)
    }
    file.noiseProfile = [SIMD2<Double>](
      repeating: SIMD2(Double(shotNoise), Double(readNoise)), count: 3)
  }
}

/// Turns scene values into the stored samples of a row.
private struct ExposedRows: Sendable {
  let sensor: SimulatedSensor
  let area: PixelRect
  let width: Int
  private let matrix: [Float]
  private let black: [Float]
  private let range: Float

  init(sensor: SimulatedSensor, toCamera: Matrix3, frame: PixelSize, area: PixelRect) {
    self.sensor = sensor
    self.area = area
    width = frame.width
    matrix = (0..<9).map { Float(toCamera[$0 / 3, $0 % 3]) * SimulatedSensor.whiteFraction }
    black = sensor.blackQuarters.map { Float($0) / 4 }
    range = Float(sensor.whiteLevel) - (black.max() ?? 0)
  }

  func row(_ y: Int, light: (_ x: Int, _ y: Int) -> SIMD3<Float>) -> [UInt16] {
    var row: [UInt16] = []
    row.reserveCapacity(width * (sensor.pattern == nil ? 3 : 1))
    for x in 0..<width {
      let (ax, ay) = (x - area.x, y - area.y)
      let isActive = ax >= 0 && ay >= 0 && ax < area.width && ay < area.height
      let incoming = isActive ? light(ax, ay) : SIMD3<Float>()
      // The period of black is even, so its phase may be taken from absolute values.
      let level = black[(ay & 1) * 2 + (ax & 1)]
      if let pattern = sensor.pattern {
        let c = pattern.channel(x: ax, y: ay)
        row.append(stored(response(incoming, c), level, draw: UInt64(y * width + x)))
      } else {
        for c in 0..<3 {
          row.append(
            stored(response(incoming, c), level, draw: UInt64((y * width + x) * 3 + c)))
        }
      }
    }
    return row
  }

  private func response(_ light: SIMD3<Float>, _ c: Int) -> Float {
    let value = matrix[3 * c] * light.x + matrix[3 * c + 1] * light.y + matrix[3 * c + 2] * light.z
    return max(0, value)
  }

  private func stored(_ x: Float, _ level: Float, draw: UInt64) -> UInt16 {
    let variance = sensor.shotNoise * min(1, x) + sensor.readNoise
    let noisy =
      variance > 0
      ? x + variance.squareRoot() * IntegerNoise.normal(draw, seed: sensor.seed) : x
    let count = (level + noisy * range).rounded()
    return UInt16(min(Float(sensor.whiteLevel), max(0, count)))
  }
}

import Foundation
public import ImageCore

/// Exposures of one scene by a camera that may be shaken, while something may move: brackets whose
/// linear values are known.
public struct ExposureBracket: Sendable {
  /// Columns and rows.
  public var size: PixelSize
  /// Number of frames.
  public var count = 3
  /// Stops between two of them.
  public var spacing = 2.0
  /// The farthest that a frame lies from the middle one, in photosites; 0 for a tripod.
  public var shake: Float = 0
  /// Whether a ball is elsewhere in each frame.
  public var moves = false
  /// The sensor; each frame has its noise.
  public var sensor = SimulatedSensor()

  /// Three frames of `size`, two stops apart, from a tripod.
  public init(size: PixelSize) {
    self.size = size
    (sensor.camera, sensor.white, sensor.kelvin) = (.neutral, .d65, 6504)
    (sensor.defectCount, sensor.cropMargin, sensor.samplesPerAxis) = (0, 0, 1)
    sensor.border = PixelSize(width: 0, height: 0)
  }

  /// Stops of frame `index` above the middle one.
  public func stops(_ index: Int) -> Double {
    (Double(index) - Double((count - 1) / 2)) * spacing
  }

  /// How far frame `index` lies from the middle one, in photosites, and its rotation in radians.
  public func place(_ index: Int) -> (x: Float, y: Float, angle: Float) {
    guard index != (count - 1) / 2 else { return (0, 0, 0) }
    func random(_ seed: UInt32) -> Float {
      2 * IntegerNoise.uniform(Int32(index), 7, seed: seed) - 1
    }
    return (
      shake * random(11), shake * random(12), shake * random(13) / Float(size.width)
    )
  }

  /// The linear value of a photosite of frame `index`, linear BT.2020, 1.0 = white.
  public func light(_ index: Int, x: Int, y: Int, scene: SyntheticScene) -> SIMD3<Float> {
    let (cx, cy) = (Float(size.width) / 2, Float(size.height) / 2)
    let place = place(index)
    let (u, v) = (Float(x) + 0.5 - cx - place.x, Float(y) + 0.5 - cy - place.y)
    let (s, c) = (sin(-place.angle), cos(-place.angle))
    let (px, py) = (c * u - s * v + cx, s * u + c * v + cy)
    if moves {
      let radius = Float(size.height) / 14
      let center = (
        Float(size.width) * (0.35 + 0.3 * Float(index) / Float(count)), Float(size.height) * 0.5
      )
      let distance = ((px - center.0) * (px - center.0) + (py - center.1) * (py - center.1))
        .squareRoot()
      let inside = min(max(radius - distance + 0.5, 0), 1)
      if inside > 0 {
        return scene.light(x: px, y: py) * (1 - inside) + SIMD3(0.9, 0.2, 0.1) * inside
      }
    }
    return scene.light(x: px, y: py)
  }

  /// The file of frame `index`.
  public func file(_ index: Int, workers: Int = Parallel.defaultWorkers) -> DNGWriter {
    let scene = SyntheticScene(size: size)
    let gain = Float(exp2(stops(index)))
    var sensor = sensor
    sensor.seed = sensor.seed &+ UInt64(index) &* 1_000_003
    var file = sensor.expose(size: size, workers: workers) {
      light(index, x: $0, y: $1, scene: scene) * gain
    }
    file.compression = .losslessJPEG
    file.metadata = CaptureMetadata(entries: [
      ExifEntry(.image, 0x010F, .ascii("rawdev")),
      ExifEntry(.image, 0x0110, .ascii("Simulated Neutral")),
      ExifEntry(
        .exif, 0x829A,
        .rationals([Rational(UInt32((exp2(stops(index)) * 10_000).rounded()), 1_000_000)])),
      ExifEntry(.exif, 0x829D, .rationals([Rational(8, 1)])),
      ExifEntry(.exif, 0x8827, .shorts([100])),
      ExifEntry(.exif, 0x9003, .ascii("2026:06:21 21:04:0\(index / 5 % 10)")),
      ExifEntry(
        .exif, 0x9204,
        .signedRationals([SignedRational(Int32((stops(index) * 100).rounded()), 100)])
      ),
      ExifEntry(.exif, 0x9291, .ascii("\(index % 5 * 2)0")),
      ExifEntry(.exif, 0xA402, .shorts([2])),
    ])
    return file
  }

  /// What frame `index` sees, in the exposure of the middle one and without noise or saturation:
  /// floats, 1.0 where the sensor is full.
  public func truth(_ index: Int, workers: Int = Parallel.defaultWorkers) -> DNGWriter {
    let scene = SyntheticScene(size: size)
    var file = file((count - 1) / 2, workers: workers)
    let rows = certain {
      try Parallel.map(count: size.height, workers: workers) { y in
        (0..<size.width).map { x in
          light(index, x: x, y: y, scene: scene)[sensor.pattern?.channel(x: x, y: y) ?? 1]
            * SimulatedSensor.whiteFraction
        }
      }
    }
    (file.floats, file.samples) = (rows.flatMap { $0 }, [])
    (file.bitsPerSample, file.compression, file.black, file.white) = (32, .none, nil, [1])
    return file
  }
}

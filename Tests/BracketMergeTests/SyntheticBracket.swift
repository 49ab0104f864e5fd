import Foundation
import ImageCore
import RawDecode
import RawFilter
import RawSensor
import SyntheticRaw

@testable import BracketMerge

/// Brackets of a simulated sensor with known radiance, as DNGs in memory.
struct SyntheticBracket {
  /// One exposure.
  struct Frame {
    /// Stops relative to the exposure that the radiance is given for.
    var stops: Double
    /// What the shutter does beside that, as a factor, without Exif knowing.
    var slip = 1.0
    var iso = 100
    var seed: UInt64 = 1
    var whiteLevel: UInt16 = 16_000
    var black: UInt32 = 2048
    var white = SIMD3<Double>(1, 1, 1)
  }

  var size: PixelSize
  var frames: [Frame]
  var pattern: MosaicPattern? = .bayer(.rggb)
  /// S of the noise at ISO 100.
  var shot: Float = 1e-4
  /// O of the noise at ISO 100.
  var read: Float = 4e-8

  /// `count` frames, `spacing` stops apart, around 0.
  init(count: Int, spacing: Double, size: PixelSize = PixelSize(width: 240, height: 160)) {
    self.size = size
    frames = (0..<count).map {
      Frame(stops: (Double($0) - Double(count - 1) / 2) * spacing, seed: UInt64($0 + 1) * 77)
    }
  }

  /// Camera values for a radiance of 1 at 0 stops.
  static let white: Float = 0.353_553_4

  func sensor(_ frame: Frame) -> SimulatedSensor {
    var sensor = SimulatedSensor()
    (sensor.camera, sensor.white, sensor.kelvin) = (.neutral, .d65, 6504)
    (sensor.pattern, sensor.defectCount, sensor.cropMargin) = (pattern, 0, 0)
    sensor.border = PixelSize(width: 0, height: 0)
    (sensor.whiteLevel, sensor.seed) = (frame.whiteLevel, frame.seed)
    sensor.blackQuarters = [0, 1, 2, 3].map { frame.black + $0 }
    let speed = Float(frame.iso) / 100
    (sensor.shotNoise, sensor.readNoise) = (shot * speed, read * speed)
    return sensor
  }

  /// Exif of an exposure.
  static func exif(
    seconds: Double, iso: Int, aperture: Rational = Rational(8, 1)
  ) -> CaptureMetadata {
    CaptureMetadata(entries: [
      ExifEntry(.image, 0x010F, .ascii("rawdev")), ExifEntry(.image, 0x0110, .ascii("SR-1")),
      ExifEntry(
        .exif, 0x829A, .rationals([Rational(UInt32((seconds * 1e6).rounded()), 1_000_000)])),
      ExifEntry(.exif, 0x829D, .rationals([aperture])),
      ExifEntry(.exif, 0x8827, .shorts([UInt16(iso)])),
    ])
  }

  /// The file of `frame` for `radiance`, a function of column and row.
  func bytes(
    _ frame: Frame, radiance: @Sendable (_ x: Int, _ y: Int) -> SIMD3<Float>
  ) throws -> [UInt8] {
    let gain = Float(exp2(frame.stops) * frame.slip)
    var file = sensor(frame).expose(size: size) { radiance($0, $1) * gain }
    file.asShotNeutral = frame.white
    file.metadata = Self.exif(
      seconds: exp2(frame.stops) / Double(frame.iso) * 2, iso: frame.iso)
    return try file.bytes
  }

  /// All frames of `radiance`, a function of the frame, too.
  func members(
    radiance: @Sendable @escaping (_ frame: Int, _ x: Int, _ y: Int) -> SIMD3<Float>
  ) throws -> [BracketMerge.Member] {
    try frames.enumerated().map { i, frame in
      let bytes = try bytes(frame) { radiance(i, $0, $1) }
      return BracketMerge.Member(
        name: "frame-\(i).dng", filter: try RAWFilter(data: Data(bytes)))
    }
  }

  /// Exposure of each frame, slip included.
  var times: [Double] { frames.map { exp2($0.stops) * $0.slip } }

  /// Even patches over `stops` stops below 2.8, where a frame of 0 stops is full.
  @Sendable static func patches(_ x: Int, _ y: Int) -> SIMD3<Float> {
    let level = exp2(1.4 - 11 * IntegerNoise.uniform(Int32(x / 24), Int32(y / 24), seed: 5))
    return SIMD3(1, 0.9, 0.8) * level
  }
}

extension SensorData {
  /// The linear value of each sample, row by row.
  var linearValues: [[Float]] {
    let levels = certain { try LinearLevels(self, balance: SIMD4(repeating: 1)) }
    return (0..<size.height).map { y in
      var row = [Float](repeating: 0, count: size.width * samplesPerPixel)
      row.withUnsafeMutableBufferPointer { memory in
        if let start = memory.baseAddress { levels.fill(row: y, into: start) }
      }
      return row
    }
  }
}

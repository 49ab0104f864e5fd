import ImageCore
import RawDecode
import RawSensor
import Testing

@testable import BracketMerge

@Suite struct ExposureRatioTests {
  private static let size = PixelSize(width: 240, height: 160)
  private let noise = FrameNoise(
    shot: SIMD4(repeating: 1e-5), read: SIMD4(repeating: 1e-9), saturation: SIMD4(repeating: 0.99))

  /// A frame without noise with the values `value`, up to `limit`.
  private func levels(
    of size: PixelSize = Self.size, limit: Float = 1, _ value: (_ x: Int, _ y: Int) -> Float
  ) throws -> LinearLevels {
    let samples = try RawSamples(of: Float.self, stride: size.width, rows: size.height) { target in
      for y in 0..<size.height {
        for x in 0..<size.width { target.start[y * size.width + x] = min(value(x, y), limit) }
      }
    }
    return try LinearLevels(
      SensorData(
        size: size, layout: .monochrome, samples: samples,
        levels: SensorLevels(
          patternWidth: 1, patternHeight: 1, black: [0], scale: SIMD4(repeating: 1))),
      balance: SIMD4(repeating: 1))
  }

  private func ratio(
    _ short: LinearLevels, _ long: LinearLevels, size: PixelSize = Self.size
  ) throws -> Double? {
    try ExposureRatio.measured(
      short: (short, noise), long: (long, noise), channels: SampleChannels(size, .monochrome),
      workers: 2)
  }

  private func ramp(_ x: Int, _ y: Int) -> Float { 0.01 + 0.1 * Float(x) / 240 }

  @Test(arguments: [Float(1), 1.07, 3.9, 8]) func theFactorIsFound(factor: Float) throws {
    let found = try #require(try ratio(levels(ramp), levels { ramp($0, $1) * factor }))
    #expect(abs(found / Double(factor) - 1) < 1e-4)
  }

  @Test func whatMovesAndWhatIsSaturatedDoNotCount() throws {
    // A fifth of the picture shows something else, and a part is full in the longer frame.
    let short = try levels { x, y in y > 140 ? 0.5 : ramp(x, y) }
    let long = try levels { x, y in
      if y > 140 { return 2 }
      return x < 48 ? 0.3 : ramp(x, y) * 4
    }
    #expect(abs(try #require(try ratio(short, long)) / 4 - 1) < 1e-3)
  }

  @Test func tooFewBlocksGiveNothing() throws {
    #expect(try ratio(levels { _, _ in 0.5 }, levels { _, _ in 1 }) == nil)
    #expect(try ratio(levels { _, _ in 0 }, levels { _, _ in 0 }) == nil)
    let small = PixelSize(width: 32, height: 32)
    #expect(try ratio(levels(of: small, ramp), levels(of: small, ramp), size: small) == nil)
  }

  /// Where the order of the frames is not the order of their exposures.
  @Test func whatIsSaturatedInTheShortFrameDoesNotCount() throws {
    let short = try levels { ramp($0, $1) * 16 }
    #expect(abs(try #require(try ratio(short, levels(ramp))) * 16 - 1) < 1e-3)
  }

  /// Floating-point samples may have any value, without a saturation.
  @Test func fewBrightBlocksDoNotDecide() throws {
    let wild = FrameNoise(
      shot: noise.shot, read: noise.read, saturation: SIMD4(repeating: .infinity))
    func frame(_ factor: Float) throws -> LinearLevels {
      try levels(limit: .infinity) { x, y in
        x % 16 == 3 && y % 16 == 5 && x < 96 ? 1e30 : ramp(x, y) * factor
      }
    }
    let found = try ExposureRatio.measured(
      short: (frame(1), wild), long: (frame(2), wild),
      channels: SampleChannels(Self.size, .monochrome), workers: 2)
    #expect(abs(try #require(found) / 2 - 1) < 1e-3)
  }
}

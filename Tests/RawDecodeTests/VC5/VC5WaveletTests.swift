import ImageCore
import TestSupport
import Testing

@testable import RawDecode
@testable import SyntheticRaw

@Suite struct VC5WaveletTests {
  typealias Plane = VC5Encoder.Plane

  func plane<Coefficient: FixedWidthInteger & BitwiseCopyable & Sendable>(
    _ values: Plane, as kind: Coefficient.Type
  ) throws -> SubbandPlane<Coefficient> {
    let plane = try SubbandPlane<Coefficient>(values.size)
    for (i, value) in values.values.enumerated() {
      plane.all[i] = Coefficient(truncatingIfNeeded: value)
    }
    return plane
  }

  func inverse(
    _ level: (low: Plane, high: Plane, vertical: Plane, diagonal: Plane), _ size: PixelSize,
    quantization: [Int32] = [1, 1, 1], prescale: Int = 0
  ) throws -> [Int] {
    let wavelet = VC5Wavelet(
      low: try plane(level.low, as: Int32.self),
      high: try [level.high, level.vertical, level.diagonal].map { try plane($0, as: Int16.self) },
      quantization: quantization, prescale: prescale, limits: .min ... .max)
    let band = try wavelet.finerBand(size)
    // In parts, like several threads.
    for pair in (0..<level.low.size.height).reversed() { band.make(pair..<pair + 1) }
    return (0..<size.height).flatMap { y in (0..<size.width).map { Int(band.plane.row(y)[$0]) } }
  }

  /// Any integers, of any size from the smallest, even and odd.
  @Test func withoutQuantizationItIsExact() throws {
    var numbers = TestNumbers(state: 61)
    for (width, height) in [(5, 5), (6, 6), (5, 8), (9, 6), (7, 7), (17, 12), (40, 33), (64, 64)] {
      var picture = Plane(PixelSize(width: width, height: height))
      for range in [2, 100, 2048] {
        picture.values = picture.values.map { _ in numbers.next(range) }
        #expect(try inverse(picture.forward(prescale: 0), picture.size) == picture.values)
      }
    }
  }

  /// A flat picture is preserved with any prescale that keeps its bits.
  @Test func prescaleIsUndone() throws {
    for prescale in 0...3 {
      var picture = Plane(PixelSize(width: 18, height: 15))
      picture.values = picture.values.map { _ in 1008 }
      #expect(
        try inverse(picture.forward(prescale: prescale), picture.size, prescale: prescale)
          == picture.values)
    }
  }

  /// Quantized coefficients are multiplied by their factors.
  @Test func quantizationMultiplies() throws {
    var numbers = TestNumbers(state: 62)
    let size = PixelSize(width: 20, height: 14)
    var picture = Plane(size)
    picture.values = picture.values.map { _ in numbers.next(4096) }
    var level = picture.forward(prescale: 0)
    let factors = [3, 7, 12]
    func coarse(_ plane: Plane, _ factor: Int, times: Int) -> Plane {
      var plane = plane
      plane.values = plane.values.map { $0 / factor * times }
      return plane
    }
    let divided = (
      level.low, coarse(level.high, 3, times: 1), coarse(level.vertical, 7, times: 1),
      coarse(level.diagonal, 12, times: 1)
    )
    level.high = coarse(level.high, 3, times: 3)
    level.vertical = coarse(level.vertical, 7, times: 7)
    level.diagonal = coarse(level.diagonal, 12, times: 12)
    #expect(
      try inverse(divided, size, quantization: factors.map { Int32($0) }) == inverse(level, size))
  }

  /// No coefficients and no factors trap.
  @Test func extremesWrap() throws {
    let size = PixelSize(width: 6, height: 6)
    for low in [0, Int(Int32.min), Int(Int32.max)] {
      for high in [Int(Int16.min), Int(Int16.max)] {
        for prescale in 0...3 {
          var (a, b) = (
            Plane(PixelSize(width: 3, height: 3)), Plane(PixelSize(width: 3, height: 3))
          )
          a.values = a.values.map { _ in low }
          b.values = b.values.map { _ in high }
          let made = try inverse(
            (a, b, b, b), size, quantization: [65535, 65535, 65535], prescale: prescale)
          #expect(made.count == size.area)
        }
      }
    }
  }
}

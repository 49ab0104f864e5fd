import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

/// Known linear values, sampled through a filter pattern and developed again: the error of the
/// result, as CPSNR of x^(1/2.2), 12 pixels cut off at the borders.
@Suite struct DemosaicQualityTests {
  /// A zone plate, slanted edges of several contrasts, color patches and fine lines.
  static func truth(_ x: Int, _ y: Int) -> SIMD3<Float> {
    let size = 192
    let (px, py) = (x % size, y % size)
    let (fx, fy) = (Float(px), Float(py))
    switch (x / size + 3 * (y / size)) % 4 {
    case 0:
      let (dx, dy) = (fx - 96, fy - 96)
      let wave = cos((dx * dx + dy * dy) * 0.006)
      return SIMD3(0.55, 0.5, 0.4) * (0.5 + 0.45 * wave)
    case 1:
      let edge =
        smooth((fx - 40 - 0.3 * fy) * 0.8) * 0.6 + smooth((fx - 110 + 0.2 * fy) * 0.8) * 0.3
      return SIMD3(0.9, 0.8, 0.7) * (0.02 + edge)
    case 2:
      let (i, j) = (px / 24, py / 24)
      let angle = Float((i * 5 + j * 3) % 8) * 0.785
      let color = SIMD3<Float>(
        0.5 + 0.4 * cos(angle), 0.5 + 0.4 * cos(angle - 2.1), 0.5 + 0.4 * cos(angle + 2.1))
      let inside = smooth(11.5 - max(abs(fx - Float(i * 24 + 12)), abs(fy - Float(j * 24 + 12))))
      return color * color * inside + SIMD3(0.08, 0.09, 0.1) * (1 - inside)
    default:
      let line = 0.5 + 0.5 * cos(fx * (0.6 + fy * 0.009) + fy * 0.4)
      return SIMD3(0.2, 0.35, 0.1) + SIMD3(0.5, 0.4, 0.3) * line
    }
  }

  static func smooth(_ d: Float) -> Float {
    let t = min(max(d + 0.5, 0), 1)
    return t * t * (3 - 2 * t)
  }

  static func cpsnr(
    _ cfa: CFA, _ settings: SensorSettings, noise: Float = 0, isBilinear: Bool = false
  ) throws -> Double {
    let (width, height) = (384, 384)
    let data = SensorFixture.sensor(width, height, cfa) { x, y, c in
      let value = truth(x, y)[c]
      return value + noise * value.squareRoot() * SensorFixture.noise(x, y)
    }
    let picture =
      try
      (isBilinear ? SensorFixture.bilinear(data, settings) : SensorFixture.picture(data, settings))
    var sum = 0.0
    for y in 12..<height - 12 {
      for x in 12..<width - 12 {
        let (a, b) = (picture[x, y], truth(x, y))
        for c in 0..<3 {
          let d =
            Foundation.pow(Double(min(max(a[c], 0), 1)), 1 / 2.2)
            - Foundation.pow(Double(b[c]), 1 / 2.2)
          sum += d * d
        }
      }
    }
    return -10 * log10(sum / Double((width - 24) * (height - 24) * 3))
  }

  static func settings(
    _ method: DemosaicMethod, _ domain: SensorSettings.DemosaicDomain = .squareRoot
  ) -> SensorSettings {
    SensorSettings(highlights: .clipped, defects: .kept, domain: domain, method: method)
  }

  @Test func ratioCorrectedBeatsBilinear() throws {
    for cfa in SensorFixture.bayers {
      let bilinear = try Self.cpsnr(cfa, Self.settings(.fast), isBilinear: true)
      let ratio = try Self.cpsnr(cfa, Self.settings(.fast))
      #expect(ratio > bilinear + 4, "\(ratio) \(bilinear)")
    }
  }

  @Test func squareRootBeatsLinear() throws {
    let cfa = SensorFixture.bayers[0]
    let linear = try Self.cpsnr(cfa, Self.settings(.fast, .linear))
    let root = try Self.cpsnr(cfa, Self.settings(.fast))
    #expect(root > linear, "\(root) \(linear)")
  }

  @Test func xTransBeatsInterpolation() throws {
    let simple = try Self.cpsnr(
      SensorFixture.xTrans(), Self.settings(.fast), isBilinear: true)
    let one = try Self.cpsnr(SensorFixture.xTrans(), Self.settings(.fast))
    let three = try Self.cpsnr(SensorFixture.xTrans(), Self.settings(.best))
    #expect(one > simple + 3, "\(one) \(simple)")
    #expect(three > one - 0.1, "\(three) \(one)")
  }

  /// Cloud-like texture, its amplitude falling with frequency as in photographs, down to details
  /// of three pixels.
  static func natural(_ x: Int, _ y: Int, _ c: Int) -> Float {
    var sum: Float = 0
    var size: Float = 96
    for octave in 0..<6 {
      let (fx, fy) = (Float(x) / size, Float(y) / size)
      let (ix, iy) = (Int(fx), Int(fy))
      let (tx, ty) = (smooth(fx - Float(ix) - 0.5), smooth(fy - Float(iy) - 0.5))
      func corner(_ dx: Int, _ dy: Int) -> Float {
        let shared = SensorFixture.hash(ix + dx, iy + dy, octave)
        return 0.7 * shared + 0.3 * SensorFixture.hash(ix + dx, iy + dy, 10 + octave + 7 * c)
      }
      let top = corner(0, 0) * (1 - tx) + corner(1, 0) * tx
      let bottom = corner(0, 1) * (1 - tx) + corner(1, 1) * tx
      sum += (top * (1 - ty) + bottom * ty - 0.5) * size / 96
      size /= 2
    }
    return exp2(3 * sum - 2.5)
  }

  /// Means of 24 × 24 cells against plain bilinear interpolation of linear values.
  @Test(arguments: [SensorFixture.bayers[0], SensorFixture.xTrans()])
  func localMeansStay(cfa: CFA) throws {
    let data = SensorFixture.sensor(384, 384, cfa) { x, y, c in
      let t = Self.natural(x, y, c)
      return t + 0.01 * t.squareRoot() * SensorFixture.noise(x, y)
    }
    let plain = try SensorFixture.bilinear(data, Self.settings(.fast, .linear))
    let picture = try SensorFixture.picture(data, Self.settings(.fast))
    var worst = 0.0
    for cy in 1..<15 {
      for cx in 1..<15 {
        var (a, b) = (SIMD3<Double>(), SIMD3<Double>())
        for y in cy * 24..<cy * 24 + 24 {
          for x in cx * 24..<cx * 24 + 24 {
            a += SIMD3<Double>(picture[x, y])
            b += SIMD3<Double>(plain[x, y])
          }
        }
        worst = max(worst, abs(a.sum() / b.sum() - 1))
      }
    }
    #expect(worst < 0.003, "worst \(worst)")
  }
}

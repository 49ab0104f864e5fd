import Foundation
import ImageCore
import RawTestSupport

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

/// Sharpness as ISO 12233 measures it: an edge 5° off the vertical is projected along itself to
/// quarter pixels, its derivative's spectrum is the modulation transfer function.
enum SlantedEdge {
  static let slope = tan(5 * Double.pi / 180)
  static let cosine = cos(5 * Double.pi / 180)
  private static let reach = 16.0
  private static let bins = 128

  struct Measure {
    /// Cycles a pixel at which half of the contrast is left.
    var mtf50: Double
    /// How far the bright and the dark side exceed their plateaus, as a fraction of the step.
    var over: Double
    var under: Double
  }

  /// Distance of a pixel from the edge through the center of `size`.
  static func distance(_ x: Int, _ y: Int, _ size: PixelSize) -> Double {
    (Double(x) - Double(size.width) / 2 - (Double(y) - Double(size.height) / 2) * slope) * cosine
  }

  /// Luminance across an edge from `low` to `high` blurred by a Gaussian of `sigma`.
  static func luminance(_ distance: Double, sigma: Double, low: Double, high: Double) -> Double {
    low + (high - low) * 0.5 * erfc(-distance / (sigma * 2.0.squareRoot()))
  }

  /// A picture of it, with noise of variance `noise` · luminance.
  static func picture(
    sigma: Double, low: Double = 0.05, high: Double = 0.8, noise: Double = 0
  ) throws -> Image<SceneLinear> {
    let size = PixelSize(width: 128, height: 128)
    return try DetailFixture.gray(128, 128) { x, y in
      let value = luminance(distance(x, y, size), sigma: sigma, low: low, high: high)
      return Float(value + (noise * value).squareRoot() * Double(SensorFixture.noise(x, y)))
    }
  }

  static func measure(_ image: Image<SceneLinear>) -> Measure {
    var sums = [Double](repeating: 0, count: bins)
    var counts = [Double](repeating: 0, count: bins)
    for y in 0..<image.size.height {
      for x in 0..<image.size.width {
        let d = distance(x, y, image.size)
        guard abs(d) < reach else { continue }
        let bin = Int((d + reach) * 4)
        sums[bin] += Double(image[x, y].y)
        counts[bin] += 1
      }
    }
    let profile = zip(sums, counts).map { $0 / max($1, 1) }
    let low = profile.prefix(20).reduce(0, +) / 20
    let high = profile.suffix(20).reduce(0, +) / 20
    let top = profile.max() ?? high
    let bottom = profile.min() ?? low
    return Measure(
      mtf50: mtf50(profile), over: (top - high) / (high - low), under: (low - bottom) / (high - low)
    )
  }

  private static func mtf50(_ profile: [Double]) -> Double {
    let count = Double(bins - 2)
    let slopes = (0..<bins - 1).map { (i: Int) -> Double in
      let window = 0.54 - 0.46 * cos(2 * Double.pi * Double(i) / count)
      return (profile[i + 1] - profile[i]) * window
    }
    func contrast(_ frequency: Double) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for (i, value) in slopes.enumerated() {
        let phase = 2 * Double.pi * frequency * Double(i) / 4
        real += value * cos(phase)
        imaginary += value * sin(phase)
      }
      return (real * real + imaginary * imaginary).squareRoot()
    }
    let half = contrast(0) / 2
    var frequency = 0.0
    while frequency < 1, contrast(frequency) > half { frequency += 0.001 }
    return frequency
  }
}

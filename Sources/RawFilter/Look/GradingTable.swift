import Foundation
import HDRRender
import ImageCore

/// Color grading: a tint and a change of luminance for shadows, midtones and highlights.
///
/// Source: the three wheels of color correction, with our own weights. With z the stops of a
/// pixel's lightness above 18 % gray and σ(t) = 1 / (1 + e^−t),
///
///     shadows     wₛ = σ((−1.5 − p − z) / τ)        p = −2 · balance, stops
///     highlights  wₕ = σ((z − 1.5 − p) / τ)         τ = 0.5 + 1.5 · blending, stops
///     midtones    wₘ = 1 − wₛ − wₕ                  everywhere: w = 1
///
///     (a, b)' = (a, b) + L · Σ w · 0.15 · saturation · (cos h, sin h)
///     Lab''   = Lab' · 2^(Σ w · 0.75 · luminance / 3)
///
/// in Oklab, h being the Oklab hue of the wheel's hue. The tint is in proportion to L, so it keeps
/// its saturation above reference white as below. As wₛ + wₕ < 1 the weights sum to 1; luminance
/// alone never reverses the order of tones (slope ≥ 0.25). Without tints and luminance it is the
/// identity, and is left out. Known failure: a tint colors noise and black alike.
struct GradingTable: Sendable, Hashable {
  private static let octaves = 8
  private static let stepsPerOctave = 32

  /// Four floats for each step: offsets of a / L and b / L, factor of Lab, 0.
  let entries: [Float]
  /// The bits of the first step: 2⁻⁸ of the largest lightness.
  static let lowest = Int32(127 - octaves) << 23
  /// One over the largest lightness.
  let scale: Float

  /// For a scene whose brightest value is `peak`.
  init(_ grading: ColorGrading, peak: Float) {
    let top = cbrt(peak.isFinite && peak > 0 ? Double(peak) : 1)
    scale = Float(1 / top)
    let gray = log2(ToneCurve.gray)
    let pivot = -2 * Double(grading.balance)
    let width = 0.5 + 1.5 * Double(grading.blending)
    func sigmoid(_ t: Double) -> Double { 1 / (1 + exp(-t)) }
    let wheels = [grading.shadows, grading.midtones, grading.highlights, grading.global]
    let tints = wheels.map { wheel -> SIMD2<Double> in
      let hue = Oklab.hue(wheel: Double(wheel.hue)) * .pi / 180
      return 0.15 * Double(wheel.saturation) * SIMD2(cos(hue), sin(hue))
    }
    entries = (0...Self.octaves * Self.stepsPerOctave).flatMap { index -> [Float] in
      let bits = UInt32(bitPattern: Self.lowest) + UInt32(index) << 18
      let z = 3 * log2(Double(Float(bitPattern: bits)) * top) - gray
      let dark = sigmoid((-1.5 + pivot - z) / width)
      let bright = sigmoid((z - 1.5 - pivot) / width)
      let weights = [dark, 1 - dark - bright, bright, 1]
      let tint = zip(weights, tints).reduce(SIMD2(0, 0)) { $0 + $1.0 * $1.1 }
      let stops = zip(weights, wheels).reduce(0) { $0 + 0.75 * $1.0 * Double($1.1.luminance) }
      return [Float(tint.x), Float(tint.y), Float(exp2(stops / 3)), 0]
    }
  }
}

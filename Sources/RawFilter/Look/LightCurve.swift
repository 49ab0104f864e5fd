import CKernels
import Foundation
import HDRRender
import ImageCore
import RawDecode

/// Contrast, highlights, shadows, whites and blacks of a scene: one curve over its stops.
///
/// Source: an S-curve that returns to the straight line and four shelves, chosen here, with z =
/// log2(x / 0.18), the stops above 18 % gray, and S(u) = u² / (1 + u²) for u > 0, else 0:
///
///     z₁ = z + 0.5 · contrast · z / (1 + (z / 2)²)
///     z₂ = z₁ + 1.5 · highlights · S(z₁ / 2) + 1.5 · shadows · S(−z₁ / 2)
///     z₃ = z₂ + 1 · whites · S(z₂ − 1) + 2 · blacks · S((−2 − z₂) / 2),    x' = 0.18 · 2^z₃
///
/// A pixel is multiplied by x' / x of its largest channel, the value that the tone curve acts on:
/// chromaticity is kept exactly, and the largest channel of the picture is the curve at what it
/// was. Scene-linear in and out, 1.0 = reference white, amounts −1…1.
///
/// Constants: the shelf of the whites begins one stop above gray, which leaves the midtones to the
/// highlights, and reaches two thirds at reference white; 1.5 stops are what raws hold above white
/// in most scenes and what shadows bear without their noise. A shelf has no end, so ratios among
/// values far above white are kept and the headroom moves as a whole; the S-curve is at ±0.5 stops
/// at most, two stops from gray, and returns, so that contrast neither crushes black nor opens
/// headroom.
///
/// Laws: odd and C1 in x; it rises with x at any amounts, as each of the three steps has a slope of
/// at least 0.35; it rises with highlights, shadows, whites and blacks; 18 % gray stays. Neutral
/// amounts leave the stage out.
/// Known failures: a curve over the whole picture flattens the local contrast of what it compresses
/// (see ``LocalToneMap``); noise rises with the shadows that it is in; values 2⁻²⁰ of the
/// brightest and below share one gain.
package struct LightCurve: Sendable, Hashable {
  /// Valid amounts.
  static let amounts: ClosedRange<Float> = -1...1

  private let contrast, highlights, shadows, whites, blacks: Double

  /// Throws `.badSetting` for an amount outside its range.
  package init(_ look: LookSettings) throws(RAWError) {
    let named = [
      ("contrast", look.contrast), ("highlights", look.highlights), ("shadows", look.shadows),
      ("whites", look.whites), ("blacks", look.blacks),
    ]
    for (name, amount) in named { try DetailRange.check(name, amount, Self.amounts) }
    contrast = 0.5 * Double(look.contrast)
    highlights = 1.5 * Double(look.highlights)
    shadows = 1.5 * Double(look.shadows)
    whites = Double(look.whites)
    blacks = 2 * Double(look.blacks)
  }

  /// Whether every value stays as it is.
  package var isNeutral: Bool {
    [contrast, highlights, shadows, whites, blacks].allSatisfy { $0 == 0 }
  }

  /// The value that scene value `x` becomes.
  package func callAsFunction(_ x: Double) -> Double {
    let magnitude = abs(x)
    guard magnitude > 0, magnitude.isFinite else { return x }
    let z = log2(magnitude / ToneCurve.gray)
    return x * exp2(stops(z) - z)
  }

  /// Stops above gray that `z` stops above gray become.
  private func stops(_ z: Double) -> Double {
    func shelf(_ u: Double) -> Double { u > 0 ? u * u / (1 + u * u) : 0 }
    let z1 = z + contrast * z / (1 + z * z / 4)
    let z2 = z1 + highlights * shelf(z1 / 2) + shadows * shelf(-z1 / 2)
    return z2 + whites * shelf(z2 - 1) + blacks * shelf((-2 - z2) / 2)
  }
}

/// A ``LightCurve`` as a table of gains for single-precision pixels, over 20 octaves below a
/// scene's brightest value. Error against the curve: below 10⁻⁵ relative.
struct LightTable: Sendable {
  private let gains: OctaveTable
  private let scale: Float

  /// For a scene whose brightest value is `peak`.
  init(_ curve: LightCurve, peak: Float) {
    let top = peak.isFinite && peak > 0 ? Double(peak) : 1
    gains = OctaveTable(octaves: 20) { curve($0 * top) / ($0 * top) }
    scale = Float(1 / top)
  }

  /// Changes each pixel in place; NaN becomes 0.
  func apply(_ rows: RGBRows) {
    gains.pairs.withUnsafeBufferPointer { pairs in
      var light = ck_light(gains: pairs.baseAddress, lowest: gains.lowest, scale: scale)
      ck_lightRow(&light, rows.kernel, Int64(rows.count))
    }
  }
}

import CKernels
import Foundation
import HDRRender
import ImageCore

/// Contrast, highlights, shadows, whites and blacks of a scene: one curve over stops, adapted to
/// the tones of the picture.
///
/// Source: an S-curve, shelves and a black point, our own, with z = log2(x / 0.18), the stops above
/// 18 % gray, S(u) = u² / (1 + u²) for u > 0, else 0, and d, m, l the stops of the picture's dark,
/// middle and bright tones (``SceneTones``):
///
///     u  = z − m / 2
///     z₁ = z + c · u / (1 + (u / 2)²)      u > 0, with c = 0.8 · contrast, or 0.5 · contrast < 0
///     z₁ = z + c · u / √(1 + (u / 2)²)     u < 0
///     z₂ = z₁ + 1.5 · highlights · S(z₁ / 2) + 1.5 · shadows · S(−z₁ / 2)
///     z₃ = z₂ + w · whites · S((z₂ − l / 5) / (l / 2.2))
///     z₄ = z₃ + 2 · blacks · S((min(d + 2, −0.5) − z₃) / 2)      blacks > 0
///     x₄ = max(x₃ − b · (1 − x₃ / 0.18)², x₃ / 256)              blacks < 0, x₃ < 0.18
///
/// d and l are taken after the preceding steps. The black point b is such that blacks −1 maps the
/// dark tones to black, or −3.2 stops if they are darker: x₄ = 0 at −blacks times that value. w is
/// such that whites 1 moves the bright tones to the level that the tone curve maps to white, by 1
/// to 2 stops; it is l / 2.2 for whites below 0. A pixel is multiplied by x' / x of its largest
/// channel, which the tone curve is applied to: chromaticity is preserved exactly, and the
/// picture's peak is the curve at the old peak. Scene-linear in and out, 1.0 = reference white,
/// amounts −1…1.
///
/// Constants: 1.5 stops are the headroom of raws in most scenes, and the limit for shadows before
/// noise shows. A shelf levels off, so ratios among values far above white are preserved
/// and the headroom shifts as a whole; the upper half of the S-curve returns to the identity, so
/// that contrast adds no headroom, the lower half keeps its 1.6 stops down to black. Black values
/// keep their order, at 1/256 of their value.
///
/// Laws: odd, and C1 in x except at the black point; it rises with x at any amounts and for any
/// picture, as each step has a slope of at least 0.35; it rises with highlights, shadows, whites
/// and blacks; 18 % gray is fixed at contrast 0, and if it is the middle of the picture. Neutral
/// amounts leave the stage out. Known failures: a curve over the whole picture flattens the local
/// contrast of what it compresses (see ``LocalToneMap``); noise is lifted with the shadows; values
/// of 2⁻²⁰ of the brightest and below share one gain.
struct ToneAdjustment: Sendable, Hashable {
  private let contrast, highlights, shadows, whites, blacks: Double
  /// Pivot of contrast, start and width of whites, start of blacks, in stops.
  private let pivot, whitesStart, whitesWidth, blacksStart: Double
  /// The black point, b.
  private let black: Double

  /// For a picture with these tones.
  init(_ settings: LookSettings, tones: SceneTones = SceneTones()) {
    contrast = (settings.contrast > 0 ? 0.8 : 0.5) * Double(settings.contrast)
    highlights = 1.5 * Double(settings.highlights)
    shadows = 1.5 * Double(settings.shadows)
    pivot = tones.middle / 2
    let tonal = Self.tonal(contrast, pivot, highlights, shadows)
    let (dark, bright) = (tonal(tones.dark), max(tonal(tones.bright), 1))
    (whitesStart, whitesWidth) = (bright / 5, bright / 2.2)
    let reached = Self.shelf((bright - whitesStart) / whitesWidth)
    let reach = min(max((tones.white - bright) / reached, 1), 2)
    whites = (settings.whites > 0 ? reach : whitesWidth) * Double(settings.whites)
    blacksStart = min(dark + 2, -0.5)
    blacks = 2 * Double(max(settings.blacks, 0))
    let blackened = -Double(min(settings.blacks, 0)) * exp2(min(max(dark, -3.2), -1))
    black = ToneCurve.gray * blackened / ((1 - blackened) * (1 - blackened))
  }

  /// Whether it is the identity.
  var isNeutral: Bool {
    [contrast, highlights, shadows, whites, blacks, black].allSatisfy { $0 == 0 }
  }

  /// The adjusted scene value of `x`.
  func callAsFunction(_ x: Double) -> Double {
    let magnitude = abs(x)
    guard magnitude > 0, magnitude.isFinite else { return x }
    let z = log2(magnitude / ToneCurve.gray)
    let toned = x * exp2(stops(z) - z)
    let below = 1 - abs(toned) / ToneCurve.gray
    guard black > 0, below > 0 else { return toned }
    return toned * max(1 - black * below * below / abs(toned), 1 / 256)
  }

  /// The adjusted stops above gray of `z`, before the black point is subtracted.
  private func stops(_ z: Double) -> Double {
    let toned = Self.tonal(contrast, pivot, highlights, shadows)(z)
    let whitened = toned + whites * Self.shelf((toned - whitesStart) / whitesWidth)
    return whitened + blacks * Self.shelf((blacksStart - whitened) / 2)
  }

  /// Contrast, highlights and shadows: the steps that the others are positioned by.
  private static func tonal(
    _ contrast: Double, _ pivot: Double, _ highlights: Double, _ shadows: Double
  ) -> (Double) -> Double {
    { z in
      let u = z - pivot
      let bend = 1 + u * u / 4
      let z1 = z + contrast * u / (u > 0 ? bend : bend.squareRoot())
      return z1 + highlights * shelf(z1 / 2) + shadows * shelf(-z1 / 2)
    }
  }

  private static func shelf(_ u: Double) -> Double { u > 0 ? u * u / (1 + u * u) : 0 }
}

/// A ``ToneAdjustment`` as a table of gains for single-precision pixels, over 20 octaves below a
/// scene's brightest value. Error against the curve: below 10⁻⁵ relative.
struct ToneAdjustmentTable: Sendable {
  private let gains: OctaveTable
  private let scale: Float

  /// For a scene whose brightest value is `peak`.
  init(_ curve: ToneAdjustment, peak: Float) {
    let top = peak.isFinite && peak > 0 ? Double(peak) : 1
    gains = OctaveTable(octaves: 20) { curve($0 * top) / ($0 * top) }
    scale = Float(1 / top)
  }

  /// Changes each pixel in place; NaN becomes 0.
  func apply(_ rows: RGBRows) {
    gains.pairs.withUnsafeBufferPointer { pairs in
      var adjustment = ck_toneAdjustment(
        gains: pairs.baseAddress, lowest: gains.lowest, scale: scale)
      ck_toneAdjustmentRow(&adjustment, rows.kernel, Int64(rows.count))
    }
  }
}

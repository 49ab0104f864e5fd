import CKernels
import HDRRender
import ImageCore

/// Saturation, vibrance, the eight ranges of hues, black and white, and color grading.
///
/// Source: chroma and hue in ``Oklab``; the curve of vibrance is our own. With s = C / (|L| +
/// 0.02), the saturation of a pixel, and the entry of ``HueTable`` for its hue:
///
///     (a, b)' = factor · rotated(a, b) · (1 + saturation) · (1 + vibrance · v / (1 + (s / 0.2)²))
///     Lab''   = Lab' · 2^(stops / 3 · s² / (s² + 0.1²))
///     then ``GradingTable``
///
/// A chroma factor f > 1 is limited to 1 + (f − 1) / (1 + s⁴)^¼ with s = (f − 1) / (m − 1), m the
/// factor, at most 4, at which a channel of BT.2020 falls to 0: colors approach the gamut's surface
/// but stay inside, because beyond it cone signals become negative and hues turn. Scaling Lab by ∛k
/// scales the color by k, so luminance changes preserve chromaticity. A pixel with a channel above
/// the scene's brightest value is scaled down to it. Scene-linear BT.2020 in and out, unbounded;
/// amounts −1…1.
///
/// Constants: s is 0.09…0.13 for skin, 0.15 for sky and 0.41 for the red of sRGB, so vibrance, half
/// strength at 0.2, affects dull colors, and luminance, half strength at 0.1, does not affect grays
/// and their noise; 0.02 of L prevents colored noise in black.
///
/// Laws: each factor rises with its amount, chroma rises with chroma at any vibrance; saturation −1
/// is gray of the same L; gray pixels keep their luminance; neutral amounts leave the stage out.
/// Known failure: more saturation exceeds the gamut of most displays, and gamut mapping undoes a
/// part of it.
struct ColorAdjustment: Sendable {
  private let saturation: Float
  private let vibrance: Float
  private let hues: [Float]
  private let grading: GradingTable?
  private let peak: Float

  /// For a scene whose brightest value is `peak`; nil if `settings` do not change colors.
  init?(_ settings: LookSettings, peak: Float) {
    let (saturation, vibrance, mixer) = (settings.saturation, settings.vibrance, settings.mixer)
    let isBlackAndWhite = settings.isBlackAndWhiteEnabled
    let isMixed = isBlackAndWhite || !mixer.isNeutral
    guard saturation != 0 || vibrance != 0 || isMixed || !settings.grading.isNeutral else {
      return nil
    }
    self.saturation = 1 + saturation
    self.vibrance = vibrance
    // Vibrance needs hues, too.
    hues =
      isMixed || vibrance != 0
      ? HueTable(mixer, isBlackAndWhite: isBlackAndWhite).entries : []
    grading = settings.grading.isNeutral ? nil : GradingTable(settings.grading, peak: peak)
    self.peak = peak.isFinite ? max(peak, 0) : .greatestFiniteMagnitude
  }

  /// Changes each pixel in place; NaN becomes 0.
  func apply(_ rows: RGBRows) {
    hues.withUnsafeBufferPointer { hues in
      let levels = grading?.entries ?? []
      levels.withUnsafeBufferPointer { levels in
        var color = ck_color(
          toLMS: ck_matrix(Oklab.toLMS), toLab: ck_matrix(Oklab.toLab),
          fromLab: ck_matrix(Oklab.fromLab), fromLMS: ck_matrix(Oklab.fromLMS),
          hues: hues.isEmpty ? nil : hues.baseAddress, hueCount: Int32(HueTable.count),
          levels: levels.isEmpty ? nil : levels.baseAddress, lowest: GradingTable.lowest,
          scale: grading?.scale ?? 1, saturation: saturation, vibrance: vibrance, peak: peak)
        ck_colorRow(&color, rows.kernel, Int64(rows.count))
      }
    }
  }
}

import CVector
import ImageCore

/// Luminance of scene-linear pixels, and its change at constant chromaticity.
///
/// Y = 0.2627 R + 0.6780 G + 0.0593 B (BT.2020). A pixel is changed by one factor on its three
/// channels, so hue and chromaticity stay, negative channels keep their sign and their share, and a
/// factor of 1 returns the bits. No factor above 1 lifts a channel over the picture's peak.
enum LuminanceGain {
  static let weights = SIMD3<Float>(Primaries.bt2020.luminance)

  /// Luminance of `count` pixels, to the next multiple of eight; NaN becomes 0.
  static func luminance(
    _ r: UnsafePointer<Float>, _ g: UnsafePointer<Float>, _ b: UnsafePointer<Float>,
    into out: UnsafeMutablePointer<Float>, count: Int
  ) {
    let (wr, wg, wb) = (weights.x, weights.y, weights.z)
    var i = 0
    while i < count {
      out.setLanes(i, cv_number8(r.lanes(i) * wr + g.lanes(i) * wg + b.lanes(i) * wb))
      i &+= 8
    }
  }

  /// Largest channel of `count` pixels, to the next multiple of eight.
  static func brightest(
    _ r: UnsafePointer<Float>, _ g: UnsafePointer<Float>, _ b: UnsafePointer<Float>,
    into out: UnsafeMutablePointer<Float>, count: Int
  ) {
    var i = 0
    while i < count {
      out.setLanes(i, cv_number8(cv_max8(cv_max8(r.lanes(i), g.lanes(i)), b.lanes(i))))
      i &+= 8
    }
  }

  /// Multiplies eight pixels, at `i`, by `gain`, at most up to `peak`.
  @inline(__always)
  static func multiply(
    _ r: UnsafeMutablePointer<Float>, _ g: UnsafeMutablePointer<Float>,
    _ b: UnsafeMutablePointer<Float>, _ i: Int, by gain: SIMD8<Float>, peak: Float
  ) {
    let (red, green, blue) = (r.lanes(i), g.lanes(i), b.lanes(i))
    let one = SIMD8<Float>(repeating: 1)
    let top = cv_max8(cv_max8(red, green), blue)
    // A hair below, so that rounding does not lift the product over the peak either.
    let limit = cv_positive8(top, peak * 0.9999998 / cv_positive8(top, top, one), gain)
    let factor = cv_min8(gain, cv_max8(limit, one))
    r.setLanes(i, red * factor)
    g.setLanes(i, green * factor)
    b.setLanes(i, blue * factor)
  }
}

import Foundation

/// The family of global tone curves T(x; H): scene-linear x to display value, 1.0 = reference
/// white, for a headroom H ≥ 1.
///
/// Source: a pivot-locked shoulder of the kind y = A·t / (1 + tᵖ)^(1/p) (Naka–Rushton type
/// compression, `Shoulder`), joined at 18 % gray to a power law; the blend between two headrooms
/// is that of a gain map (ISO 21496-1).
///
///     x ≤ g        T = g · (x / g)^c · 2^(lift · (1 − x/g)²)
///     x > g        u = c · (x − g),  T = g + u / (1 + (u / L)^p)^(1/p)
///     amount e     T_e = T(x; 1)^(1 − e) · T(x; H)^e
///
/// g = 0.18 in and out. L makes T reach H exactly at the scene's peak: with m = c · (peak − g) and
/// A = H − g, L = m / ((m/A)^p − 1)^(1/p); without limit where m ≤ A.
///
/// Constants: contrast c at full boost by ``ToneLook``; p = 1.4, a shoulder that starts early and
/// stays soft. `boost` b scales both: c_b = 1 + (c − 1)·b, p_b = 1.4 / b, so that towards b = 0 the
/// curve becomes the straight line with an ever tighter shoulder, and b = 0 is the line itself,
/// unclipped. `shadowBoost` s gives lift = (s − 1) · b stops at black.
///
/// Laws: T is monotone and C1 in x, monotone in H and e; for x ≤ g it does not depend on H or e; at
/// e = 0 nothing exceeds 1; T_e(peak) = H^e. T(−x) = −T(x), so out-of-gamut values keep their sign.
/// Known failure: a scene whose peak is below 1 is not stretched; its curve aims at 1.
public struct ToneCurve: ToneFunction, Hashable {
  /// Scene value, and display value, of 18 % gray.
  public static let gray = 0.18

  /// Largest display value, H^e; T never exceeds it unless boost is 0.
  public let ceiling: Double
  /// Scene value that reaches the ceiling.
  public let peak: Double
  /// Whether the curve is the identity (boost 0).
  public let isLinear: Bool

  private let contrast: Double
  private let liftStops: Double
  private let amount: Double
  private let standard: Shoulder
  private let extended: Shoulder

  /// The curve that brings a scene value of `peak` to `headroom`^`amount`.
  ///
  /// - Parameters:
  ///   - peak: brightest scene value; values below 1 are treated as 1.
  ///   - headroom: brightest display value at amount 1; values below 1 are treated as 1.
  ///   - amount: 0 standard dynamic range … 1 the whole headroom.
  ///   - boost: strength of the curve, 0 (linear) … 1.
  ///   - shadowBoost: 0 (dark) … 1 … 2 (light); no effect at boost 0.
  ///   - contrast: slope at gray at full boost, in stops a stop; values below 1 are treated as 1.
  public init(
    peak: Double, headroom: Double, amount: Double, boost: Double = 1, shadowBoost: Double = 1,
    contrast: Double = ToneLook.natural.contrast
  ) {
    let g = Self.gray
    let (top, white) = (max(headroom, 1), max(peak, 1))
    let b = min(max(boost, 0), 1)
    let c = 1 + (max(contrast, 1) - 1) * b
    let p = min(1.4 / max(b, 0.01), 40)
    let reach = c * (white - g)
    isLinear = b == 0
    self.peak = white
    self.amount = min(max(amount, 0), 1)
    ceiling = Headroom.brightest(of: top, amount: self.amount)
    self.contrast = c
    liftStops = (min(max(shadowBoost, 0), 2) - 1) * b
    standard = Shoulder(reach: reach, height: 1 - g, softness: p)
    extended = Shoulder(reach: reach, height: top - g, softness: p)
  }

  /// The display value of scene value `x`.
  public func callAsFunction(_ x: Double) -> Double {
    if isLinear { return x }
    if x < 0 { return -self(-x) }
    let g = Self.gray
    if x <= g {
      let z = x / g
      let value = g * pow(z, contrast)
      return liftStops == 0 ? value : value * exp2(liftStops * (1 - z) * (1 - z))
    }
    if x >= peak { return min(ceiling, shoulder(peak)) }
    return min(ceiling, shoulder(x))
  }

  private func shoulder(_ x: Double) -> Double {
    let u = contrast * (x - Self.gray)
    if amount == 0 { return Self.gray + standard(u) }
    if amount == 1 { return Self.gray + extended(u) }
    return pow(Self.gray + standard(u), 1 - amount) * pow(Self.gray + extended(u), amount)
  }
}

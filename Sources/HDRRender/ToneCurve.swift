import Foundation
import ImageCore

/// The family of global tone curves T(x; H): scene-linear x to display value, 1.0 = reference
/// white, for a headroom H ≥ 1.
///
/// Source: constant contrast in the shadows and constant gain in the highlights, under a shoulder
/// of the form y = u / (1 + (u / L)^p)^(1/p) (Naka–Rushton type compression, `Shoulder`); the blend
/// between two headrooms is that of a gain map (ISO 21496-1).
///
///     v(x)       = x · ((1 + (x₁/g)³) / (1 + (x₁/x)³))^((c − 1)/3)
///     v ≤ g        T = v · 2^(lift · (1 − x/g)²)
///     v > g        u = v − g,  T = g + u / (1 + (u / L)^p)^(1/p)
///     amount e     T_e = T(x; 1)^(1 − w) · T(x; H)^w,  w = e · S((log2(x / g) − 1.25) / 2)
///
/// g = 0.18 in and out; S is the smooth step. L makes T reach H at the scene's peak, and at `white`
/// where that is brighter: T(x; 1) is the same for every scene, so that no glint darkens other
/// highlights. The shoulder of white starts at g, so midtones would be brighter with headroom: 0.01
/// EV at a gray of 0.36, 0.05 EV where one channel of a color of that luminance is at 0.57. So
/// headroom starts 1¼ stops above g, and is fully used two stops further up.
///
/// Constants: contrast c, pivot x₁ and softness p at full boost by ``ToneLook``. `boost` b scales
/// them: c_b = 1 + (c − 1)·b, p_b = p / b, so that towards b = 0 the curve becomes the straight
/// line with an ever tighter shoulder, and b = 0 is the line itself, unclipped. `shadowBoost` s
/// gives lift = (s − 1) · b stops at black.
///
/// Laws: T is monotone and C1 in x, monotone in H and e; for x ≤ 2.37 g it does not depend on H or
/// e; at e = 0 it depends on no scene and nothing exceeds 1; T(peak; H) ≤ H, and is H for peaks
/// from `white` on. T(−x) = −T(x), so out-of-gamut values keep their sign.
/// Known failure: a scene whose peak is below 1 is not stretched.
public struct ToneCurve: ToneFunction, Hashable {
  /// Scene value, and display value, of 18 % gray.
  public static let gray = 0.18
  /// Scene value that is white at an amount of 0: two stops above reference white.
  package static let white = 4.0
  /// Stops above gray over which the use of headroom rises from none to full.
  private static let headroomStops = 1.25...3.25

  /// Largest display value at amount 1; at other amounts its power by the amount is not exceeded.
  public let headroom: Double
  /// That power; T never exceeds it unless boost is 0.
  public let ceiling: Double
  /// Scene value that reaches the ceiling.
  public let peak: Double
  /// Whether the curve is the identity (boost 0).
  public let isLinear: Bool

  /// (c − 1) / 3, and the cubes of x₁ and x₁/g.
  private let exponent: Double
  private let pivot: Double
  private let pivotOverGray: Double
  private let liftStops: Double
  private let amount: Double
  private let standard: Shoulder
  private let extended: Shoulder

  /// The curve of a scene whose brightest value is `peak`, rendered to at most `headroom`^`amount`.
  ///
  /// - Parameters:
  ///   - peak: brightest scene value; values below 1 are treated as 1.
  ///   - headroom: limit of display values at amount 1; values below 1 are treated as 1.
  ///   - amount: 0 standard dynamic range … 1 the full headroom.
  ///   - boost: strength of the curve, 0 (linear) … 1.
  ///   - shadowBoost: 0 (dark) … 1 … 2 (bright); no effect at boost 0.
  ///   - look: its shape at full boost.
  public init(
    peak: Double, headroom: Double, amount: Double, boost: Double = 1, shadowBoost: Double = 1,
    look: ToneLook = .standard
  ) {
    let g = Self.gray
    let b = min(max(boost, 0), 1)
    let p = min(max(look.shoulder, 1) / max(b, 0.01), 40)
    isLinear = b == 0
    self.peak = max(peak, 1)
    self.amount = min(max(amount, 0), 1)
    exponent = (max(look.contrast, 1) - 1) * b / 3
    (pivot, pivotOverGray) = (pow(look.pivot, 3), pow(look.pivot / g, 3))
    liftStops = (min(max(shadowBoost, 0), 2) - 1) * b
    let (exponent, pivot, pivotOverGray) = (exponent, pivot, pivotOverGray)
    func shoulder(reaching height: Double, at x: Double) -> Shoulder {
      let v = Self.contrasted(x, exponent, pivot, pivotOverGray)
      return Shoulder(reach: v - g, height: height - g, softness: p)
    }
    standard = shoulder(reaching: 1, at: Self.white)
    extended = shoulder(reaching: max(headroom, 1), at: max(peak, Self.white))
    let top = Self.rendered(
      self.peak, Self.contrasted(self.peak, exponent, pivot, pivotOverGray), standard, extended,
      amount: 1)
    // In single precision, as it is reported.
    self.headroom = Double(Float(min(max(top, 1), max(headroom, 1))))
    ceiling = Headroom.brightest(of: self.headroom, amount: self.amount)
  }

  private static func contrasted(
    _ x: Double, _ exponent: Double, _ pivot: Double, _ pivotOverGray: Double
  ) -> Double {
    x * pow((1 + pivotOverGray) / (1 + pivot / (x * x * x)), exponent)
  }

  /// The display value of scene value `x` above gray, whose contrast makes it `v`.
  private static func rendered(
    _ x: Double, _ v: Double, _ standard: Shoulder, _ extended: Shoulder, amount: Double
  ) -> Double {
    let low = min(gray + standard(v - gray), 1)
    let (from, to) = (headroomStops.lowerBound, headroomStops.upperBound)
    let weight = amount * smoothstep((log2(x / gray) - from) / (to - from))
    return weight == 0 ? low : pow(low, 1 - weight) * pow(gray + extended(v - gray), weight)
  }

  /// The display value of scene value `x`.
  public func callAsFunction(_ x: Double) -> Double {
    if isLinear { return x }
    if x < 0 { return -self(-x) }
    if x == 0 { return 0 }
    let x = min(x, peak)
    let v = Self.contrasted(x, exponent, pivot, pivotOverGray)
    if v > Self.gray {
      return min(ceiling, Self.rendered(x, v, standard, extended, amount: amount))
    }
    let z = x / Self.gray
    return liftStops == 0 ? v : v * exp2(liftStops * (1 - z) * (1 - z))
  }
}

import Foundation

/// The family of tone curves T(x; e) of a file with a curve C of its own: scene-linear x to display
/// value, 1.0 = reference white, for an amount e of the headroom.
///
/// An SDR profile is the end e = 0: T₀(x) = C(min(x, 1)), the file's own look, which
/// keeps its highlights below white by giving them less gain than the midtones. The end e = 1
/// undoes that: from the scene value k at which the gain C(x)/x is largest, the gain is constant,
///
///     T₁(x) = C(x) for x ≤ k,   (C(k)/k) · x above,
///
/// which is C1, since the straight line through the origin touches C at k. The headroom is T₁ at
/// the scene's peak, at most ``Headroom/maximum``; a ``Shoulder`` limits T₁ to that. An HDR
/// profile is the end e = 1, T₁ = f⁻¹(C(f(x))) with the specification's f; its T₀ puts a shoulder
/// over T₁ that starts at 18 % gray and ends at white.
///
///     T(x; e) = T₀^(1 − e) · T₁^e          as by a gain map at weight e
///
/// `boost` b blends C with the straight line, (1 − b)·x + b·C(x); `shadowBoost` s lifts by 2^((s −
/// 1)·b·(1 − x/0.18)²) below 18 % gray. Laws, for a curve that rises: T is monotone in x and e; T
/// does not depend on e for x ≤ k; T₀ ≤ 1; T(−x) = −T(x). Known failure: with a profile whose gain
/// is largest near black (k → 0), e brightens the midtones too.
struct ProfileToneCurve: ToneFunction, Hashable {
  let peak: Double
  let ceiling: Double
  /// Largest display value at amount 1.
  let headroom: Double
  /// Scene value above which the curve depends on the amount.
  let knee: Double

  private let tone: ProfileTone
  private let amount: Double
  private let boost: Double
  private let liftStops: Double
  /// Display value over scene value from the knee on, at amount 1; SDR profiles only.
  private let gain: Double
  private let shoulder: Shoulder
  /// Display value at which `shoulder` begins.
  private let start: Double

  private static let softness = 1.4

  /// The curve of `tone` for a scene whose brightest value is `peak`; `boost` above 0.
  init(_ tone: ProfileTone, peak: Double, amount: Double, boost: Double, shadowBoost: Double) {
    self.tone = tone
    self.peak = peak.isFinite ? max(peak, 0.01) : 1
    self.amount = min(max(amount, 0), 1)
    self.boost = min(max(boost, 0), 1)
    liftStops = (min(max(shadowBoost, 0), 2) - 1) * self.boost
    let b = self.boost
    let limit = Double(Headroom.maximum)
    switch tone.range {
    case .standard:
      let best = tone.knee(boost: b)
      (gain, knee) = (best.gain, best.scene)
      let start = best.display
      headroom = min(max(best.gain * self.peak, 1), limit)
      self.start = start
      shoulder = Shoulder(
        reach: best.gain * self.peak - start, height: max(headroom - start, 1e-6),
        softness: Self.softness)
    case .high(let maximum):
      let top = tone.rendered(self.peak, boost: b)
      let wanted = maximum.map { $0 > 0 ? $0 : limit } ?? limit
      headroom = min(max(top, 1), max(min(wanted, limit), 1))
      gain = 1
      knee = ToneCurve.gray
      start = headroom / 2
      shoulder = Shoulder(
        reach: top - start, height: headroom - start, softness: Self.softness)
    }
    ceiling = Headroom.brightest(of: headroom, amount: self.amount)
  }

  func callAsFunction(_ x: Double) -> Double {
    if x < 0 { return -self(-x) }
    let x = min(x, peak)
    var low = 0.0
    var high: Double
    switch tone.range {
    case .standard:
      low = own(min(x, 1))
      high = x <= knee ? own(x) : start + shoulder(gain * x - start)
      high = max(high, low)
    case .high:
      high = own(x)
      if high > start { high = start + shoulder(high - start) }
      low = Self.standardRange(high, peak: headroom)
    }
    let value = pow(low, 1 - amount) * pow(high, amount)
    let z = x / ToneCurve.gray
    let lift = z < 1 ? exp2(liftStops * (1 - z) * (1 - z)) : 1
    return min(value * lift, ceiling)
  }

  private func own(_ x: Double) -> Double { tone.rendered(x, boost: boost) }

  /// The display value limited to 1 by a shoulder from 18 % gray upwards.
  private static func standardRange(_ y: Double, peak: Double) -> Double {
    let g = ToneCurve.gray
    guard y > g, peak > 1 else { return min(y, 1) }
    return min(g + Shoulder(reach: peak - g, height: 1 - g, softness: softness)(y - g), 1)
  }
}

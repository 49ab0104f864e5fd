import Foundation
public import HDRRender
public import ImageCore

/// Hybrid log-gamma on a display of any peak, black and surround.
///
/// Source: ITU-R BT.2100-2, table 5 and notes 5e, 5f; BT.2390 for the surround. With E the inverse
/// OETF of the signal and Ys = 0.2627 R + 0.6780 G + 0.0593 B of E, the display shows Lw · Ys^(γ −
/// 1) · E,
///
///     γ = 1.2 + 0.42 · log10(Lw / 1000)      400…2000 cd/m²
///     γ = 1.2 · 1.111^log2(Lw / 1000)        outside
///     both times 0.98^log2(surround / 5)
///
/// and black is lifted: the signal is (1 − β) · E' + β with β = √(3 · (Lb/Lw)^(1/γ)). Units: cd/m²
/// for peak, black and surround; signals clamped to 0…1; rows of linear values in multiples of 203
/// cd/m². The reference display of 1000 cd/m² is `HLG`. Known failures: γ steps by 0.011 at 400 and
/// 0.007 at 2000 cd/m², where the two formulas, both of BT.2100, meet. Values stay relative to 203
/// cd/m² even on a display with a lower peak, where they are darker: the white of a 75 % signal is
/// 1.0 only on the reference display. Check values: γ(100) = 0.84591, γ(400) = 1.03287, γ(2000) =
/// 1.32643, γ(4000) = 1.48119; signal 0.212132 on a display of 1000 and 0.01 cd/m² → 7.3321975.
public struct HLGDisplay: Sendable, Hashable {
  /// Luminance of signal 1, cd/m².
  public let peakNits: Double
  /// Luminance of signal 0, cd/m².
  public let blackNits: Double
  /// Exponent of the opto-optical transfer function.
  public let systemGamma: Double
  private let lift: Double

  /// All luminances in cd/m². Throws unless the peak is 1…10,000, black 0 or more and below the
  /// peak, and the surround 0.01…10,000.
  public init(peakNits: Double = HLG.peakNits, blackNits: Double = 0, surroundNits: Double = 5)
    throws(OperatorError)
  {
    guard peakNits.isFinite, peakNits >= 1, peakNits <= PQ.peakNits else {
      throw OperatorError("hybrid log-gamma", "a peak of \(peakNits) cd/m²; give 1 to 10000")
    }
    guard blackNits >= 0, blackNits < peakNits else {
      throw OperatorError("hybrid log-gamma", "a black of \(blackNits) cd/m²; give 0 to the peak")
    }
    guard surroundNits.isFinite, surroundNits >= 0.01, surroundNits <= 10_000 else {
      throw OperatorError(
        "hybrid log-gamma", "a surround of \(surroundNits) cd/m²; give 0.01 to 10000")
    }
    self.peakNits = peakNits
    self.blackNits = blackNits
    let gamma =
      (400...2000).contains(peakNits)
      ? Self.gamma(peakNits: peakNits) : Self.extendedGamma(peakNits: peakNits)
    systemGamma = gamma * pow(0.98, log2(surroundNits / 5))
    lift = min((3 * pow(blackNits / peakNits, 1 / systemGamma)).squareRoot(), 1)
  }

  /// γ of BT.2100 note 5e, for displays of 400…2000 cd/m².
  public static func gamma(peakNits: Double) -> Double {
    HLG.systemGamma + 0.42 * log10(peakNits / HLG.peakNits)
  }

  /// γ of BT.2100 note 5f, for displays outside that range.
  public static func extendedGamma(peakNits: Double) -> Double {
    HLG.systemGamma * pow(1.111, log2(peakNits / HLG.peakNits))
  }

  /// The displayed luminance, cd/m², of each channel of a BT.2020 signal.
  public func nits(signal: SIMD3<Double>) -> SIMD3<Double> {
    var scene = SIMD3<Double>()
    for i in 0..<3 {
      let s = signal[i] > 0 ? min(signal[i], 1) : 0
      scene[i] = HLG.scene(signal: (1 - lift) * s + lift)
    }
    let y = (scene * Primaries.bt2020.luminance).sum()
    return y > 0 ? scene * (peakNits * pow(y, systemGamma - 1)) : SIMD3()
  }

  /// The BT.2020 signal that is displayed as `nits`, cd/m². Out-of-range luminances are clamped.
  public func signal(nits: SIMD3<Double>) -> SIMD3<Double> {
    let display = (nits / peakNits).clamped(lowerBound: SIMD3(), upperBound: SIMD3(1, 1, 1))
    let y = (display * Primaries.bt2020.luminance).sum()
    guard y > 0, lift < 1 else { return SIMD3() }
    let scene = display * pow(y, (1 - systemGamma) / systemGamma)
    var signal = SIMD3<Double>()
    for i in 0..<3 { signal[i] = max((HLG.signal(scene: scene[i]) - lift) / (1 - lift), 0) }
    return signal
  }
}

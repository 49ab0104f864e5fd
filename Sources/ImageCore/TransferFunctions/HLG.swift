import Foundation

/// Hybrid log-gamma of ITU-R BT.2100 for a display of 1000 cd/m² (system gamma 1.2).
/// Check values: OETF(1/12) = 0.5; reference white, 203 cd/m², has signal 0.7499.
public enum HLG {
  /// Peak of the reference display, cd/m².
  public static let peakNits = 1000.0
  /// Exponent of the opto-optical transfer function at that peak.
  public static let systemGamma = 1.2
  // The constants of the logarithm, BT.2100 table 5. Computed, so that vector loops of other
  // modules see constants.
  @inlinable package static var a: Double { 0.17883277 }
  @inlinable package static var b: Double { 1 - 4 * a }
  /// 0.5 − a · ln 4a.
  @inlinable package static var c: Double { 0.559910729529562 }

  /// The signal (0…1) of linear scene light (0…1).
  public static func signal(scene: Double) -> Double {
    let e = min(max(scene, 0), 1)
    return e <= 1 / 12.0 ? (3 * e).squareRoot() : a * log(12 * e - b) + c
  }

  /// The linear scene light of a signal, both 0…1.
  public static func scene(signal: Double) -> Double {
    let s = min(max(signal, 0), 1)
    return s <= 0.5 ? s * s / 3 : (exp((s - c) / a) + b) / 12
  }

  /// Display light, as a fraction of the peak, of BT.2020 scene light: E · Y^(γ − 1).
  public static func display(scene rgb: SIMD3<Double>) -> SIMD3<Double> {
    let y = max((rgb * Primaries.bt2020.luminance).sum(), 0)
    return rgb * pow(y, systemGamma - 1)
  }

  /// Scene light of BT.2020 display light given as a fraction of the peak: F · Y^((1 − γ) / γ).
  public static func scene(display rgb: SIMD3<Double>) -> SIMD3<Double> {
    let y = (rgb * Primaries.bt2020.luminance).sum()
    return y <= 0 ? SIMD3(0, 0, 0) : rgb * pow(y, (1 - systemGamma) / systemGamma)
  }
}

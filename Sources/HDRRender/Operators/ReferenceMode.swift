import Foundation
public import ImageCore

/// The reference display: D65, SDR white at 100 cd/m², peak at 1000, hence always ten times white
/// (Apple's Reference Mode). Pictures are displayed as encoded, whatever their metadata.
public enum ReferenceMode {
  /// Luminance of SDR white, cd/m².
  public static let whiteNits = 100.0
  /// Peak luminance, cd/m².
  public static let peakNits = 1000.0
  /// Peak over white.
  public static let headroom = peakNits / whiteNits

  /// Whether a display shows what reference rendering promises.
  public enum Status: String, Sendable, Hashable {
    /// It does: reference mode is on.
    case enabled
    /// Reference mode is on, but the current headroom is too low: it clips below the peak.
    case limited
    /// Supported, but switched off.
    case notEnabled
    /// Not supported.
    case notSupported
  }

  /// The status of a display with this current headroom, as a ratio to white.
  public static func status(isSupported: Bool, isEnabled: Bool, displayHeadroom: Double) -> Status {
    guard isSupported else { return .notSupported }
    guard isEnabled else { return .notEnabled }
    return displayHeadroom >= headroom ? .enabled : .limited
  }

  /// The fine-tuning matrix of a display, for linear RGB of `primaries`: white, D65, is displayed
  /// with the chromaticity `white` and `luminance` times its luminance (Bradford adaptation). One
  /// correction for all formats. Throws for a luminance or chromaticity that is not positive.
  public static func fineTuning(
    white: Chromaticity, luminance: Double, primaries: Primaries
  ) throws(OperatorError) -> Matrix3 {
    guard white.x.isFinite, white.y.isFinite, white.x > 0, white.y > 0.01, white.x + white.y < 1,
      luminance.isFinite, luminance > 0
    else {
      throw OperatorError(
        "reference mode",
        "white \(white.x), \(white.y) of luminance \(luminance); give a color inside the xy "
          + "triangle and a luminance above 0")
    }
    let adapted = ChromaticAdaptation.bradford(from: .d65, to: white)
    return primaries.fromXYZ * adapted * primaries.toXYZ * luminance
  }
}

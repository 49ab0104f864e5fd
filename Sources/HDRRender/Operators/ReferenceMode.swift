import Foundation
public import ImageCore

/// The reference display: D65, standard-range white at 100 cd/m², peak at 1000, hence always ten
/// times white (Apple's Reference Mode). Pictures are shown as coded, whatever their metadata says.
public enum ReferenceMode {
  /// Light of standard-range white, cd/m².
  public static let whiteNits = 100.0
  /// The brightest light, cd/m².
  public static let peakNits = 1000.0
  /// Peak over white.
  public static let headroom = peakNits / whiteNits

  /// Whether a display shows what reference rendering promises.
  public enum Status: String, Sendable, Hashable {
    /// It does.
    case enabled
    /// It is meant to, but has less than the headroom now, and clips below the peak.
    case limited
    /// It could, but is switched to something else.
    case notEnabled
    /// It cannot.
    case notSupported
  }

  /// The status of a display of this current headroom, a ratio to white.
  public static func status(isSupported: Bool, isEnabled: Bool, displayHeadroom: Double) -> Status {
    guard isSupported else { return .notSupported }
    guard isEnabled else { return .notEnabled }
    return displayHeadroom >= headroom ? .enabled : .limited
  }

  /// The fine-tuning of a display: linear RGB of `primaries` so changed that its white, D65, is
  /// shown in the chromaticity `white` and with `luminance` times its light (Bradford adaptation).
  /// One correction for all formats. Throws for a luminance or chromaticity that is not positive.
  public static func fineTuning(
    white: Chromaticity, luminance: Double, primaries: Primaries
  ) throws(OperatorError) -> Matrix3 {
    guard white.x.isFinite, white.y.isFinite, white.x > 0, white.y > 0.01, white.x + white.y < 1,
      luminance.isFinite, luminance > 0
    else {
      throw OperatorError(
        "reference mode",
        "white \(white.x), \(white.y) of luminance \(luminance); give a color inside the xy triangle "
          + "and a luminance above 0")
    }
    let adapted = ChromaticAdaptation.bradford(from: .d65, to: white)
    return primaries.fromXYZ * adapted * primaries.toXYZ * luminance
  }
}

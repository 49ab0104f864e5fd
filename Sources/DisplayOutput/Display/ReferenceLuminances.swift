import HDRRender
import ImageCore

/// The light, in cd/m², that systems of coding are defined for.
///
/// Source: ISO 22028-5 and IEC 61966-2-1 as Apple's session of 2023 on HDR images quotes them (0.2
/// and 80 for standard, 0.0005 and 203 for high range); ITU-R BT.2408 and SMPTE ST 2084 for video.
/// Between standard and high range pictures are converted by white, never by cd/m²: 1.0 stays 1.0.
public struct ReferenceLuminances: Sendable, Hashable {
  /// The darkest light.
  public let blackNits: Double
  /// Diffuse white: linear 1.0.
  public let whiteNits: Double
  /// The brightest light that a code stands for.
  public let peakNits: Double

  /// Peak over white.
  public var headroom: Double { peakNits / whiteNits }

  /// Stills of standard range: sRGB and Display P3 on their reference display.
  public static let standardStill = ReferenceLuminances(blackNits: 0.2, whiteNits: 80, peakNits: 80)
  /// Stills of high range (ISO 22028-5) in PQ.
  public static let pqStill = ReferenceLuminances(
    blackNits: 0.0005, whiteNits: ReferenceWhite.nits, peakNits: PQ.peakNits)
  /// Stills of high range (ISO 22028-5) in hybrid log-gamma on its reference display.
  public static let hlgStill = ReferenceLuminances(
    blackNits: 0.0005, whiteNits: ReferenceWhite.nits, peakNits: HLG.peakNits)
  /// Video of standard range: BT.709 mastered at 100 cd/m².
  public static let standardVideo = ReferenceLuminances(
    blackNits: 0, whiteNits: ReferenceMode.whiteNits, peakNits: ReferenceMode.whiteNits)
  /// Video of high range in PQ: up to 10,000 cd/m².
  public static let pqVideo = ReferenceLuminances(
    blackNits: 0, whiteNits: ReferenceWhite.nits, peakNits: PQ.peakNits)

  /// Linear light, 1.0 = white, of light on the system's own display.
  public func linear(nits: Double) -> Double { nits / whiteNits }

  /// Light on the system's own display.
  public func nits(linear: Double) -> Double { linear * whiteNits }
}

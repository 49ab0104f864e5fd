import HDRRender
import ImageCore

/// The luminances, in cd/m², for which encodings of still and video are defined.
///
/// Source: ISO 22028-5 and IEC 61966-2-1 as Apple's session of 2023 on HDR images quotes them (0.2
/// and 80 for SDR, 0.0005 and 203 for HDR); ITU-R BT.2408 and SMPTE ST 2084 for video.
/// Between SDR and HDR, pictures are matched at reference white, never by cd/m²: 1.0 stays 1.0.
public struct ReferenceLuminances: Sendable, Hashable {
  /// Black of the reference display.
  public let blackNits: Double
  /// Diffuse white: linear 1.0.
  public let whiteNits: Double
  /// Luminance of the largest code value.
  public let peakNits: Double

  /// Peak over white.
  public var headroom: Double { peakNits / whiteNits }

  /// SDR stills: sRGB and Display P3 on their reference display.
  public static let standardStill = ReferenceLuminances(blackNits: 0.2, whiteNits: 80, peakNits: 80)
  /// HDR stills (ISO 22028-5) in PQ.
  public static let pqStill = ReferenceLuminances(
    blackNits: 0.0005, whiteNits: ReferenceWhite.nits, peakNits: PQ.peakNits)
  /// HDR stills (ISO 22028-5) in hybrid log-gamma on its reference display.
  public static let hlgStill = ReferenceLuminances(
    blackNits: 0.0005, whiteNits: ReferenceWhite.nits, peakNits: HLG.peakNits)
  /// SDR video: BT.709 mastered at 100 cd/m².
  public static let standardVideo = ReferenceLuminances(
    blackNits: 0, whiteNits: ReferenceMode.whiteNits, peakNits: ReferenceMode.whiteNits)
  /// HDR video in PQ: up to 10,000 cd/m².
  public static let pqVideo = ReferenceLuminances(
    blackNits: 0, whiteNits: ReferenceWhite.nits, peakNits: PQ.peakNits)

  /// The linear value, 1.0 = white, of a luminance on the encoding's reference display.
  public func linear(nits: Double) -> Double { nits / whiteNits }

  /// The luminance of a linear value on the encoding's reference display, cd/m².
  public func nits(linear: Double) -> Double { linear * whiteNits }
}

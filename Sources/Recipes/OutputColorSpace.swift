public import HDRRender
public import ImageCore

/// The color space of an output in SDR, and of a 16-bit TIFF in HDR, too. The raw value is the name
/// in recipes and on the command line.
public enum OutputColorSpace: String, Sendable, Hashable, Codable, CaseIterable {
  /// Display P3.
  case displayP3 = "display-p3"
  /// sRGB.
  case srgb
  /// Adobe RGB (1998).
  case adobeRGB = "adobe-rgb"
  /// ProPhoto RGB (ROMM RGB).
  case proPhotoRGB = "prophoto-rgb"
  /// BT.2020 with the transfer function of BT.2020.
  case bt2020
  /// BT.2020, linear; TIFF only.
  case linearBT2020 = "linear-bt2020"
  /// BT.2100 PQ; TIFF only.
  case bt2100PQ = "bt2100-pq"
  /// BT.2100 HLG; TIFF only.
  case bt2100HLG = "bt2100-hlg"

  /// The space for a TIFF that keeps the range of `source`; nil for SDR, for which any
  /// will do.
  public init?(keeping source: DynamicRangeMix) {
    switch source.transfer {
    case .pq: self = .bt2100PQ
    case .hlg: self = .bt2100HLG
    default: return nil
    }
  }

  /// Whether values above reference white can be stored.
  public var isHDR: Bool { transfer != .standard }
  /// Whether it is for 16-bit TIFFs alone: other kinds of file have formats of their own for PQ and
  /// HLG, and show steps without a curve.
  package var isOfTIFF: Bool { isHDR || self == .linearBT2020 }
  /// The primaries of its three channels.
  public var primaries: Primaries {
    switch self {
    case .displayP3: .displayP3
    case .srgb: .srgb
    case .adobeRGB: .adobeRGB
    case .proPhotoRGB: .proPhoto
    case .bt2020, .linearBT2020, .bt2100PQ, .bt2100HLG: .bt2020
    }
  }
  /// Transfer function.
  public var transfer: DynamicRangeMix.Transfer {
    self == .bt2100PQ ? .pq : self == .bt2100HLG ? .hlg : .standard
  }
}

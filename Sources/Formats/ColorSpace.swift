public import HDRRender
public import ImageCore

/// The color spaces that files are written in: primaries with their white and a transfer function.
public enum ColorSpace: String, Sendable, Hashable, CaseIterable {
  /// Display P3: P3 primaries, sRGB curve.
  case displayP3
  /// IEC 61966-2-1.
  case sRGB
  /// Adobe RGB (1998): a power of 563/256.
  case adobeRGB
  /// ProPhoto RGB (ROMM RGB, ISO 22028-2): white D50, a power of 1.8 with a straight toe.
  case proPhoto
  /// BT.2020 primaries and the inverse of its OETF with the constants for 12 bits,
  /// α = 1.0993, β = 0.0181.
  case bt2020
  /// BT.2020 primaries, linear.
  case linearBT2020
  /// Display P3 primaries, linear.
  case linearDisplayP3
  /// sRGB primaries, linear.
  case linearSRGB
  /// Adobe RGB primaries, linear.
  case linearAdobeRGB
  /// ProPhoto RGB primaries, linear.
  case linearProPhoto
  /// ACES2065-1: AP0 primaries, linear.
  case aces2065
  /// ACEScg: AP1 primaries, linear.
  case acesCG
  /// The channels of the camera, linear: no color space, and without a profile.
  case camera
  /// BT.2100 PQ.
  case bt2100PQ
  /// BT.2100 HLG for a display of 1000 cd/m².
  case bt2100HLG

  /// The linear space of these primaries.
  public init(linear primaries: Primaries) {
    self =
      switch primaries {
      case .bt2020: .linearBT2020
      case .displayP3: .linearDisplayP3
      case .srgb: .linearSRGB
      case .adobeRGB: .linearAdobeRGB
      case .proPhoto: .linearProPhoto
      case .acesAP0: .aces2065
      case .acesAP1: .acesCG
      case .camera: .camera
      }
  }

  /// The space that files in `transfer` use: BT.2100 for PQ and HLG, `standard` for SDR.
  public init(_ transfer: DynamicRangeMix.Transfer, standard: ColorSpace = .displayP3) {
    self =
      switch transfer {
      case .pq: .bt2100PQ
      case .hlg: .bt2100HLG
      case .standard: standard
      }
  }

  /// Red, green and blue of the space.
  public var primaries: Primaries {
    switch self {
    case .displayP3, .linearDisplayP3: .displayP3
    case .sRGB, .linearSRGB: .srgb
    case .adobeRGB, .linearAdobeRGB: .adobeRGB
    case .proPhoto, .linearProPhoto: .proPhoto
    case .aces2065: .acesAP0
    case .acesCG: .acesAP1
    case .camera: .camera
    case .bt2020, .linearBT2020, .bt2100PQ, .bt2100HLG: .bt2020
    }
  }

  /// PQ, HLG, or SDR with any curve.
  public var transfer: DynamicRangeMix.Transfer {
    switch self {
    case .bt2100PQ: .pq
    case .bt2100HLG: .hlg
    default: .standard
    }
  }

  /// ColourPrimaries and TransferCharacteristics of ITU-T H.273; 2, unspecified, where it has none.
  package var codePoints: (primaries: UInt16, transfer: UInt16) {
    let curve: UInt16 =
      switch self {
      case .displayP3, .sRGB, .bt2100PQ, .bt2100HLG: transfer.codePoint
      case .bt2020: 14
      case .adobeRGB, .proPhoto: 2
      case .linearBT2020, .linearDisplayP3, .linearSRGB, .linearAdobeRGB, .linearProPhoto: 8
      case .aces2065, .acesCG, .camera: 8
      }
    return (primaries.codePoint, curve)
  }

  /// Whether files in it carry an ICC profile.
  package var hasProfile: Bool { self != .camera }

  /// Whether code values reach above reference white.
  public var isHDR: Bool { transfer != .standard }

  /// Luminance of the largest code value, cd/m².
  public var peakNits: Double {
    switch transfer {
    case .pq: PQ.peakNits
    case .hlg: HLG.peakNits
    case .standard: ReferenceWhite.nits
    }
  }

  /// The roll-off that brings a picture of `headroom` into the space; nil where it fits, and for
  /// PQ, which is clipped at 10,000 cd/m².
  package func toneMapping(headroom: Float) -> BT2390? {
    guard transfer != .pq else { return nil }
    return BT2390(sourceNits: Double(headroom) * ReferenceWhite.nits, targetNits: peakNits)
  }
}

extension DynamicRangeMix.Transfer {
  /// TransferCharacteristics of ITU-T H.273; for SDR that of sRGB.
  package var codePoint: UInt16 {
    switch self {
    case .standard: 13
    case .pq: 16
    case .hlg: 18
    }
  }
}

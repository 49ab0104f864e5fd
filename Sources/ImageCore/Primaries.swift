/// The red, green and blue of an RGB space whose white is D65, or is adapted to it: (1, 1, 1) is
/// the pipeline's white in all of them.
public enum Primaries: String, Sendable, Hashable, Codable, CaseIterable {
  /// ITU-R BT.2020 and BT.2100.
  case bt2020
  /// Display P3 (SMPTE EG 432-1 primaries, white D65).
  case displayP3
  /// sRGB and ITU-R BT.709.
  case srgb
  /// Adobe RGB (1998), section 4.3.1.
  case adobeRGB
  /// ProPhoto RGB (ROMM RGB, ISO 22028-2), defined under D50.
  case proPhoto
  /// AP0 of ACES2065-1 (SMPTE ST 2065-1:2021), which contain every color, with the ACES white.
  case acesAP0
  /// AP1 of ACEScg (Academy S-2014-004), with the same white.
  case acesAP1
  /// The filters of a camera, balanced so that its neutral has three equal values. Not a color
  /// space: channels pass unchanged, and where chromaticities are needed, as for the luminance of a
  /// statistic, BT.2020 is used.
  case camera

  /// Chromaticities of red, green and blue under ``white``.
  public var chromaticities: (red: Chromaticity, green: Chromaticity, blue: Chromaticity) {
    switch self {
    case .bt2020, .camera:
      (.init(x: 0.708, y: 0.292), .init(x: 0.170, y: 0.797), .init(x: 0.131, y: 0.046))
    case .displayP3:
      (.init(x: 0.680, y: 0.320), .init(x: 0.265, y: 0.690), .init(x: 0.150, y: 0.060))
    case .srgb:
      (.init(x: 0.640, y: 0.330), .init(x: 0.300, y: 0.600), .init(x: 0.150, y: 0.060))
    case .adobeRGB:
      (.init(x: 0.640, y: 0.330), .init(x: 0.210, y: 0.710), .init(x: 0.150, y: 0.060))
    case .proPhoto:
      (.init(x: 0.7347, y: 0.2653), .init(x: 0.1596, y: 0.8404), .init(x: 0.0366, y: 0.0001))
    case .acesAP0:
      (.init(x: 0.7347, y: 0.2653), .init(x: 0, y: 1), .init(x: 0.0001, y: -0.0770))
    case .acesAP1:
      (.init(x: 0.713, y: 0.293), .init(x: 0.165, y: 0.830), .init(x: 0.128, y: 0.044))
    }
  }

  /// The white that they are defined under.
  public var white: Chromaticity {
    switch self {
    case .proPhoto: .d50
    case .acesAP0, .acesAP1: .aces
    case .bt2020, .displayP3, .srgb, .adobeRGB, .camera: .d65
    }
  }

  /// ColourPrimaries of ITU-T H.273; 2, unspecified, where it has none.
  public var codePoint: UInt16 {
    switch self {
    case .bt2020: 9
    case .displayP3: 12
    case .srgb: 1
    case .adobeRGB, .proPhoto, .acesAP0, .acesAP1, .camera: 2
    }
  }

  /// Linear RGB to XYZ, both under D65; (1, 1, 1) has Y = 1. SMPTE RP 177. Primaries with another
  /// white are adapted by Bradford's matrix, so that their files hold the same values under it. ICC
  /// profiles use this adaptation and, for ACES, so do the Academy's own transforms
  /// (`calculate_cat_matrix` of its CTL) and OpenColorIO's built-in ones; CAT02 differs from it by
  /// up to 0.6 % of a channel.
  public var toXYZ: Matrix3 {
    let c = chromaticities
    let own = Matrix3(red: c.red, green: c.green, blue: c.blue, white: white) ?? .identity
    return white == .d65 ? own : ChromaticAdaptation.bradford(from: white, to: .d65) * own
  }

  /// XYZ under D65 to linear RGB.
  public var fromXYZ: Matrix3 { toXYZ.inverse ?? .identity }

  /// Weight of each channel in the luminance of linear RGB.
  public var luminance: SIMD3<Double> { toXYZ.rows[1] }

  /// Whether the channels are not colors, so that no matrix applies.
  private var isUnconverted: Bool { self == .camera }

  /// Linear RGB of these primaries to linear RGB of `target`.
  public func conversion(to target: Primaries) -> Matrix3 {
    self == target || isUnconverted || target.isUnconverted ? .identity : target.fromXYZ * toXYZ
  }
}

extension Matrix3 {
  /// Linear RGB of these chromaticities to XYZ under `white`; (1, 1, 1) has Y = 1. SMPTE RP 177.
  /// Nil where they lie on a line.
  package init?(red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
    let (r, g, b) = (red.xyz, green.xyz, blue.xyz)
    let columns = Matrix3(SIMD3(r.x, g.x, b.x), SIMD3(r.y, g.y, b.y), SIMD3(r.z, g.z, b.z))
    guard let inverse = columns.inverse else { return nil }
    self = columns * Matrix3(diagonal: inverse * white.xyz)
  }
}

extension Primaries {
  /// The name for users.
  package var name: String {
    switch self {
    case .bt2020: "BT.2020"
    case .displayP3: "Display P3"
    case .srgb: "sRGB"
    case .adobeRGB: "Adobe RGB"
    case .proPhoto: "ProPhoto RGB"
    case .acesAP0: "ACES2065-1"
    case .acesAP1: "ACEScg"
    case .camera: "camera RGB"
    }
  }
}

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
  /// BT.2020, linear; TIFF, OpenEXR and NPY.
  case linearBT2020 = "linear-bt2020"
  /// Display P3, linear; likewise.
  case linearP3 = "linear-p3"
  /// sRGB, linear; likewise.
  case linearSRGB = "linear-srgb"
  /// ACES2065-1: AP0, linear; floats only.
  case aces2065 = "aces2065-1"
  /// ACEScg: AP1, linear; floats only.
  case acesCG = "acescg"
  /// The camera's own channels behind the white balance, linear and without a color matrix; floats
  /// of raws only, at boost 0.
  case camera
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

  /// The space for a picture in SDR that keeps its `primaries`; nil where none has these.
  public init?(keeping primaries: Primaries) {
    let spaces = [Self.displayP3, .srgb, .adobeRGB, .proPhotoRGB, .bt2020]
    guard let space = spaces.first(where: { $0.primaries == primaries }) else { return nil }
    self = space
  }

  /// Whether values above reference white can be stored.
  public var isHDR: Bool { transfer != .standard }
  /// Whether it is for 16-bit TIFFs alone: other kinds of file have formats of their own for PQ and
  /// HLG, and show steps without a curve.
  package var isOfTIFF: Bool { isHDR || isLinear }
  /// Whether values are linear light.
  public var isLinear: Bool {
    switch self {
    case .linearBT2020, .linearP3, .linearSRGB, .aces2065, .acesCG, .camera: true
    default: false
    }
  }
  /// Whether integers hold it: others clip what they are for.
  package var isOfFloats: Bool { [.aces2065, .acesCG, .camera].contains(self) }
  /// The names of those that floats are written in.
  package static let linearNames = allCases.filter(\.isLinear).map(\.rawValue)
    .joined(separator: ", ")
  /// The primaries of its three channels.
  public var primaries: Primaries {
    switch self {
    case .displayP3, .linearP3: .displayP3
    case .srgb, .linearSRGB: .srgb
    case .aces2065: .acesAP0
    case .acesCG: .acesAP1
    case .camera: .camera
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

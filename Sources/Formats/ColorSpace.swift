public import HDRRender
public import ImageCore

/// What the three channels of a file's samples mean: primaries with their white, and the curve
/// between linear values and samples. ``allCases`` are the spaces that outputs are asked in, each
/// with its name in recipes and on the command line as raw value; any other pair of primaries and
/// curve is a space as well.
///
/// Not to be confused with `Primaries`, which define linear values; `DynamicRangeMix.Transfer`,
/// which of SDR, PQ and HLG a file is, whatever its curve in SDR; `SampleSpace`, a color space or
/// the device of an ICC profile; `ColorDescription` of the readers, what files of others declare.
public struct ColorSpace: RawRepresentable, Sendable, Hashable, Codable, CaseIterable {
  /// From linear values to samples.
  public enum Curve: Sendable, Hashable {
    /// No curve: samples are linear values.
    case linear
    /// IEC 61966-2-1.
    case sRGB
    /// A power of 563/256.
    case adobeRGB
    /// A power of 1.8 with a straight toe (ISO 22028-2).
    case proPhoto
    /// The inverse of the OETF of BT.2020 with the constants for 12 bits, α = 1.0993, β = 0.0181.
    case bt2020
    /// BT.2100 PQ.
    case pq
    /// BT.2100 HLG for a display of 1000 cd/m².
    case hlg
  }

  /// Red, green and blue of the space.
  public let primaries: Primaries
  /// From linear values to samples.
  public let curve: Curve

  /// Samples of `primaries` under `curve`.
  public init(_ primaries: Primaries, _ curve: Curve) {
    (self.primaries, self.curve) = (primaries, curve)
  }

  /// The linear space of these primaries.
  public init(linear primaries: Primaries) { self.init(primaries, .linear) }

  /// The space that files in `transfer` use: BT.2100 for PQ and HLG, `standard` for SDR.
  public init(_ transfer: DynamicRangeMix.Transfer, standard: ColorSpace = .displayP3) {
    self =
      switch transfer {
      case .pq: .bt2100PQ
      case .hlg: .bt2100HLG
      case .standard: standard
      }
  }

  /// Display P3: P3 primaries, sRGB curve.
  public static let displayP3 = ColorSpace(.displayP3, .sRGB)
  /// IEC 61966-2-1.
  public static let sRGB = ColorSpace(.srgb, .sRGB)
  /// Adobe RGB (1998).
  public static let adobeRGB = ColorSpace(.adobeRGB, .adobeRGB)
  /// ProPhoto RGB (ROMM RGB, ISO 22028-2), white D50.
  public static let proPhoto = ColorSpace(.proPhoto, .proPhoto)
  /// BT.2020 with the transfer function of BT.2020.
  public static let bt2020 = ColorSpace(.bt2020, .bt2020)
  /// BT.2020, linear.
  public static let linearBT2020 = ColorSpace(linear: .bt2020)
  /// Display P3, linear.
  public static let linearDisplayP3 = ColorSpace(linear: .displayP3)
  /// sRGB, linear.
  public static let linearSRGB = ColorSpace(linear: .srgb)
  /// ACES2065-1: AP0 primaries, linear; floats only.
  public static let aces2065 = ColorSpace(linear: .acesAP0)
  /// ACEScg: AP1 primaries, linear; floats only.
  public static let acesCG = ColorSpace(linear: .acesAP1)
  /// The camera's own channels after white balance, linear and without a color matrix: not a color
  /// space, no profile. Only for floats of raws, at boost 0.
  public static let camera = ColorSpace(linear: .camera)
  /// BT.2100 PQ.
  public static let bt2100PQ = ColorSpace(.bt2020, .pq)
  /// BT.2100 HLG for a display of 1000 cd/m².
  public static let bt2100HLG = ColorSpace(.bt2020, .hlg)

  private static let presets: [(name: String, space: ColorSpace)] = [
    ("display-p3", .displayP3), ("srgb", .sRGB), ("adobe-rgb", .adobeRGB),
    ("prophoto-rgb", .proPhoto), ("bt2020", .bt2020), ("linear-bt2020", .linearBT2020),
    ("linear-p3", .linearDisplayP3), ("linear-srgb", .linearSRGB), ("aces2065-1", .aces2065),
    ("acescg", .acesCG), ("camera", .camera), ("bt2100-pq", .bt2100PQ),
    ("bt2100-hlg", .bt2100HLG),
  ]

  /// The spaces that outputs are asked in.
  public static let allCases = presets.map(\.space)

  /// The space of this name; nil for an unknown one.
  public init?(rawValue: String) {
    guard let preset = Self.presets.first(where: { $0.name == rawValue }) else { return nil }
    self = preset.space
  }

  /// Its name in recipes and on the command line; for a space without one, ``name``.
  public var rawValue: String { Self.presets.first { $0.space == self }?.name ?? name }

  // By default raw-representable types compare raw values, which are found by comparing.

  /// Whether primaries and curve are equal.
  public static func == (a: ColorSpace, b: ColorSpace) -> Bool {
    a.primaries == b.primaries && a.curve == b.curve
  }

  /// Hashes primaries and curve.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(primaries)
    hasher.combine(curve)
  }

  /// The space for a TIFF that keeps the range of `source`; nil for SDR, for which any
  /// will do.
  public init?(keeping source: DynamicRangeMix) {
    guard source.transfer != .standard else { return nil }
    self.init(source.transfer)
  }

  /// The SDR space with these `primaries`, if any.
  public init?(keeping primaries: Primaries) {
    let space = Self.allCases.first { $0.primaries == primaries && !$0.isHDR && !$0.isLinear }
    guard let space else { return nil }
    self = space
  }
}

extension ColorSpace {
  /// PQ, HLG, or SDR with any curve.
  public var transfer: DynamicRangeMix.Transfer {
    switch curve {
    case .pq: .pq
    case .hlg: .hlg
    default: .standard
    }
  }

  /// Whether code values reach above reference white.
  public var isHDR: Bool { transfer != .standard }
  /// Whether samples are linear values.
  public var isLinear: Bool { curve == .linear }
  /// Whether it is for 16-bit TIFFs alone: other kinds of file have formats of their own for PQ and
  /// HLG, and show steps without a curve.
  package var isOfTIFF: Bool { isHDR || isLinear }
  /// Whether floats alone hold it: integers clip what it is for.
  package var isOfFloats: Bool { [.acesAP0, .acesAP1, .camera].contains(primaries) }
  /// The names of those that floats are written in.
  package static let linearNames = allCases.filter(\.isLinear).map(\.rawValue)
    .joined(separator: ", ")

  /// Display name, also of its ICC profile.
  public var name: String {
    let own =
      switch primaries {
      case .adobeRGB: "Adobe RGB (1998)"
      case .camera: "Camera RGB"
      default: primaries.name
      }
    return switch curve {
    case .pq: "BT.2100 PQ"
    case .hlg: "BT.2100 HLG"
    case .linear: isOfFloats ? own : "Linear " + own
    case .sRGB, .adobeRGB, .proPhoto, .bt2020: own
    }
  }

  /// ColourPrimaries and TransferCharacteristics of ITU-T H.273; 2 (unspecified) without one.
  package var codePoints: (primaries: UInt16, transfer: UInt16) {
    let code: UInt16 =
      switch curve {
      case .sRGB, .pq, .hlg: transfer.codePoint
      case .bt2020: 14
      case .adobeRGB, .proPhoto: 2
      case .linear: 8
      }
    return (primaries.codePoint, code)
  }

  /// Whether files in it carry an ICC profile.
  package var hasProfile: Bool { primaries != .camera }

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
  /// TransferCharacteristics of ITU-T H.273; for SDR, sRGB's.
  package var codePoint: UInt16 {
    switch self {
    case .standard: 13
    case .pq: 16
    case .hlg: 18
    }
  }
}

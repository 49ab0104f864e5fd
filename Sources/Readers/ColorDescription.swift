public import ImageCore

/// The color encoding of a picture: how its code values become linear values.
///
/// Source: ITU-T H.273 code points; `ICCReader` converts ICC profiles to this form. Primaries
/// that are not among `Primaries` are converted to BT.2020, unclipped.
public struct ColorDescription: Sendable, Hashable {
  /// From a code value of 0…1 to a linear value; 1.0 = reference white except in PQ and HLG.
  public enum Transfer: Sendable, Hashable {
    /// Code values are linear.
    case linear
    /// IEC 61966-2-1.
    case srgb
    /// The inverse of the OETF of BT.709, BT.601 and BT.2020.
    case bt709
    /// A power law with this exponent.
    case gamma(Double)
    /// SMPTE ST 2084, in cd/m²; reference white is 203.
    case pq
    /// BT.2100 HLG shown on a display of 1000 cd/m².
    case hlg
    /// Linear values at evenly spaced code values 0…1, for red, green and blue; from an ICC
    /// profile.
    case curves([[Float]])
    /// A lookup table over all channels to linear BT.2020; from an ICC profile.
    case lookup(ProfileLookup)
    /// Four printing inks, to linear BT.2020.
    case inks(InkLookup)
    /// CIE L*a*b* under D50, to linear BT.2020.
    case lab(LabCoding)
  }

  /// Where the file declares it.
  public enum Origin: String, Sendable, Hashable, Codable {
    /// H.273 code points of the container or codec.
    case codePoints = "code-points"
    /// An ICC profile.
    case profile
    /// ColorSpace and index of interoperability of Exif.
    case exif
    /// Undeclared: sRGB is assumed.
    case assumed
  }

  /// Primaries of the linear values.
  public var primaries: Primaries
  /// From code value to linear value.
  public var transfer: Transfer
  /// From the file's own linear channels to `primaries`; identity where they are the same.
  public var matrix: Matrix3
  /// Where the file declares it.
  public var origin: Origin
  /// Primaries, transfer and matrix of H.273 in the file.
  public var codePoints: [UInt16]?
  /// The ICC profile in the file.
  public var profile: [UInt8]?
  /// Display name, from the profile or the code points.
  public var name: String

  /// A description.
  public init(
    primaries: Primaries, transfer: Transfer, matrix: Matrix3 = .identity, origin: Origin,
    codePoints: [UInt16]? = nil, profile: [UInt8]? = nil, name: String
  ) {
    (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
    (self.origin, self.codePoints, self.profile) = (origin, codePoints, profile)
    self.name = name
  }

  /// The encoding assumed for a picture that declares none.
  public static let assumed = ColorDescription(
    primaries: .srgb, transfer: .srgb, origin: .assumed, name: "sRGB (assumed)")

  /// The encoding of a JPEG whose Exif names Adobe RGB.
  static let adobeRGB = ColorDescription(
    primaries: .adobeRGB, transfer: .gamma(AdobeRGB.exponent), origin: .exif, name: "Adobe RGB")

  /// The encoding of a plane of numbers, such as alpha.
  static let linearGray = ColorDescription(
    primaries: .bt2020, transfer: .linear, origin: .assumed, name: "linear")

  /// Whether code values reach above reference white.
  public var isHighDynamicRange: Bool { transfer == .pq || transfer == .hlg }

  /// Whether the transfer function is one of BT.2100, whatever the primaries.
  public var usesITU2100TransferFunction: Bool { isHighDynamicRange }

  /// Whether the transfer function is PQ.
  public var isPQ: Bool { transfer == .pq }
  /// Whether the transfer function is hybrid log-gamma.
  public var isHLG: Bool { transfer == .hlg }
  /// Whether samples outside 0…1 mean values below black and above white: linear and sRGB, where
  /// the file stores floats.
  public var isExtendable: Bool { transfer == .linear || transfer == .srgb }

  /// The encoding of H.273 code points; nil when the transfer or primaries are not supported.
  /// Unspecified ones (2) mean sRGB.
  public init?(primaries p: UInt16, transfer t: UInt16, matrix m: UInt16) {
    guard let transfer = Transfer(codePoint: t), let (primaries, matrix) = Self.primaries(p)
    else { return nil }
    self.init(
      primaries: primaries, transfer: transfer, matrix: matrix, origin: .codePoints,
      codePoints: [p, t, m], name: "\(Self.name(primaries: p)), \(Self.name(transfer: t))")
  }

  /// The matrix from linear RGB of these chromaticities to `target`, with chromatic adaptation.
  static func conversion(
    red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity,
    to target: Primaries
  ) -> Matrix3? {
    Matrix3(red: red, green: green, blue: blue, white: white).map {
      target.fromXYZ * ChromaticAdaptation.bradford(from: white, to: .d65) * $0
    }
  }

  private static func primaries(_ code: UInt16) -> (Primaries, Matrix3)? {
    func other(_ v: [Double], white: Chromaticity) -> (Primaries, Matrix3)? {
      conversion(
        red: .init(x: v[0], y: v[1]), green: .init(x: v[2], y: v[3]),
        blue: .init(x: v[4], y: v[5]), white: white, to: .bt2020
      ).map { (.bt2020, $0) }
    }
    let illuminantC = Chromaticity(x: 0.310, y: 0.316)
    switch code {
    case 1, 2: return (.srgb, .identity)
    case 4: return other([0.67, 0.33, 0.21, 0.71, 0.14, 0.08], white: illuminantC)
    case 5: return other([0.64, 0.33, 0.29, 0.60, 0.15, 0.06], white: .d65)
    case 6, 7: return other([0.630, 0.340, 0.310, 0.595, 0.155, 0.070], white: .d65)
    case 8: return other([0.681, 0.319, 0.243, 0.692, 0.145, 0.049], white: illuminantC)
    case 9: return (.bt2020, .identity)
    case 11:
      return other(
        [0.680, 0.320, 0.265, 0.690, 0.150, 0.060], white: Chromaticity(x: 0.314, y: 0.351))
    case 12: return (.displayP3, .identity)
    case 22: return other([0.630, 0.340, 0.295, 0.605, 0.155, 0.077], white: .d65)
    default: return nil
    }
  }

  /// The luminance weights of red and blue for these H.273 primaries; nil where they are unknown or
  /// their white is not D65.
  static func luma(primaries code: UInt16) -> (red: Double, blue: Double)? {
    guard ![4, 8, 11].contains(code), let (primaries, matrix) = primaries(code) else { return nil }
    let weights = primaries.luminance
    func weight(_ column: SIMD3<Double>) -> Double { (weights * (matrix * column)).sum() }
    return (weight(SIMD3(1, 0, 0)), weight(SIMD3(0, 0, 1)))
  }

  private static func name(primaries: UInt16) -> String {
    switch primaries {
    case 1, 2: "BT.709"
    case 9: "BT.2020"
    case 12: "Display P3"
    case 5, 6, 7: "BT.601"
    default: "primaries \(primaries)"
    }
  }

  private static func name(transfer: UInt16) -> String {
    switch transfer {
    case 1, 6, 14, 15: "BT.709 curve"
    case 2, 13: "sRGB curve"
    case 8: "linear"
    case 16: "PQ"
    case 18: "HLG"
    default: "transfer \(transfer)"
    }
  }
}

extension ColorDescription.Transfer {
  /// Display name.
  var name: String {
    switch self {
    case .linear: "linear"
    case .srgb: "sRGB curve"
    case .bt709: "BT.709 curve"
    case .gamma(let exponent): "gamma \((exponent * 1000).rounded() / 1000)"
    case .pq: "PQ"
    case .hlg: "HLG"
    case .curves, .lookup, .inks, .lab: "profile"
    }
  }

  /// By TransferCharacteristics of ITU-T H.273; unspecified (2) is sRGB's, nil is not supported.
  init?(codePoint: UInt16) {
    switch codePoint {
    case 1, 6, 14, 15: self = .bt709
    case 2, 13: self = .srgb
    case 4: self = .gamma(2.2)
    case 5: self = .gamma(2.8)
    case 8: self = .linear
    case 16: self = .pq
    case 17: self = .gamma(2.6)
    case 18: self = .hlg
    default: return nil
    }
  }
}

extension ColorDescription {
  /// Display name of a space: these primaries where `matrix` is the identity, else the file's own.
  static func name(of space: (Primaries, Matrix3)) -> String {
    space.1 == .identity ? space.0.name : "own primaries"
  }

  /// The primaries of the file's own channels; nil where they are not in `Primaries` or a table
  /// defines them.
  package var namedPrimaries: Primaries? {
    switch transfer {
    case .lookup, .inks, .lab: return nil
    default: break
    }
    return matrix == .identity ? primaries : nil
  }
}

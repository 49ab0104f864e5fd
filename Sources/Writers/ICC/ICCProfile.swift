import Codecs
public import Formats
import Foundation
public import ImageCore

/// The color spaces that rawdev's files name, as ICC profiles (ICC.1:2022, version 4.4).
///
/// All have the white D65 and linear Bradford adaptation to the connection space (`chad`). Their
/// bytes depend on nothing but the case: the date is a constant and the profile identifier is the
/// MD5 of the specification.
///
/// The BT.2100 profiles carry `cicp`, by which readers of HDR go. For all others their curve shows
/// the picture as far as reference white: PCS Y = 1 and `lumi` stand for 203 cd/m², and what is
/// brighter is cut. The curve of HLG is that of a gray, as a curve for each channel has to be.
public enum ICCProfile: String, Sendable, Hashable, CaseIterable {
  /// Display P3: P3 primaries, sRGB curve.
  case displayP3
  /// IEC 61966-2-1.
  case sRGB
  /// BT.2020 primaries and the inverse of its OETF with the constants for 12 bits,
  /// α = 1.0993, β = 0.0181; a picture coded by that OETF comes back as the same light.
  case bt2020
  /// BT.2020 primaries, linear.
  case linearBT2020
  /// Display P3 primaries, linear.
  case linearDisplayP3
  /// sRGB primaries, linear.
  case linearSRGB
  /// BT.2100 PQ: `cicp` 9/16/0/1.
  case bt2100PQ
  /// BT.2100 HLG: `cicp` 9/18/0/1.
  case bt2100HLG

  /// The linear space of these primaries.
  public init(linear primaries: Primaries) {
    self =
      switch primaries {
      case .bt2020: .linearBT2020
      case .displayP3: .linearDisplayP3
      case .srgb: .linearSRGB
      }
  }

  /// Red, green and blue of the space.
  public var primaries: Primaries {
    switch self {
    case .displayP3, .linearDisplayP3: .displayP3
    case .sRGB, .linearSRGB: .srgb
    case .bt2020, .linearBT2020, .bt2100PQ, .bt2100HLG: .bt2020
    }
  }

  /// The profile's name, as readers show it.
  public var name: String {
    switch self {
    case .displayP3: "Display P3"
    case .sRGB: "sRGB"
    case .bt2020: "BT.2020"
    case .linearBT2020: "Linear BT.2020"
    case .linearDisplayP3: "Linear Display P3"
    case .linearSRGB: "Linear sRGB"
    case .bt2100PQ: "BT.2100 PQ"
    case .bt2100HLG: "BT.2100 HLG"
    }
  }

  /// The complete profile. Throws `.encoderFailed` with lcms2's own words when it cannot be built.
  public func bytes() throws(WriteError) -> [UInt8] {
    try WriteError.encoding { () throws(CodecError) in
      let builder = try LCMSDisplayProfile(
        primaries: primaries, curve: curve, name: name,
        whiteNits: codePoints == nil ? nil : ReferenceWhite.nits)
      return try ICCSerialization.finished(try builder.bytes(), codePoints: codePoints)
    }
  }

  /// Primaries, transfer, matrix and range of ITU-T H.273, where the space has no other exact name.
  var codePoints: [UInt8]? {
    switch self {
    case .bt2100PQ: [9, 16, 0, 1]
    case .bt2100HLG: [9, 18, 0, 1]
    default: nil
    }
  }

  /// From signal to linear light.
  var curve: LCMSDisplayProfile.Curve {
    switch self {
    case .displayP3, .sRGB:
      .parametric([
        SRGB.exponent, 1 / SRGB.scale, SRGB.offset / SRGB.scale, 1 / SRGB.slope, SRGB.signalEnd,
      ])
    case .bt2020:
      .parametric([
        1 / BT709.exponent, 1 / BT2020.alpha, (BT2020.alpha - 1) / BT2020.alpha, 1 / BT709.slope,
        BT709.slope * BT2020.beta,
      ])
    case .linearBT2020, .linearDisplayP3, .linearSRGB: .linear
    case .bt2100PQ: .table(Self.table { PQ.nits(signal: $0) })
    case .bt2100HLG:
      .table(
        Self.table { pow(HLG.scene(signal: $0), HLG.systemGamma) * HLG.peakNits })
    }
  }

  /// Samples of a curve that gives cd/m², 65535 = reference white. With 4096 of them a straight
  /// line between two misses PQ by at most 0.03 cd/m² below reference white.
  private static func table(nits: (Double) -> Double) -> [UInt16] {
    (0..<4096).map { index in
      let light = nits(Double(index) / 4095) / ReferenceWhite.nits
      return UInt16((min(max(light, 0), 1) * 65_535).rounded())
    }
  }
}

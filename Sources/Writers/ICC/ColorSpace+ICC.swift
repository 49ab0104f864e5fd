import Codecs
public import Formats
import Foundation
import ImageCore

// ICC profiles (ICC.1:2022, version 4.4) of the color spaces.
//
// All have the white of their primaries, D65 except for ProPhoto RGB, and linear Bradford
// adaptation to the connection space (`chad`). Their bytes depend only on the space: the
// date is a constant and the profile identifier is the MD5 of the specification.
//
// The BT.2100 profiles carry `cicp`, which readers of HDR use. For all others their curve shows the
// picture up to reference white: PCS Y = 1 and `lumi` are 203 cd/m², and brighter values are
// clipped. The curve of HLG is exact for grays, because the curve of a channel cannot depend on the
// others.

extension ColorSpace {
  /// The complete ICC profile. Throws `.encoderFailed` with lcms2's message when it cannot be
  /// built.
  public func iccProfile() throws(WriteError) -> [UInt8] { try iccProfile(isGray: false) }

  /// The same, of one channel of gray under the same curve if requested, and with the gains for
  /// other displays of a picture in HDR.
  func iccProfile(
    isGray: Bool, adaptiveGainCurve: [UInt8]? = nil
  ) throws(WriteError) -> [UInt8] {
    guard hasProfile else {
      throw WriteError(.badSetting, "\(name) has no ICC profile")
    }
    return try WriteError.encoding { () throws(CodecError) in
      let builder = try LCMSDisplayProfile(
        primaries: primaries, curve: profileCurve, name: isGray ? "Gray, " + name : name,
        whiteNits: isHDR ? ReferenceWhite.nits : nil, isGray: isGray)
      return try ICCSerialization.finished(
        try builder.bytes(), cicp: isHDR ? cicp : nil, curve: isHDR ? adaptiveGainCurve : nil)
    }
  }

  /// The payload of `cicp` and `cICP`: primaries, transfer, no matrix and full range (ITU-T H.273).
  /// In profiles for PQ and HLG, which a curve only approximates.
  var cicp: [UInt8] { [UInt8(codePoints.primaries), UInt8(codePoints.transfer), 0, 1] }

  /// From signal to linear values.
  var profileCurve: LCMSDisplayProfile.Curve {
    switch curve {
    case .sRGB:
      .parametric([
        SRGB.exponent, 1 / SRGB.scale, SRGB.offset / SRGB.scale, 1 / SRGB.slope, SRGB.signalEnd,
      ])
    case .bt2020:
      .parametric([
        1 / BT709.exponent, 1 / BT2020.alpha, (BT2020.alpha - 1) / BT2020.alpha, 1 / BT709.slope,
        BT709.slope * BT2020.beta,
      ])
    case .adobeRGB: .parametric([AdobeRGB.exponent, 1, 0, 0, 0])
    case .proPhoto:
      .parametric([ROMM.exponent, 1, 0, 1 / ROMM.slope, ROMM.slope * ROMM.linearEnd])
    case .linear: .linear
    case .pq: .table(Self.table { PQ.nits(signal: $0) })
    case .hlg:
      .table(
        Self.table { pow(HLG.scene(signal: $0), HLG.systemGamma) * HLG.peakNits })
    }
  }

  /// Samples of a curve in cd/m², 65535 = reference white. With 4096 of them linear interpolation
  /// is off by at most 0.03 cd/m² from PQ below reference white.
  private static func table(nits: (Double) -> Double) -> [UInt16] {
    (0..<4096).map { index in
      let linear = nits(Double(index) / 4095) / ReferenceWhite.nits
      return UInt16((min(max(linear, 0), 1) * 65_535).rounded())
    }
  }
}

public import ImageCore

/// The weights of red and blue in luma.
public enum LumaMatrix: String, Sendable, Hashable, CaseIterable {
  /// ITU-R BT.709.
  case bt709
  /// ITU-R BT.2020 and BT.2100, non-constant luminance.
  case bt2020

  /// H.273 MatrixCoefficients.
  public var code: Int { self == .bt709 ? 1 : 9 }
  var red: Float { self == .bt709 ? 0.2126 : 0.2627 }
  var blue: Float { self == .bt709 ? 0.0722 : 0.0593 }
}

/// The color encoding and HDR metadata of pixels in memory, without which code values have no
/// meaning.
public struct PixelAttachments: Sendable, Hashable {
  /// Red, green and blue.
  public var primaries: Primaries
  /// The function from linear values to signal.
  public var transfer: SignalTransfer
  /// How luma is made; nil for red, green and blue.
  public var matrix: LumaMatrix?
  /// Mastering display, content light, ambient light.
  public var hdrMetadata: HDRMetadata

  /// These properties.
  public init(
    primaries: Primaries, transfer: SignalTransfer, matrix: LumaMatrix? = nil,
    hdrMetadata: HDRMetadata = HDRMetadata()
  ) {
    (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
    self.hdrMetadata = hdrMetadata
  }

  /// The meaning of pixels without attachments: sRGB, BT.709 luma.
  public static let standard = PixelAttachments(primaries: .srgb, transfer: .srgb, matrix: .bt709)

  /// The headroom that the content light level declares, 1 or more; nil when it declares none.
  public var contentHeadroom: Double? {
    guard let nits = hdrMetadata.contentLight?.maximumNits, nits > 0, nits.isFinite else {
      return nil
    }
    return max(nits / ReferenceWhite.nits, 1)
  }

  /// H.273 ColorPrimaries.
  public var primariesCode: Int { Int(primaries.codePoint) }
}

import Formats
import ImageCore

extension ContentLightStatistics {
  /// The note on light that `space` did not hold and that nothing rolled off, as of floats, whose
  /// headroom no file declares; none for spaces of HDR.
  func clippingNotes(in space: ColorSpace) -> [String] {
    guard contentHeadroom > 1.000_1, !space.isHDR else { return [] }
    return ["values above reference white were clipped; tiff-float or an HDR format holds it"]
  }
}

import Formats
import ImageCore

extension ContentLightStatistics {
  /// The note on values that `space` cannot hold and that were not rolled off, such as of floats,
  /// which declare no headroom; nothing for HDR spaces.
  func clippingNotes(in space: ColorSpace) -> [String] {
    guard contentHeadroom > 1.000_1, !space.isHDR else { return [] }
    return ["values above reference white were clipped; tiff-float or an HDR format holds it"]
  }
}

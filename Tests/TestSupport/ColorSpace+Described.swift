public import Formats
import ImageCore

extension ColorSpace {
  /// Spaces that ICC profiles describe: all that outputs are asked in, and linear ones of maps.
  public static let described =
    allCases.filter(\.hasProfile)
    + [ColorSpace(linear: .adobeRGB), ColorSpace(linear: .proPhoto)]
}

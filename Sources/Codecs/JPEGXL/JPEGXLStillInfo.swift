package import Containers
package import ImageCore

/// The header of a JPEG XL picture: everything known before its pixels are decoded.
package struct JPEGXLStillInfo: Sendable {
  /// An enumerated color encoding, which needs no ICC profile.
  package struct Encoding: Sendable, Hashable {
    package var isGray: Bool
    package var white, red, green, blue: Chromaticity
    /// TransferCharacteristics of H.273, or 65535: a power law.
    package var transfer: UInt16
    /// The encoding exponent, for transfer 65535.
    package var gamma: Double
  }

  /// Columns and rows, upright: libjxl applies the orientation.
  package var size = PixelSize(width: 0, height: 0)
  package var bits = 8
  package var isFloat = false
  /// 1 gray or 3.
  package var channels = 3
  /// Luminance of 1.0, and of black, cd/m².
  package var intensityTarget = 255.0
  package var minimumNits = 0.0
  /// Whether pixels are stored in XYB, which libjxl converts to any color space.
  package var isXYB = false
  package var hasAlpha = false
  package var isPremultiplied = false
  /// Extra channels, alpha included.
  package var extraChannels = 0
  package var hasBlack = false
  package var isAnimated = false
  /// The cost of its first picture; nil where headers of its frames are damaged or missing.
  package var cost: JPEGXLPictureCost?
  package var encoding: Encoding?
  package var profile: [UInt8]?
  /// The content of the Exif box.
  package var exif: [UInt8]?
  package var xmp: [UInt8]?
  /// The content of the box with the gain map.
  package var gainMap: [UInt8]?
}

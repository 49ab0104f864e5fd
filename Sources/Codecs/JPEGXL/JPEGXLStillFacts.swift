package import ImageCore

/// What a JPEG XL picture says of itself before its pixels are decoded.
package struct JPEGXLStillFacts: Sendable {
  /// Colors by their numbers, where no ICC profile is needed to say them.
  package struct Encoding: Sendable, Hashable {
    package var isGray: Bool
    package var white, red, green, blue: Chromaticity
    /// Transfer of H.273, or 65535: a power.
    package var transfer: UInt16
    /// The power that light was coded with, for transfer 65535.
    package var gamma: Double
  }

  /// Columns and rows, upright: libjxl turns the picture.
  package var size = PixelSize(width: 0, height: 0)
  package var bits = 8
  package var isFloat = false
  /// 1 gray or 3.
  package var channels = 3
  /// Light of 1.0, and of black, cd/m².
  package var intensityTarget = 255.0
  package var minimumNits = 0.0
  /// Whether pixels are stored in libjxl's own opponent colors, from which any other are made.
  package var isXYB = false
  package var hasAlpha = false
  package var isPremultiplied = false
  /// Further channels, alpha included.
  package var extraChannels = 0
  package var hasBlack = false
  package var isAnimated = false
  package var encoding: Encoding?
  package var profile: [UInt8]?
  /// The Exif block, from its byte order mark on.
  package var exif: [UInt8]?
  package var xmp: [UInt8]?
}

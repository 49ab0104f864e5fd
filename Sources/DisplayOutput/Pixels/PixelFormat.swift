/// How the samples of a picture are laid out in memory for other programs. All words are
/// little-endian.
public enum PixelFormat: String, Sendable, Hashable, CaseIterable {
  /// Red, green, blue, alpha, a byte each.
  case rgba8
  /// Red, green, blue, alpha, 16-bit integers.
  case rgba16
  /// Red, green, blue, alpha, 16-bit floats.
  case rgbaHalf
  /// Red, green, blue, alpha, 32-bit floats.
  case rgbaFloat
  /// A 32-bit word for a pixel, from the top two bits of alpha, ten each of red, green and blue
  /// (`l10r`).
  case rgb10
  /// A plane of luma and one of Cb, Cr pairs at half the columns and rows; ten bits in the upper
  /// bits of 16-bit words, luma 0…1023 (`xf20`).
  case biplanar10FullRange
  /// The same with luma 64…940 and color differences 64…960 (`x420`).
  case biplanar10VideoRange

  /// Whether it has the depth for HDR: ten bits or floats.
  public var isHDRSafe: Bool { self != .rgba8 }

  /// Whether values outside 0…1 can be stored.
  public var isFloat: Bool { self == .rgbaHalf || self == .rgbaFloat }

  /// Whether luma and color differences are stored.
  public var isBiplanar: Bool { self == .biplanar10FullRange || self == .biplanar10VideoRange }

  /// Bytes of a pixel, in the first plane.
  public var bytesPerPixel: Int {
    switch self {
    case .rgba8, .rgb10: 4
    case .rgba16, .rgbaHalf: 8
    case .rgbaFloat: 16
    case .biplanar10FullRange, .biplanar10VideoRange: 2
    }
  }

  /// The largest code value of a channel; nil for floats.
  var top: Float? {
    switch self {
    case .rgba8: 255
    case .rgba16: 65_535
    case .rgbaHalf, .rgbaFloat: nil
    case .rgb10, .biplanar10FullRange, .biplanar10VideoRange: 1023
    }
  }
}

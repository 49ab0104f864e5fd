import Formats
import ImageCore

/// Converts one row of linear values to interleaved 16-bit RGB code values.
///
/// Any value is accepted: what the color space cannot hold is clamped, NaN becomes 0.
protocol RowEncoder: Sendable {
  /// Converts `rows`, 1.0 = reference white, which may be overwritten, to three code values a
  /// pixel. Nothing is written beyond these.
  func encode(_ rows: RGBRows, into codes: UnsafeMutablePointer<UInt16>)
}

extension RowEncoder {
  /// The same in 8 bits, rounded from 16 without dithering. `scratch` takes the 16-bit codes of a
  /// row.
  func encode(
    _ rows: RGBRows, scratch: UnsafeMutablePointer<UInt16>, into bytes: UnsafeMutablePointer<UInt8>
  ) {
    unsafe encode(rows, into: scratch)
    for i in 0..<3 * rows.count {
      unsafe bytes[i] = UInt8((UInt32(scratch[i]) &* 255 &+ 32_767) / 65_535)
    }
  }
}

extension ColorSpace {
  /// From linear values to 16-bit code values of this space.
  var rowEncoder: any RowEncoder {
    switch curve {
    case .sRGB: PowerEncoder.sRGB
    case .bt2020: PowerEncoder.bt2020
    case .linear: LinearEncoder()
    case .adobeRGB, .proPhoto, .pq, .hlg: SignalEncoder(signal: signal)
    }
  }
}

import CVector
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

extension ColorSpace {
  /// From linear values to 16-bit code values of this space.
  var rowEncoder: any RowEncoder {
    switch self {
    case .displayP3, .sRGB: PowerEncoder.sRGB
    case .bt2020: PowerEncoder.bt2020
    case .linearBT2020, .linearDisplayP3, .linearSRGB: LinearEncoder()
    case .bt2100PQ, .bt2100HLG: SignalEncoder(transfer: transfer)
    }
  }
}

extension RGBRows {
  /// Writes `code` of each sample, interleaved. `codes` has no margin, so the lanes of the last,
  /// partial vector are stored one at a time.
  @inline(__always)
  func interleave(
    into codes: UnsafeMutablePointer<UInt16>, _ code: (SIMD8<Float>) -> SIMD8<UInt16>
  ) {
    let whole = count & ~7
    for x in vectors(whole) {
      let rgb = lanes(x)
      unsafe cv_store_rgb8(codes + 3 &* x, code(rgb.red), code(rgb.green), code(rgb.blue))
    }
    guard whole < count else { return }
    let rgb = lanes(whole)
    let (r, g, b) = (code(rgb.red), code(rgb.green), code(rgb.blue))
    for lane in 0..<count &- whole {
      let at = 3 &* (whole &+ lane)
      unsafe (codes[at], codes[at &+ 1], codes[at &+ 2]) = (r[lane], g[lane], b[lane])
    }
  }
}

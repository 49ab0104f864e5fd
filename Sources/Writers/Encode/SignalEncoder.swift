import Formats
import HDRRender
import ImageCore

/// Linear values to signal, in place.
protocol RowSignal: Sendable {
  /// Replaces the linear values of three rows, 1.0 = reference white, by their signal, 0…1. Any
  /// value is accepted: NaN becomes 0.
  func encode(_ rows: RGBRows)
}

/// Signal as 16-bit code values, shared with HEIF, AVIF and JPEG. Error before rounding: 0.13 of a
/// 16-bit code value for PQ, 0.6 for HLG, 0.07 for SDR.
struct SignalEncoder: RowEncoder {
  let signal: any RowSignal

  func encode(_ rows: RGBRows, into codes: UnsafeMutablePointer<UInt16>) {
    signal.encode(rows)
    unsafe LinearEncoder().encode(rows, into: codes)
  }
}

/// The curves of BT.2100.
enum HDRSignal: RowSignal {
  case pq, hlg

  func encode(_ rows: RGBRows) {
    switch self {
    case .pq: PQEncoding.encode(rows)
    case .hlg: HLGEncoding.encode(rows)
    }
  }
}

extension ColorSpace {
  /// From linear values to the signal of this space.
  var signal: any RowSignal {
    switch curve {
    case .sRGB: SDREncoding.sRGB
    case .bt2020: SDREncoding.bt2020
    case .adobeRGB: SDREncoding.adobeRGB
    case .proPhoto: SDREncoding.proPhoto
    case .linear: SDREncoding.linear
    case .pq: HDRSignal.pq
    case .hlg: HDRSignal.hlg
    }
  }
}

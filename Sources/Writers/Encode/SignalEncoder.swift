import HDRRender
import ImageCore

/// The HDR curves of BT.2100, shared with HEIF: linear values to signal in place, then to code
/// values. Error before rounding: 0.13 of a 16-bit code value for PQ, 0.6 for HLG.
struct SignalEncoder: RowEncoder {
  let transfer: DynamicRangeMix.Transfer

  func encode(_ rows: RGBRows, into codes: UnsafeMutablePointer<UInt16>) {
    transfer.encode(rows)
    unsafe LinearEncoder().encode(rows, into: codes)
  }
}

extension DynamicRangeMix.Transfer {
  /// Replaces the linear values of three rows by their signal, 0…1.
  func encode(_ rows: RGBRows) {
    switch self {
    case .pq: PQEncoding.encode(rows)
    case .hlg: HLGEncoding.encode(rows)
    case .standard: SDREncoding.encode(rows)
    }
  }
}

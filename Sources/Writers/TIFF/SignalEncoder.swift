import ImageCore

/// The HDR curves of BT.2100, shared with HEIF: light to signal in place, then to codes. Error
/// before rounding: 0.13 of a 16-bit code for PQ, 0.6 for HLG.
struct SignalEncoder: RowEncoder {
  private let curve: Curve
  private enum Curve { case pq, hlg }

  /// SMPTE ST 2084; 1.0 is 203 cd/m².
  static let pq = SignalEncoder(curve: .pq)
  /// Hybrid log-gamma for its display of 1000 cd/m².
  static let hlg = SignalEncoder(curve: .hlg)

  func encode(_ rows: RGBRows, into codes: UnsafeMutablePointer<UInt16>) {
    switch curve {
    case .pq: PQEncoding.encode(rows)
    case .hlg: HLGEncoding.encode(rows)
    }
    unsafe LinearEncoder().encode(rows, into: codes)
  }
}

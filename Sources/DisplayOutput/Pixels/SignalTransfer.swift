import ImageCore

/// The transfer function between linear values, 1.0 = reference white, and stored signal.
///
/// Source: ITU-T H.273; the functions are in ImageCore. Linear and sRGB are extended outside 0…1
/// (sRGB mirrored about 0); PQ and hybrid log-gamma clamp to their range, 0…10,000 and 0…1000 cd/m²
/// at 203 cd/m² for 1.0, each channel independently. Hybrid log-gamma takes BT.2020 values for the
/// display of 1000 cd/m².
public enum SignalTransfer: String, Sendable, Hashable, CaseIterable {
  /// The linear value itself.
  case linear
  /// IEC 61966-2-1.
  case srgb
  /// SMPTE ST 2084.
  case pq
  /// Hybrid log-gamma of BT.2100.
  case hlg

  /// H.273 TransferCharacteristics.
  public var code: Int {
    switch self {
    case .linear: 8
    case .srgb: 13
    case .pq: 16
    case .hlg: 18
    }
  }

  /// The linear value of signal 1, 1.0 = reference white.
  public var headroom: Float {
    switch self {
    case .linear, .srgb: 1
    case .pq: ReferenceWhite.pqHeadroom
    case .hlg: ReferenceWhite.hlgHeadroom
    }
  }

  /// Whether signals of 0…1 include values above reference white.
  public var isHDR: Bool { self == .pq || self == .hlg }

  /// Replaces linear values by their signal.
  func encode(_ row: RGBRows) {
    switch self {
    case .linear: return
    case .srgb: each(row) { SRGB.signal(linear: $0) }
    case .pq: each(row) { PQ.signal(nits: $0 * ReferenceWhite.nits) }
    case .hlg:
      let scale = ReferenceWhite.nits / HLG.peakNits
      pixels(row) { rgb in
        let scene = HLG.scene(
          display: (rgb * scale).clamped(lowerBound: SIMD3(), upperBound: SIMD3(1, 1, 1)))
        return SIMD3(
          HLG.signal(scene: scene.x), HLG.signal(scene: scene.y), HLG.signal(scene: scene.z))
      }
    }
  }

  /// Replaces signals by their linear values.
  func decode(_ row: RGBRows) {
    switch self {
    case .linear: return
    case .srgb: each(row) { SRGB.linear(signal: $0) }
    case .pq: each(row) { PQ.nits(signal: $0) / ReferenceWhite.nits }
    case .hlg:
      let scale = HLG.peakNits / ReferenceWhite.nits
      pixels(row) { s in
        HLG.display(
          scene: SIMD3(
            HLG.scene(signal: s.x), HLG.scene(signal: s.y), HLG.scene(signal: s.z))) * scale
      }
    }
  }

  private func each(_ row: RGBRows, _ function: (Double) -> Double) {
    for samples in [row.red, row.green, row.blue] {
      for x in 0..<row.count { samples[x] = Float(function(Double(samples[x]))) }
    }
  }

  private func pixels(
    _ row: RGBRows, _ function: (SIMD3<Double>) -> SIMD3<Double>
  ) {
    for x in 0..<row.count {
      let value = function(SIMD3(Double(row.red[x]), Double(row.green[x]), Double(row.blue[x])))
      (row.red[x], row.green[x], row.blue[x]) = (Float(value.x), Float(value.y), Float(value.z))
    }
  }
}

import ImageCore

/// Converts signals of the perceptual quantizer to hybrid log-gamma, and back.
///
/// Source: ITU-R BT.2408, section on conversion between PQ and HLG: both make the same luminance on
/// a display of 1000 cd/m², system gamma 1.2. PQ → linear → inverse OOTF → OETF, and the reverse.
/// Domain: BT.2020 signals, 0…1. Luminances above 1000 cd/m² have no HLG signal: map them down
/// first (BT.2390), else each channel is clipped. Saturated colors near the peak need scene values
/// above 1 and are clipped, too. Check values: PQ 0.580689 (203 cd/m²) ↔ HLG 0.749877; PQ 0.751827
/// (1000) ↔ HLG 1.
public enum PQHLGConversion {
  /// The HLG signal of a PQ signal.
  public static func hlg(pq: SIMD3<Double>) -> SIMD3<Double> {
    var display = SIMD3<Double>()
    for i in 0..<3 { display[i] = min(PQ.nits(signal: pq[i]) / HLG.peakNits, 1) }
    let scene = HLG.scene(display: display)
    var signal = SIMD3<Double>()
    for i in 0..<3 { signal[i] = HLG.signal(scene: scene[i]) }
    return signal
  }

  /// The PQ signal of an HLG signal.
  public static func pq(hlg: SIMD3<Double>) -> SIMD3<Double> {
    var scene = SIMD3<Double>()
    for i in 0..<3 { scene[i] = HLG.scene(signal: hlg[i]) }
    let display = HLG.display(scene: scene)
    var signal = SIMD3<Double>()
    for i in 0..<3 { signal[i] = PQ.signal(nits: display[i] * HLG.peakNits) }
    return signal
  }
}

/// Linear Bradford adaptation (Lam 1985; the form of the ICC and DNG specifications): turns XYZ
/// under one white into the corresponding XYZ under another. Maps the first white onto the second
/// exactly. Known failure: strongly colored illuminants, with cone ratios outside 0.1…10; they are
/// clamped, as the DNG reference does.
public enum ChromaticAdaptation {
  private static let cones = Matrix3(
    SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367), SIMD3(0.0389, -0.0685, 1.0296))

  /// The matrix from XYZ under `source` to XYZ under `target`.
  public static func bradford(from source: Chromaticity, to target: Chromaticity) -> Matrix3 {
    guard source != target, let back = cones.inverse else { return .identity }
    let s = cones * source.xyz
    let t = cones * target.xyz
    var ratio = SIMD3<Double>(1, 1, 1)
    for i in 0..<3 { ratio[i] = min(10, max(0.1, s[i] > 0 ? max(t[i], 0) / s[i] : 10)) }
    return back * Matrix3(diagonal: ratio) * cones
  }
}

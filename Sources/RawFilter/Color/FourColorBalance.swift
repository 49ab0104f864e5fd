import ImageCore

/// White balance of a four-color sensor before its channels become three.
///
/// The profile's reduction R (3 × 4) maps linear camera values to three channels, in which the
/// white is n₃. In the four camera channels it is n₄ = Rᵀ(R·Rᵀ)⁻¹·n₃, the Moore–Penrose solution,
/// which is exact because R is itself a pseudo-inverse. So the mosaic is balanced by 1 / n₄
/// (largest value scaled to 1), and balanced channels become balanced RGB by diag(1 / n₃) · R ·
/// diag(n₄), scaled so that four equal values give three equal ones.
struct FourColorBalance: Sendable, Hashable {
  /// Gains of the four channels, the smallest 1.
  let gains: SIMD4<Float>
  /// Balanced channels to balanced RGB, 3 rows of 4.
  let channelMatrix: [Double]

  /// nil if `reduction` does not have twelve values, or the white is not positive in a channel.
  init?(reduction: [Double], neutral: SIMD3<Double>) {
    guard reduction.count == 12, neutral.min() > 0 else { return nil }
    let rows = (0..<3).map { r in SIMD4(reduction[(4 * r)..<(4 * r + 4)]) }
    var square = Matrix3(diagonal: SIMD3(0, 0, 0))
    for i in 0..<3 { for j in 0..<3 { square[i, j] = (rows[i] * rows[j]).sum() } }
    guard let inverse = square.inverse else { return nil }
    let weights = inverse * neutral
    let white = rows[0] * weights.x + rows[1] * weights.y + rows[2] * weights.z
    guard white.min() > 0, white.max().isFinite else { return nil }
    let scaled = white / white.max()
    gains = SIMD4<Float>(1 / scaled)
    channelMatrix = (0..<3).flatMap { r in (0..<4).map { rows[r][$0] * white[$0] / neutral[r] } }
  }
}

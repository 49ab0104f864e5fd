/// Four balanced channels to the three that come out: a 3 × 4 matrix, row by row.
struct ChannelFold: Sendable {
  private let rows: [SIMD4<Float>]

  /// `matrix` has twelve entries; none stands for red, the mean of green and fourth, and blue.
  init(_ matrix: [Double]) {
    if matrix.isEmpty {
      rows = [SIMD4(1, 0, 0, 0), SIMD4(0, 0.5, 0, 0.5), SIMD4(0, 0, 1, 0)]
    } else {
      let values = matrix.map { Float($0) }
      rows = [0, 4, 8].map { SIMD4<Float>(values[$0..<$0 + 4]) }
    }
  }

  func apply(_ channels: SIMD4<Float>) -> SIMD3<Float> {
    SIMD3((rows[0] * channels).sum(), (rows[1] * channels).sum(), (rows[2] * channels).sum())
  }

  /// In place on rows of the four channels; the fourth is left as it is.
  func apply(
    _ a: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>,
    _ c: UnsafeMutablePointer<Float>, fourth: UnsafeMutablePointer<Float>, count: Int
  ) {
    for i in 0..<count {
      let rgb = apply(SIMD4(a[i], b[i], c[i], fourth[i]))
      a[i] = rgb.x
      b[i] = rgb.y
      c[i] = rgb.z
    }
  }
}

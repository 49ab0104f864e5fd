package import ImageCore

/// A 3 × 3 matrix and an offset on three rows of pixels, in place: out = M · rgb + offset.
/// The identity without offset returns its input bit for bit.
package struct ColorMatrix: Sendable, Hashable {
  private let m: [Float]
  private let offset: Float
  private let isIdentity: Bool

  package init(_ matrix: Matrix3, offset: Double = 0) {
    m = (0..<9).map { Float(matrix[$0 / 3, $0 % 3]) }
    self.offset = Float(offset)
    isIdentity = matrix == .identity && offset == 0
  }

  /// Changes each pixel of `rows`.
  package func apply(_ rows: RGBRows) {
    if isIdentity { return }
    let (m0, m1, m2, m3, m4, m5, m6, m7, m8) = (
      m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]
    )
    let k = offset
    let (r, g, b) = (rows.red, rows.green, rows.blue)
    for i in 0..<rows.count {
      let (x, y, z) = (r[i], g[i], b[i])
      r[i] = m0 * x + m1 * y + m2 * z + k
      g[i] = m3 * x + m4 * y + m5 * z + k
      b[i] = m6 * x + m7 * y + m8 * z + k
    }
  }
}

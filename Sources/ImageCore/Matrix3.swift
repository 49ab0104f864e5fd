/// A 3 × 3 matrix of doubles, row by row, that multiplies column vectors.
public struct Matrix3: Sendable, Hashable, Codable {
  /// The three rows.
  public var rows: [SIMD3<Double>]

  /// The matrix with these rows.
  public init(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) { rows = [a, b, c] }
  /// The matrix with these nine values, row by row.
  public init(_ v: [Double]) {
    precondition(v.count == 9, "a 3 × 3 matrix has nine values")
    rows = [SIMD3(v[0], v[1], v[2]), SIMD3(v[3], v[4], v[5]), SIMD3(v[6], v[7], v[8])]
  }
  /// The matrix with `d` on its diagonal and zero elsewhere.
  public init(diagonal d: SIMD3<Double>) {
    self.init(SIMD3(d.x, 0, 0), SIMD3(0, d.y, 0), SIMD3(0, 0, d.z))
  }
  /// Changes nothing.
  public static let identity = Matrix3(diagonal: SIMD3(1, 1, 1))

  /// The value in row `r`, column `c`.
  public subscript(r: Int, c: Int) -> Double {
    get { rows[r][c] }
    set { rows[r][c] = newValue }
  }

  /// Matrix times vector.
  public static func * (m: Matrix3, v: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((m.rows[0] * v).sum(), (m.rows[1] * v).sum(), (m.rows[2] * v).sum())
  }
  /// Matrix product.
  public static func * (a: Matrix3, b: Matrix3) -> Matrix3 {
    let c = (0..<3).map { a * SIMD3(b[0, $0], b[1, $0], b[2, $0]) }
    return Matrix3(
      SIMD3(c[0].x, c[1].x, c[2].x), SIMD3(c[0].y, c[1].y, c[2].y), SIMD3(c[0].z, c[1].z, c[2].z))
  }
  /// Each value times `s`.
  public static func * (m: Matrix3, s: Double) -> Matrix3 {
    Matrix3(m.rows[0] * s, m.rows[1] * s, m.rows[2] * s)
  }
  /// Elementwise sum.
  public static func + (a: Matrix3, b: Matrix3) -> Matrix3 {
    Matrix3(a.rows[0] + b.rows[0], a.rows[1] + b.rows[1], a.rows[2] + b.rows[2])
  }

  /// The largest channel of the results for colors with channels in 0…1.
  package var largestGain: Double {
    rows.map { row in (0..<3).reduce(0) { $0 + max(row[$1], 0) } }.max() ?? 1
  }

  /// The determinant.
  public var determinant: Double {
    let (a, b, c) = (rows[0], rows[1], rows[2])
    return a.x * (b.y * c.z - b.z * c.y) - a.y * (b.x * c.z - b.z * c.x)
      + a.z * (b.x * c.y - b.y * c.x)
  }

  /// The inverse; nil if the matrix is singular.
  public var inverse: Matrix3? {
    let d = determinant
    guard d.isFinite, abs(d) > 1e-12 else { return nil }
    let (a, b, c) = (rows[0], rows[1], rows[2])
    return Matrix3(
      SIMD3(b.y * c.z - b.z * c.y, a.z * c.y - a.y * c.z, a.y * b.z - a.z * b.y) / d,
      SIMD3(b.z * c.x - b.x * c.z, a.x * c.z - a.z * c.x, a.z * b.x - a.x * b.z) / d,
      SIMD3(b.x * c.y - b.y * c.x, a.y * c.x - a.x * c.y, a.x * b.y - a.y * b.x) / d)
  }
}

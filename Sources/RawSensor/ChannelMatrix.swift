import ImageCore

/// Converts four balanced channels to red, green and blue: a 3 × 4 matrix, row by row.
struct ChannelMatrix: Sendable {
  private let rows: [SIMD4<Float>]

  /// `matrix` has twelve entries; empty: red, the mean of green and fourth, and blue.
  init(_ matrix: [Double]) {
    if matrix.isEmpty {
      rows = [SIMD4(1, 0, 0, 0), SIMD4(0, 0.5, 0, 0.5), SIMD4(0, 0, 1, 0)]
    } else {
      let values = matrix.map { Float($0) }
      rows = [0, 4, 8].map { SIMD4<Float>(values[$0..<$0 + 4]) }
    }
  }

  private init(rows: [SIMD4<Float>]) { self.rows = rows }

  /// The same for channels in another order.
  func reordered(_ order: [Int]) -> ChannelMatrix {
    ChannelMatrix(rows: rows.map { row in SIMD4(order.map { row[$0] }) })
  }

  /// Similarity of the responses of two channels: the cosine between their rows of the
  /// pseudo-inverse, which converts three channels to four. 0 if it does not exist.
  func similarity(_ a: Int, _ b: Int) -> Double {
    var square = Matrix3(diagonal: SIMD3())
    for i in 0..<3 { for j in 0..<3 { square[i, j] = Double((rows[i] * rows[j]).sum()) } }
    guard let inverse = square.inverse else { return 0 }
    func response(_ c: Int) -> SIMD3<Double> {
      inverse * SIMD3(Double(rows[0][c]), Double(rows[1][c]), Double(rows[2][c]))
    }
    let (p, q) = (response(a), response(b))
    let cosine = (p * q).sum() / ((p * p).sum() * (q * q).sum()).squareRoot()
    return cosine.isFinite ? cosine : 0
  }

  func apply(_ channels: SIMD4<Float>) -> SIMD3<Float> {
    SIMD3((rows[0] * channels).sum(), (rows[1] * channels).sum(), (rows[2] * channels).sum())
  }

  /// Three rows of four, row by row, in kernel form.
  var weights: (Float, Float, Float, Float, Float, Float, Float, Float, Float, Float, Float, Float)
  {
    let (r, g, b) = (rows[0], rows[1], rows[2])
    return (r.x, r.y, r.z, r.w, g.x, g.y, g.z, g.w, b.x, b.y, b.z, b.w)
  }

  /// Replaces red, green and blue of rows of four channels; the fourth is not changed.
  func apply(_ rows: RGBRows, fourth: MutableRowView) {
    let (a, b, c) = (rows.red, rows.green, rows.blue)
    for i in 0..<rows.count {
      let rgb = apply(SIMD4(a[i], b[i], c[i], fourth[i]))
      a[i] = rgb.x
      b[i] = rgb.y
      c[i] = rgb.z
    }
  }
}

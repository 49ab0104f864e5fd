import CKernels
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
    func row(_ i: Int) -> ck_weights { ck_weights(red: m[i], green: m[i + 1], blue: m[i + 2]) }
    var matrix = ck_matrix(red: row(0), green: row(3), blue: row(6), offset: offset)
    ck_matrixRow(&matrix, rows.red.start, rows.green.start, rows.blue.start, Int64(rows.count))
  }
}

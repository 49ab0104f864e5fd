import CKernels
package import ImageCore

/// A 3 × 3 matrix and an offset on three rows of pixels, in place: out = M · rgb + offset.
/// The identity without offset returns its input bit for bit.
package struct ColorMatrix: Sendable, Hashable {
  private let matrix: Matrix3
  private let offset: Float
  let isIdentity: Bool

  package init(_ matrix: Matrix3, offset: Double = 0) {
    self.matrix = matrix
    self.offset = Float(offset)
    isIdentity = matrix == .identity && offset == 0
  }

  /// Changes each pixel of `rows`.
  package func apply(_ rows: RGBRows) {
    if isIdentity { return }
    var matrix = ck_matrix(matrix, offset: offset)
    ck_matrixRow(&matrix, rows.kernel, Int64(rows.count))
  }
}

// Public, because what is inlined into other modules names its types.
public import CKernels

extension RGBRows {
  /// The rows as kernels in C take them.
  @inlinable
  package var kernel: ck_threeRows { @inline(__always) get { ck_threeRows { self[$0] } } }
}

extension ck_threeRows {
  /// Plane 0, 1 and 2 of what `row` returns.
  @inlinable @inline(__always)
  package init(_ row: (Int) -> MutableRowView) {
    self.init(row: (row(0).start, row(1).start, row(2).start))
  }
}

extension ck_threeValues {
  /// Values of red, green and blue.
  package init(_ value: SIMD3<Float>) { self.init(value: (value.x, value.y, value.z)) }
}

extension ck_matrix {
  /// A matrix, and what is added to each channel.
  package init(_ matrix: Matrix3, offset: Float = 0) {
    func row(_ i: Int) -> ck_threeValues { ck_threeValues(SIMD3<Float>(matrix.rows[i])) }
    self.init(red: row(0), green: row(1), blue: row(2), offset: offset)
  }
}

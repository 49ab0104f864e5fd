// Public, because what is inlined into other modules names its types.
public import CKernels

extension RGBRows {
  /// The rows as kernels in C take them.
  @inlinable
  package var kernel: ck_threeRows {
    @inline(__always) get { ck_threeRows(count) { self[$0] } }
  }
}

extension SampleRow {
  /// The row as a kernel in C takes it that works on `count` columns and accesses `before` and
  /// `behind` more: the numbers of `CK_MARGIN`, else the contract of rows. Asserts that they are
  /// the row's.
  @inlinable @inline(__always)
  package func kernel(
    _ count: Int, before: Int = ck_row_before, behind: Int = ck_row_behind
  ) -> UnsafeMutablePointer<Sample> {
    check(-before, before + count + behind)
    return start
  }
}

extension ck_threeRows {
  /// Plane 0, 1 and 2 of what `row` returns, for a kernel as ``SampleRow/kernel(_:before:behind:)``
  /// says.
  @inlinable @inline(__always)
  package init(
    _ count: Int, before: Int = ck_row_before, behind: Int = ck_row_behind,
    _ row: (Int) -> MutableRowView
  ) {
    func kernel(_ plane: Int) -> UnsafeMutablePointer<Float> {
      row(plane).kernel(count, before: before, behind: behind)
    }
    self.init(row: (kernel(0), kernel(1), kernel(2)))
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

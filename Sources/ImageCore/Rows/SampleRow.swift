/// How a kernel sees a row of samples: its first column, the number of columns, and how many more
/// samples exist in memory before the first and after the last of them.
///
/// Columns are counted from 0; those before it and from `count` on are the margins, whose contents
/// are undefined unless the owner of the row defines them. Bounds are asserted in debug builds and
/// cost nothing in release builds: of a view that is inlined only the pointer remains. A view does
/// not keep its memory alive; it must not outlive the call that it is passed to.
///
/// Contract for tails: a kernel works in full vectors of eight (``vectors(_:)``). Up to seven
/// samples of the last one lie in the margin, where they are read and written like the others.
@usableFromInline
package struct SampleRow<Sample: BitwiseCopyable> {
  /// The sample at column 0.
  @usableFromInline package let start: UnsafeMutablePointer<Sample>
  /// Columns.
  @usableFromInline package let count: Int
  /// Samples that may be accessed before column 0.
  @usableFromInline package let before: Int
  /// Samples that may be accessed from column `count` on.
  @usableFromInline package let behind: Int

  /// The row of `count` columns from `start` on.
  @inlinable @inline(__always)
  package init(_ start: UnsafeMutablePointer<Sample>, count: Int, before: Int, behind: Int) {
    (self.start, self.count, self.before, self.behind) = (start, count, before, behind)
  }

  /// Asserts that `length` samples from column `i` on are the row's.
  @inlinable @inline(__always)
  func check(_ i: Int, _ length: Int) {
    assert(i >= -before && i + length <= count + behind, "samples outside the row")
  }

  /// The sample at column `i`.
  @inlinable
  package subscript(i: Int) -> Sample {
    @inline(__always) get {
      check(i, 1)
      return start[i]
    }
    @inline(__always) nonmutating set {
      check(i, 1)
      start[i] = newValue
    }
  }

  /// The row whose column 0 is column `i` of this one.
  @inlinable @inline(__always)
  package func from(_ i: Int) -> SampleRow {
    SampleRow(start + i, count: count &- i, before: before &+ i, behind: behind)
  }

  /// The first `count` columns; the others become margin.
  @inlinable @inline(__always)
  package func prefix(_ count: Int) -> SampleRow {
    SampleRow(start, count: count, before: before, behind: behind &+ (self.count &- count))
  }

  /// Copies the first `count` columns of `row`.
  @inlinable @inline(__always)
  package func update(from row: SampleRow, count: Int) {
    check(0, count)
    row.check(0, count)
    start.update(from: row.start, count: count)
  }

  /// Writes `value` to the first `count` columns.
  @inlinable @inline(__always)
  package func update(repeating value: Sample, count: Int) {
    check(0, count)
    start.update(repeating: value, count: count)
  }

  /// The columns, without margins, for functions that take spans or collections.
  @inlinable
  package var buffer: UnsafeMutableBufferPointer<Sample> {
    UnsafeMutableBufferPointer(start: start, count: count)
  }
}

/// A row of linear values or signals that may be written.
@usableFromInline
package typealias MutableRowView = SampleRow<Float>

/// A row of 16-bit code values that may be written.
@usableFromInline
package typealias CodeRowView = SampleRow<UInt16>

extension SampleRow where Sample == Float {
  /// The samples at columns `i` to `i + 7`.
  @inlinable @inline(__always)
  package func lanes(_ i: Int) -> SIMD8<Float> {
    check(i, 8)
    return UnsafeRawPointer(start + i).loadUnaligned(as: SIMD8<Float>.self)
  }

  /// The samples at columns `i` to `i + 3`.
  @inlinable @inline(__always)
  package func lanes4(_ i: Int) -> SIMD4<Float> {
    check(i, 4)
    return UnsafeRawPointer(start + i).loadUnaligned(as: SIMD4<Float>.self)
  }

  /// Writes the samples at columns `i` to `i + 7`.
  @inlinable @inline(__always)
  package func setLanes(_ i: Int, _ value: SIMD8<Float>) {
    check(i, 8)
    UnsafeMutableRawPointer(start + i).storeBytes(of: value, as: SIMD8<Float>.self)
  }

  /// Writes the samples at columns `i` to `i + 3`.
  @inlinable @inline(__always)
  package func setLanes4(_ i: Int, _ value: SIMD4<Float>) {
    check(i, 4)
    UnsafeMutableRawPointer(start + i).storeBytes(of: value, as: SIMD4<Float>.self)
  }

  /// Copies the first `count` columns of `row`.
  @inlinable @inline(__always)
  package func update(from row: RowView, count: Int) { update(from: row.samples, count: count) }
}

/// How a kernel sees a row of samples: where it starts, how many columns it has, and how many
/// samples more stand in memory before the first and behind the last of them.
///
/// Columns are counted from 0; those before it and from `count` on are the margins, whose contents
/// mean nothing unless the owner of the row says so. Bounds are asserted in debug builds and cost
/// nothing in release builds: of a view that is inlined only the pointer remains. A view does not
/// keep its memory alive; it must not outlive the call that it is handed to.
///
/// Contract for tails: a kernel works in whole vectors of eight (``vectors(_:)``). Of the last one
/// up to seven samples lie in the margin, where they are read and written like the others.
@usableFromInline
package struct RowView {
  /// The sample at column 0.
  @usableFromInline package let start: UnsafePointer<Float>
  /// Columns.
  @usableFromInline package let count: Int
  /// Samples that may be read before column 0.
  @usableFromInline package let before: Int
  /// Samples that may be read from column `count` on.
  @usableFromInline package let behind: Int

  /// The row of `count` columns from `start` on.
  @inlinable
  package init(_ start: UnsafePointer<Float>, count: Int, before: Int, behind: Int) {
    (self.start, self.count, self.before, self.behind) = (start, count, before, behind)
  }

  /// The same row, to be read only.
  @inlinable @inline(__always)
  package init(_ row: MutableRowView) {
    self.init(row.start, count: row.count, before: row.before, behind: row.behind)
  }

  /// The sample at column `i`.
  @inlinable
  package subscript(i: Int) -> Float {
    @inline(__always) get {
      assert(i >= -before && i < count + behind, "a sample outside the row")
      return start[i]
    }
  }

  /// The samples at columns `i` to `i + 7`.
  @inlinable @inline(__always)
  package func lanes(_ i: Int) -> SIMD8<Float> {
    assert(i >= -before && i + 8 <= count + behind, "a vector outside the row")
    return UnsafeRawPointer(start + i).loadUnaligned(as: SIMD8<Float>.self)
  }

  /// The row whose column 0 is column `i` of this one.
  @inlinable @inline(__always)
  package func from(_ i: Int) -> RowView {
    RowView(start + i, count: count &- i, before: before &+ i, behind: behind)
  }

  /// The first `count` columns; the others become margin.
  @inlinable @inline(__always)
  package func prefix(_ count: Int) -> RowView {
    RowView(start, count: count, before: before, behind: behind &+ (self.count &- count))
  }
}

/// A ``RowView`` whose samples, margins included, may be written.
@usableFromInline
package struct MutableRowView {
  /// The sample at column 0.
  @usableFromInline package let start: UnsafeMutablePointer<Float>
  /// Columns.
  @usableFromInline package let count: Int
  /// Samples that may be read and written before column 0.
  @usableFromInline package let before: Int
  /// Samples that may be read and written from column `count` on.
  @usableFromInline package let behind: Int

  /// The row of `count` columns from `start` on.
  @inlinable
  package init(_ start: UnsafeMutablePointer<Float>, count: Int, before: Int, behind: Int) {
    (self.start, self.count, self.before, self.behind) = (start, count, before, behind)
  }

  /// The sample at column `i`.
  @inlinable
  package subscript(i: Int) -> Float {
    @inline(__always) get {
      assert(i >= -before && i < count + behind, "a sample outside the row")
      return start[i]
    }
    @inline(__always) nonmutating set {
      assert(i >= -before && i < count + behind, "a sample outside the row")
      start[i] = newValue
    }
  }

  /// The samples at columns `i` to `i + 7`.
  @inlinable @inline(__always)
  package func lanes(_ i: Int) -> SIMD8<Float> {
    assert(i >= -before && i + 8 <= count + behind, "a vector outside the row")
    return UnsafeRawPointer(start + i).loadUnaligned(as: SIMD8<Float>.self)
  }

  /// The samples at columns `i` to `i + 3`.
  @inlinable @inline(__always)
  package func lanes4(_ i: Int) -> SIMD4<Float> {
    assert(i >= -before && i + 4 <= count + behind, "a vector outside the row")
    return UnsafeRawPointer(start + i).loadUnaligned(as: SIMD4<Float>.self)
  }

  /// Writes the samples at columns `i` to `i + 7`.
  @inlinable @inline(__always)
  package func setLanes(_ i: Int, _ value: SIMD8<Float>) {
    assert(i >= -before && i + 8 <= count + behind, "a vector outside the row")
    UnsafeMutableRawPointer(start + i).storeBytes(of: value, as: SIMD8<Float>.self)
  }

  /// Writes the samples at columns `i` to `i + 3`.
  @inlinable @inline(__always)
  package func setLanes4(_ i: Int, _ value: SIMD4<Float>) {
    assert(i >= -before && i + 4 <= count + behind, "a vector outside the row")
    UnsafeMutableRawPointer(start + i).storeBytes(of: value, as: SIMD4<Float>.self)
  }

  /// The row whose column 0 is column `i` of this one.
  @inlinable @inline(__always)
  package func from(_ i: Int) -> MutableRowView {
    MutableRowView(start + i, count: count &- i, before: before &+ i, behind: behind)
  }

  /// The first `count` columns; the others become margin.
  @inlinable @inline(__always)
  package func prefix(_ count: Int) -> MutableRowView {
    MutableRowView(start, count: count, before: before, behind: behind &+ (self.count &- count))
  }

  /// Copies the first `count` columns of `row`.
  @inlinable
  package func update(from row: RowView, count: Int) {
    assert(count <= self.count + behind && count <= row.count + row.behind, "a row too short")
    start.update(from: row.start, count: count)
  }

  /// Copies the first `count` columns of `row`.
  @inlinable
  package func update(from row: MutableRowView, count: Int) {
    update(from: RowView(row), count: count)
  }

  /// Writes `value` to the first `count` columns.
  @inlinable
  package func update(repeating value: Float, count: Int) {
    assert(count <= self.count + behind, "a row too short")
    start.update(repeating: value, count: count)
  }

  /// The columns, without margins, for functions that take spans or collections.
  @inlinable
  package var buffer: UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(start: start, count: count)
  }
}

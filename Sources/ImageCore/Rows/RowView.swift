/// A ``SampleRow`` of floats that may only be read.
@usableFromInline
package struct RowView {
  @usableFromInline let samples: MutableRowView

  /// The same row, to be read only.
  @inlinable @inline(__always)
  package init(_ row: MutableRowView) { samples = row }

  /// The row of `count` columns from `start` on.
  @inlinable @inline(__always)
  package init(_ start: UnsafePointer<Float>, count: Int, before: Int, behind: Int) {
    samples = MutableRowView(
      UnsafeMutablePointer(mutating: start), count: count, before: before, behind: behind)
  }

  /// The sample at column `i`.
  @inlinable
  package subscript(i: Int) -> Float { @inline(__always) get { samples[i] } }

  /// The samples at columns `i` to `i + 7`.
  @inlinable @inline(__always)
  package func lanes(_ i: Int) -> SIMD8<Float> { samples.lanes(i) }

  /// The row whose column 0 is column `i` of this one.
  @inlinable @inline(__always)
  package func from(_ i: Int) -> RowView { RowView(samples.from(i)) }
}

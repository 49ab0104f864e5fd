/// A row of 16-bit codes; as ``MutableRowView`` otherwise.
@usableFromInline
package struct CodeRowView {
  /// The code at column 0.
  @usableFromInline package let start: UnsafeMutablePointer<UInt16>
  /// Columns.
  @usableFromInline package let count: Int
  /// Codes that may be written before column 0.
  @usableFromInline package let before: Int
  /// Codes that may be written from column `count` on.
  @usableFromInline package let behind: Int

  /// The row of `count` columns from `start` on.
  @inlinable
  package init(_ start: UnsafeMutablePointer<UInt16>, count: Int, before: Int, behind: Int) {
    (self.start, self.count, self.before, self.behind) = (start, count, before, behind)
  }

  /// The code at column `i`.
  @inlinable
  package subscript(i: Int) -> UInt16 {
    @inline(__always) get {
      assert(i >= -before && i < count + behind, "a code outside the row")
      return start[i]
    }
    @inline(__always) nonmutating set {
      assert(i >= -before && i < count + behind, "a code outside the row")
      start[i] = newValue
    }
  }

  /// Writes the codes at columns `i` to `i + 7`.
  @inlinable @inline(__always)
  package func setLanes(_ i: Int, _ value: SIMD8<UInt16>) {
    assert(i >= -before && i + 8 <= count + behind, "a vector outside the row")
    UnsafeMutableRawPointer(start + i).storeBytes(of: value, as: SIMD8<UInt16>.self)
  }

  /// The row whose column 0 is column `i` of this one.
  @inlinable @inline(__always)
  package func from(_ i: Int) -> CodeRowView {
    CodeRowView(start + i, count: count &- i, before: before &+ i, behind: behind)
  }

  /// Copies the first `count` columns of `row`.
  @inlinable
  package func update(from row: CodeRowView, count: Int) {
    assert(count <= self.count + behind && count <= row.count + row.behind, "a row too short")
    start.update(from: row.start, count: count)
  }

  /// Writes `value` to the first `count` columns.
  @inlinable
  package func update(repeating value: UInt16, count: Int) {
    assert(count <= self.count + behind, "a row too short")
    start.update(repeating: value, count: count)
  }
}

/// The start columns of the vectors that together cover columns 0 to `count - 1`: 0, 8, 16 … The
/// last vector is full, too; rows have margins for it (``RowView``).
///
///     for x in vectors(row.count) { out.setLanes(x, row.lanes(x) * gain) }
@inlinable @inline(__always)
package func vectors(_ count: Int) -> VectorStarts { VectorStarts(to: count) }

/// The columns at which vectors start; see ``vectors(_:)``.
@usableFromInline
package struct VectorStarts: Sequence, IteratorProtocol {
  @usableFromInline var upcoming = 0
  @usableFromInline let end: Int

  @inlinable @inline(__always)
  init(to end: Int) { self.end = end }

  /// The next column, nil after the last.
  @inlinable @inline(__always)
  package mutating func next() -> Int? {
    guard upcoming < end else { return nil }
    defer { upcoming &+= 8 }
    return upcoming
  }
}

/// The eight results of a comparison, such as `a .> b`.
@usableFromInline
package typealias LaneMask = SIMDMask<SIMD8<Int32>>

/// In each lane `then` where `mask` is true, `otherwise` where it is false: the only selection in
/// kernels. Comparisons with NaN are false.
@inlinable @inline(__always)
package func select(
  _ mask: LaneMask, _ then: SIMD8<Float>, _ otherwise: SIMD8<Float>
) -> SIMD8<Float> {
  otherwise.replacing(with: then, where: mask)
}

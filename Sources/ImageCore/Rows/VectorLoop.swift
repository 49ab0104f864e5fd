/// The columns at which the vectors start that together cover columns 0 to `count - 1`: 0, 8, 16 …
/// The last vector is whole, too; rows have margins for it (``RowView``).
///
///     for x in vectors(row.count) { out.setLanes(x, row.lanes(x) * gain) }
@inlinable @inline(__always)
package func vectors(_ count: Int) -> VectorStarts { VectorStarts(from: 0, to: count, step: 8) }

/// As ``vectors(_:)`` for the columns of a range.
@inlinable @inline(__always)
package func vectors(_ columns: Range<Int>) -> VectorStarts {
  VectorStarts(from: columns.lowerBound, to: columns.upperBound, step: 8)
}

/// As ``vectors(_:)``, two vectors at a time: 0, 16, 32 …
@inlinable @inline(__always)
package func vectorPairs(_ count: Int) -> VectorStarts {
  VectorStarts(from: 0, to: count, step: 16)
}

/// The columns at which vectors start; see ``vectors(_:)``.
@usableFromInline
package struct VectorStarts: Sequence, IteratorProtocol {
  @usableFromInline var upcoming: Int
  @usableFromInline let end: Int
  @usableFromInline let step: Int

  @inlinable @inline(__always)
  init(from start: Int, to end: Int, step: Int) {
    (upcoming, self.end, self.step) = (start, end, step)
  }

  /// The next column, nil behind the last.
  @inlinable @inline(__always)
  package mutating func next() -> Int? {
    guard upcoming < end else { return nil }
    defer { upcoming &+= step }
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

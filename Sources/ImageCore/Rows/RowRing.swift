/// Where the rows of a rectangle of a picture lie in memory: in a ring, so that a plane which moves
/// down the picture keeps the rows that it still needs without copying them.
@usableFromInline
package struct RowRing {
  /// The rectangle that is held.
  @usableFromInline package private(set) var rect = PixelRect(x: 0, y: 0, width: 0, height: 0)
  /// Rows of the memory.
  @usableFromInline package private(set) var capacity = 0
  @usableFromInline var first = 0

  package init() {}

  /// Holds `rect`, whose rows are still to be written, in memory for `capacity` rows or as many as
  /// it has; the first at row `first` of the memory.
  package mutating func reset(to rect: PixelRect, capacity: Int = 0, first: Int = 0) {
    self.rect = rect
    self.capacity = max(capacity, rect.height)
    self.first = first
  }

  /// Whether `next` is further down the same columns, and begins with rows that are held, or right
  /// below them.
  package func reaches(_ next: PixelRect) -> Bool {
    next.x == rect.x && next.width == rect.width && next.y >= rect.y && next.y <= rect.endY
      && next.endY >= rect.endY && next.height <= capacity
  }

  /// Holds `next` from now on, which it must reach; returns the part that is still to be written.
  package mutating func slide(to next: PixelRect) -> PixelRect {
    let missing = PixelRect(
      x: next.x, y: rect.endY, width: next.width, height: next.endY - rect.endY)
    first = index(next.y)
    rect = next
    return missing
  }

  /// Holds `next` from now on, with the rows of it that are held; returns the part that is still to
  /// be written: where it is not reached all of it, in memory for `most` rows.
  package mutating func slide(to next: PixelRect, most: Int) -> PixelRect {
    if reaches(next) { return slide(to: next) }
    reset(to: next, capacity: most)
    return next
  }

  /// The row of the memory that holds row `y` of the picture.
  @inlinable @inline(__always)
  package func index(_ y: Int) -> Int {
    let index = y &- rect.y &+ first
    return index >= capacity ? index &- capacity : index
  }
}

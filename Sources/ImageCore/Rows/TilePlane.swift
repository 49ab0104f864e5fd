/// One plane of floats over a rectangle of the sensor: working memory of one worker, reshaped for
/// each tile. Its coordinates are relative to the active area and extend beyond its borders. Not
/// synchronized: one thread at a time.
///
/// Its properties are read for every row, and in other modules each read would call the run time's
/// check for exclusive access; nothing reads them while ``reshape(_:)`` writes them.
@usableFromInline
package final class TilePlane {
  /// Samples that exist on both sides of each row; their values are finite but undefined.
  @inlinable package static var margin: Int { 16 }
  /// Samples after the last margin, for vectors of which each lane reads two samples.
  @inlinable package static var rest: Int { 16 }

  @exclusivity(unchecked)
  @usableFromInline var ring = RowRing()
  /// Samples from one row to the next.
  @exclusivity(unchecked)
  @usableFromInline package private(set) var stride = 0
  @exclusivity(unchecked)
  @usableFromInline var storage: UnsafeMutablePointer<Float>
  private var capacity: Int

  package init() {
    capacity = 0
    storage = PixelMemory.nothing.assumingMemoryBound(to: Float.self)
  }

  deinit { PixelMemory.deallocate(storage, bytes: capacity * MemoryLayout<Float>.stride) }

  /// What the plane covers.
  @inlinable package var rect: PixelRect { ring.rect }

  /// Makes the plane cover `rect`. Its contents are undefined afterwards.
  package func reshape(_ rect: PixelRect) throws(PixelError) {
    ring.reset(to: rect)
    try fit()
  }

  /// Whether the plane covers rows of `rect` that ``slide(to:most:)`` would keep.
  package func reaches(_ rect: PixelRect) -> Bool { ring.reaches(rect) }

  /// Makes the plane cover nothing.
  package func clear() { ring = RowRing() }

  /// Moves the plane down the picture to cover `rect`, keeping rows that it has; returns the
  /// undefined part. Rows are then not in order in memory: ``stride`` does not apply. `most`: the
  /// rows of the highest rectangle.
  package func slide(to rect: PixelRect, most: Int) throws(PixelError) -> PixelRect {
    let fresh = ring.slide(to: rect, most: most)
    try fit()
    return fresh
  }

  /// Makes the plane cover `rect`. If it `continues` the plane, in the same columns from rows on
  /// that this has or right below them, these rows move to the beginning, so that all stay in
  /// order, ``stride`` apart. Returns the part that is undefined.
  package func scroll(to rect: PixelRect, continues: Bool) throws(PixelError) -> PixelRect {
    guard continues else {
      try reshape(rect)
      return rect
    }
    let held = self.rect
    precondition(
      rect.x == held.x && rect.width == held.width && rect.y >= held.y && rect.y <= held.endY
        && rect.endY >= held.endY, "rows that do not continue those of the plane")
    let first = UnsafePointer(storage + (rect.y - held.y) * stride)
    let count = (held.endY - rect.y) * stride
    let needed = stride * rect.height + Self.rest
    if needed > capacity {
      let larger = try Self.allocate(needed)
      larger.update(from: first, count: count)
      PixelMemory.deallocate(storage, bytes: capacity * MemoryLayout<Float>.stride)
      (storage, capacity) = (larger, needed)
    } else {
      storage.update(from: first, count: count)
    }
    ring.reset(to: rect)
    return PixelRect(
      x: rect.x, y: held.endY, width: rect.width, height: rect.endY - held.endY)
  }

  private static func allocate(_ count: Int) throws(PixelError) -> UnsafeMutablePointer<Float> {
    let memory = try PixelMemory.allocate(bytes: count * MemoryLayout<Float>.stride)
      .assumingMemoryBound(to: Float.self)
    memory.initialize(repeating: 0, count: count)
    return memory
  }

  /// Has memory for the rows of the ring; nothing moves where there is enough.
  private func fit() throws(PixelError) {
    stride = (rect.width + 2 * Self.margin + 15) & ~15
    let needed = stride * ring.capacity + Self.rest
    guard needed > capacity else { return }
    PixelMemory.deallocate(storage, bytes: capacity * MemoryLayout<Float>.stride)
    (storage, capacity) = (PixelMemory.nothing.assumingMemoryBound(to: Float.self), 0)
    do throws(PixelError) {
      (storage, capacity) = (try Self.allocate(needed), needed)
    } catch {
      clear()
      throw error
    }
  }

  /// Row `y` of the sensor, from column `rect.x` on, with the other rows of the plane before and
  /// after it, ``stride`` samples apart.
  @inlinable @inline(__always)
  package func row(_ y: Int) -> MutableRowView {
    assert(y >= rect.y && y < rect.endY, "a row outside the plane")
    let start = ring.index(y) &* stride &+ Self.margin
    return MutableRowView(
      storage + start, count: rect.width, before: start,
      behind: ring.capacity &* stride &+ Self.rest &- start &- rect.width)
  }
}

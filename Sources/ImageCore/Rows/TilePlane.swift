/// One plane of floats over a rectangle of the sensor: working memory of one worker, reshaped
/// for each tile. Its coordinates are those of the active area and extend beyond its borders.
/// Not synchronized: one thread at a time.
///
/// Its properties are read for every row, and in other modules each read would call the run time's
/// check for exclusive access; nothing reads them while ``reshape(_:)`` writes them.
@usableFromInline
package final class TilePlane {
  /// Samples that exist on both sides of each row; their values are finite but undefined.
  @inlinable package static var margin: Int { 16 }

  @exclusivity(unchecked)
  @usableFromInline package private(set) var rect = PixelRect(x: 0, y: 0, width: 0, height: 0)
  /// Samples from one row to the next.
  @exclusivity(unchecked)
  @usableFromInline package private(set) var stride = 0
  @exclusivity(unchecked)
  @usableFromInline var storage: UnsafeMutablePointer<Float>
  private var capacity: Int

  package init() {
    capacity = 0
    storage = PixelMemory.allocate(bytes: 0).assumingMemoryBound(to: Float.self)
  }

  deinit { PixelMemory.deallocate(storage, bytes: capacity * MemoryLayout<Float>.stride) }

  /// Makes the plane cover `rect`. Its contents are undefined afterwards.
  package func reshape(_ rect: PixelRect) {
    self.rect = rect
    stride = (rect.width + 2 * Self.margin + 15) & ~15
    let needed = stride * rect.height
    guard needed > capacity else { return }
    PixelMemory.deallocate(storage, bytes: capacity * MemoryLayout<Float>.stride)
    storage = PixelMemory.allocate(bytes: needed * MemoryLayout<Float>.stride)
      .assumingMemoryBound(to: Float.self)
    storage.initialize(repeating: 0, count: needed)
    capacity = needed
  }

  /// Row `y` of the sensor, from column `rect.x` on, with the other rows of the plane before and
  /// behind it, ``stride`` samples apart.
  @inlinable @inline(__always)
  package func row(_ y: Int) -> MutableRowView {
    assert(y >= rect.y && y < rect.endY, "a row outside the plane")
    let start = (y &- rect.y) &* stride &+ Self.margin
    return MutableRowView(
      storage + start, count: rect.width, before: start,
      behind: rect.height &* stride &- start &- rect.width)
  }
}

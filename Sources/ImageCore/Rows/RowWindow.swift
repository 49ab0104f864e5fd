/// The rows of a picture that a stage reads around the rectangle which it is asked for. Where that
/// moves down the picture, only the rows that are new are read. Working memory of one reader.
package final class RowWindow {
  private var ring = RowRing()
  private let planes = PlanarBuffer()

  package init() {}

  /// What is held.
  package var rect: PixelRect { ring.rect }

  /// Whether `rect` can be provided without reading its cached rows again.
  package func reaches(_ rect: PixelRect) -> Bool { ring.reaches(rect) }

  /// Holds nothing.
  package func clear() { ring = RowRing() }

  /// Holds `rect` of `picture`, which must always be the same; returns the newly read part. `step`:
  /// its usual advance in rows; `most`: the rows of the highest rectangle. On a lane new rows are
  /// read a few at a time, as few as `picture` prefers: the memory of the earlier stages grows with
  /// the rectangles that they are asked for. After an error the contents are undefined.
  @discardableResult
  package func slide<State>(
    to rect: PixelRect, of picture: any PixelSource<State>, step: Int, most: Int
  ) throws(PixelError) -> PixelRect {
    var fresh = rect
    let strip = ReadingLane.isReading ? picture.bandHeight : Int.max
    let step = min(step, strip)
    if ring.reaches(rect) {
      fresh = ring.slide(to: rect)
    } else {
      // New rows then lie side by side, whatever the height of the first rectangle.
      let capacity = (max(most, rect.height) + step - 1) / step * step
      ring.reset(to: rect, capacity: capacity, first: (capacity - rect.height) % step)
      try planes.reshape(PixelSize(width: rect.width, height: capacity))
    }
    var y = fresh.y
    while y < fresh.endY {
      let start = ring.index(y)
      let part = PixelRect(
        x: rect.x, y: y, width: rect.width,
        height: min(fresh.endY - y, ring.capacity - start, strip))
      try picture.read(part, into: PlanarBuffer(rows: start..<start + part.height, of: planes))
      y = part.endY
    }
    return fresh
  }

  /// Row `y` of the picture, from the first column of ``rect`` on.
  package func rows(_ y: Int) -> RGBRows { planes.rows(ring.index(y)) }
}

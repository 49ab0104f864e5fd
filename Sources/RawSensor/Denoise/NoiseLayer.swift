import ImageCore

/// Three planes over a rectangle of a picture, or of a smaller copy of it, in the coordinates of
/// the full picture, which may be negative. Working memory of one worker.
///
/// Rows begin at a column that is a multiple of 16, and vector loops may go beyond `rect` up to the
/// next multiple of 16 and 16 further; samples there are undefined.
final class NoiseLayer {
  private var ring = RowRing()
  private let planes = PlanarBuffer()
  private var left = 0
  /// For each plane the blocks in progress when it is read from top to bottom.
  private(set) lazy var cells = [CellRows(), CellRows(), CellRows()]

  var rect: PixelRect { ring.rect }

  /// Makes the layer hold `rect`. Its contents are undefined afterwards.
  func reshape(_ rect: PixelRect) throws(PixelError) {
    ring.reset(to: rect)
    try fit()
  }

  /// As ``TilePlane/slide(to:most:)``.
  func slide(to rect: PixelRect, most: Int) throws(PixelError) -> PixelRect {
    let fresh = ring.slide(to: rect, most: most)
    try fit()
    return fresh
  }

  /// Allocates memory for the rows of the ring; keeps existing memory if it is large enough.
  private func fit() throws(PixelError) {
    left = rect.x & ~15
    let right = ((rect.endX + 15) & ~15) + 16
    try planes.reshape(PixelSize(width: right - left, height: ring.capacity))
  }

  /// Samples from one row to the next.
  var stride: Int { planes.stride }

  /// Row `y` of `plane` from column `x` on; the rest of the plane follows it.
  @inline(__always)
  func at(_ plane: Int, _ x: Int, _ y: Int) -> MutableRowView {
    planes.plane(plane).from(ring.index(y) &* planes.stride &+ (x &- left))
  }
}

// The rectangles that the levels of a pyramid of halves need of each other.
extension PixelRect {
  /// Half-size pixels whose bilinear enlargement covers this rectangle.
  var halfSizeNeighbors: PixelRect {
    Self.spanning(
      x: (x >> 1) - 1, endX: ((endX - 1) >> 1) + 2, y: (y >> 1) - 1, endY: ((endY - 1) >> 1) + 2)
  }

  /// Double-size pixels that the pixels of this rectangle are means of.
  var doubleSize: PixelRect {
    PixelRect(x: 2 * x, y: 2 * y, width: 2 * width, height: 2 * height)
  }

  /// The smallest rectangle that contains both.
  func union(_ other: PixelRect) -> PixelRect {
    Self.spanning(
      x: min(x, other.x), endX: max(endX, other.endX), y: min(y, other.y),
      endY: max(endY, other.endY))
  }

  static func spanning(x: Int, endX: Int, y: Int, endY: Int) -> PixelRect {
    PixelRect(x: x, y: y, width: endX - x, height: endY - y)
  }
}

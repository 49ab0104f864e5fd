import ImageCore

/// The last sixteen rows of an intermediate plane. A demosaic that walks down the picture needs no
/// more of them, and they stay in the cache.
struct RowRing: ~Copyable {
  static let rows = 16
  static let margin = 16

  private let storage: PixelStorage<Float>
  private let width: Int
  private let stride: Int

  /// Rows of `width` samples with ``margin`` more on both sides; all zero at first.
  init(width: Int) {
    self.width = width
    stride = (width + 2 * Self.margin + 15) & ~15
    storage = PixelStorage(count: stride * Self.rows, repeating: 0)
  }

  /// Row `y`, which may be negative, one of the last sixteen.
  @inline(__always)
  subscript(y: Int) -> MutableRowView {
    MutableRowView(
      storage.start + ((y & (Self.rows &- 1)) &* stride &+ Self.margin), count: width,
      before: Self.margin, behind: stride &- Self.margin &- width)
  }
}

import ImageCore

/// The loop of a filter that changes each pixel by itself; it fails only for lack
/// of working memory.
protocol RowFilter: Sendable {
  /// Changes the pixels of `row`, which starts at `origin`.
  func apply(_ row: RGBRows, at origin: PixelPoint) throws(PixelError)
}

/// A picture after a ``RowFilter``, rectangle by rectangle.
struct RowStage: PixelSource {
  typealias State = DisplayReferred

  let source: any PixelSource<DisplayReferred>
  let edit: any RowFilter
  private(set) var info: DisplayReferred.Info

  /// `headroom` bounds the result.
  init(_ source: any PixelSource<DisplayReferred>, _ edit: any RowFilter, headroom: Float) {
    self.source = source
    self.edit = edit
    info = source.info
    info.headroom = headroom
  }

  var size: PixelSize { source.size }
  var bandHeight: Int { source.bandHeight }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    for y in 0..<rect.height {
      try edit.apply(buffer.rows(y), at: PixelPoint(x: rect.x, y: rect.y + y))
    }
  }
}

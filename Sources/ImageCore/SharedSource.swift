/// A picture read by two consumers side by side: both ask for the same rectangles, one after the
/// other, so each is made for the first and cached for the second. Pixels do not depend on the
/// order of reading; in another order some are made twice.
package struct SharedSource<State: ImageState>: PixelSource {
  /// Maximum of pixels cached for the second reader, besides the last rectangle.
  private static var limit: Int { 1 << 22 }

  private let source: any PixelSource<State>
  private let pool = WorkspacePool { Pending() }

  /// What one reader has had and the other has not.
  private final class Pending {
    var pending: [(rect: PixelRect, pixels: PlanarBuffer)] = []
    var free: [PlanarBuffer] = []
  }

  package init(_ source: any PixelSource<State>) { self.source = source }

  package var size: PixelSize { source.size }
  package var info: State.Info { source.info }
  package var bandHeight: Int { source.bandHeight }

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try pool.keeping { cache throws(PixelError) in
      let origin = PixelPoint(x: rect.x, y: rect.y)
      if let index = cache.pending.firstIndex(where: { $0.rect == rect }) {
        let pixels = cache.pending.remove(at: index).pixels
        cache.free.append(pixels)
        guard buffer.isOwner else { return try buffer.copy(rect, of: pixels, from: origin) }
        return buffer.exchange(with: pixels)
      }
      try source.read(rect, into: buffer)
      while cache.pending.reduce(0, { $0 + $1.rect.size.area }) > Self.limit {
        cache.free.append(cache.pending.removeFirst().pixels)
      }
      let pixels = cache.free.popLast() ?? PlanarBuffer()
      try pixels.copy(rect, of: buffer, from: origin)
      cache.pending.append((rect, pixels))
    }
  }
}

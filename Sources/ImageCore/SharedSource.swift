/// A picture that two others are made of, which are read side by side: both ask for the same
/// rectangles, one after the other, so each is made for the first and kept for the second. Whatever
/// the order of reading, the pixels are the same; where it is another, some are made again.
package struct SharedSource<State: ImageState>: PixelSource {
  /// Pixels that are kept for the second reader, at most, beside the last rectangle.
  private static var limit: Int { 1 << 22 }

  private let source: any PixelSource<State>
  private let pool = WorkspacePool { Kept() }

  /// What one reader has had and the other has not.
  private final class Kept {
    var pending: [(rect: PixelRect, pixels: PlanarBuffer)] = []
    var free: [PlanarBuffer] = []
  }

  package init(_ source: any PixelSource<State>) { self.source = source }

  package var size: PixelSize { source.size }
  package var info: State.Info { source.info }
  package var bandHeight: Int { source.bandHeight }

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try pool.keeping { kept throws(PixelError) in
      let origin = PixelPoint(x: rect.x, y: rect.y)
      if let index = kept.pending.firstIndex(where: { $0.rect == rect }) {
        let pixels = kept.pending.remove(at: index).pixels
        kept.free.append(pixels)
        guard buffer.isOwner else { return try buffer.copy(rect, of: pixels, from: origin) }
        return buffer.exchange(with: pixels)
      }
      try source.read(rect, into: buffer)
      while kept.pending.reduce(0, { $0 + $1.rect.size.area }) > Self.limit {
        kept.free.append(kept.pending.removeFirst().pixels)
      }
      let pixels = kept.free.popLast() ?? PlanarBuffer()
      try pixels.copy(rect, of: buffer, from: origin)
      kept.pending.append((rect, pixels))
    }
  }
}

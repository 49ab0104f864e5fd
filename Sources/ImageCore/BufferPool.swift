import Synchronization

/// Working memory that many readers of one picture share: a buffer is taken for the time of one
/// call and given back, so there are never more of them than calls at one time.
package final class BufferPool: Sendable {
  private let free = Mutex<[PlanarBuffer]>([])

  package init() {}

  /// Calls `body` with a buffer of `size` whose contents are undefined.
  package func withBuffer<R, E: Error>(
    _ size: PixelSize, _ body: (PlanarBuffer) throws(E) -> R
  ) throws(E) -> R {
    let buffer = free.withLock { $0.popLast() } ?? PlanarBuffer(size: size)
    buffer.reshape(size)
    defer { free.withLock { $0.append(buffer) } }
    return try body(buffer)
  }
}

/// Three planes of 32-bit floats that a stage may write: working memory of one worker, reshaped
/// for each rectangle and reused.
///
/// Each row may be read and written up to ``margin`` samples before its first and behind its last
/// column, so that vector loops need no special case at the edges; what stands there is undefined.
/// Not synchronised: one thread at a time.
public final class PlanarBuffer: @unchecked Sendable {
  /// Samples that exist on both sides of each row.
  public static let margin = 16

  /// Columns and rows in use.
  public private(set) var size: PixelSize
  /// Samples from one row to the next.
  package private(set) var stride: Int
  private var storage: UnsafeMutableRawPointer
  private var capacityBytes: Int

  /// A buffer for pictures of up to `size`; it grows when reshaped beyond that.
  public init(size: PixelSize) {
    self.size = size
    stride = Self.stride(width: size.width)
    capacityBytes = Self.bytes(size)
    storage = PixelMemory.allocate(bytes: capacityBytes)
  }

  deinit { PixelMemory.deallocate(storage, bytes: capacityBytes) }

  private static func stride(width: Int) -> Int { (width + 2 * margin + 15) & ~15 }
  private static func bytes(_ size: PixelSize) -> Int {
    3 * stride(width: size.width) * max(size.height, 1) * MemoryLayout<Float>.stride
  }

  /// Makes the buffer `size` large. Its contents are undefined afterwards.
  public func reshape(_ size: PixelSize) {
    let needed = Self.bytes(size)
    if needed > capacityBytes {
      PixelMemory.deallocate(storage, bytes: capacityBytes)
      storage = PixelMemory.allocate(bytes: needed)
      capacityBytes = needed
    }
    self.size = size
    stride = Self.stride(width: size.width)
  }

  /// First sample of row `y` of `plane` (0…2).
  package func row(_ plane: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
    precondition(plane >= 0 && plane < 3 && y >= 0 && y < size.height, "row outside the buffer")
    return storage.assumingMemoryBound(to: Float.self)
      + ((plane * size.height + y) * stride + Self.margin)
  }

  /// Calls `body` with the samples of row `y` of `plane` (0 red, 1 green, 2 blue).
  public func withRow<R, E: Error>(
    _ plane: Int, _ y: Int, _ body: (inout MutableSpan<Float>) throws(E) -> R
  ) throws(E) -> R {
    var span = UnsafeMutableBufferPointer(start: row(plane, y), count: size.width).mutableSpan
    return try body(&span)
  }
}

extension PlanarBuffer {
  /// Becomes the part of `source`, which starts at `origin`, that `rect` names.
  package func copy(_ rect: PixelRect, of source: PlanarBuffer, from origin: PixelPoint) {
    reshape(rect.size)
    for plane in 0..<3 {
      for y in 0..<rect.height {
        row(plane, y).update(
          from: source.row(plane, rect.y - origin.y + y) + (rect.x - origin.x), count: rect.width)
      }
    }
  }
}

/// Three planes of 32-bit floats that a stage may write: working memory of one worker, reshaped
/// for each rectangle and reused.
///
/// Each row may be read and written up to ``margin`` samples before its first and after its last
/// column, so that vector loops need no special case at the edges; their contents are undefined.
/// Not synchronized: one thread at a time.
///
/// Its properties are read for every row, and in other modules each read would call the run time's
/// check for exclusive access; nothing reads them while ``reshape(_:)`` writes them.
public final class PlanarBuffer: @unchecked Sendable {
  /// Samples that exist on both sides of each row.
  @inlinable public static var margin: Int { 16 }

  /// Columns and rows in use.
  @exclusivity(unchecked)
  public private(set) var size: PixelSize
  /// Samples from one row to the next.
  @exclusivity(unchecked)
  @usableFromInline package private(set) var stride: Int
  /// Samples from one plane to the next.
  @exclusivity(unchecked)
  @usableFromInline var planeStride: Int
  @exclusivity(unchecked)
  @usableFromInline var storage: UnsafeMutableRawPointer
  private var capacityBytes: Int
  /// The buffer whose memory this one uses; nil where it has its own.
  private let owner: PlanarBuffer?

  /// A buffer without pixels and memory, to be reshaped.
  public init() {
    size = PixelSize(width: 0, height: 0)
    stride = Self.stride(width: 0)
    (planeStride, capacityBytes) = (0, 0)
    storage = PixelMemory.nothing
    owner = nil
  }

  /// A buffer for pictures of up to `size`; it grows when reshaped beyond that.
  public convenience init(size: PixelSize) throws(PixelError) {
    self.init()
    try reshape(size)
  }

  /// Some of the `rows` of `owner`, in its memory, which must not be reshaped meanwhile. The size
  /// is fixed.
  package init(rows: Range<Int>, of owner: PlanarBuffer) {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= owner.size.height, "rows of the owner")
    size = PixelSize(width: owner.size.width, height: rows.count)
    (stride, planeStride) = (owner.stride, owner.planeStride)
    storage = owner.storage + rows.lowerBound * owner.stride * MemoryLayout<Float>.stride
    capacityBytes = 0
    self.owner = owner
  }

  deinit { if owner == nil { PixelMemory.deallocate(storage, bytes: capacityBytes) } }

  private static func stride(width: Int) -> Int { (width + 2 * margin + 15) & ~15 }
  private static func bytes(_ size: PixelSize) -> Int {
    3 * stride(width: size.width) * max(size.height, 1) * MemoryLayout<Float>.stride
  }

  /// Makes the buffer `size` large. Its contents are undefined afterwards; where there is no memory
  /// for it, it has no pixels.
  public func reshape(_ size: PixelSize) throws(PixelError) {
    guard owner == nil else {
      precondition(size == self.size, "rows of another buffer have a fixed size")
      return
    }
    let needed = Self.bytes(size)
    if needed > capacityBytes {
      PixelMemory.deallocate(storage, bytes: capacityBytes)
      (storage, capacityBytes) = (PixelMemory.nothing, 0)
      self.size = PixelSize(width: 0, height: 0)
      storage = try PixelMemory.allocate(bytes: needed)
      capacityBytes = needed
    }
    self.size = size
    stride = Self.stride(width: size.width)
    planeStride = stride * size.height
  }

  /// Swaps size, contents and memory with `other`; neither may be rows of another buffer.
  package func exchange(with other: PlanarBuffer) {
    precondition(owner == nil && other.owner == nil, "rows of another buffer cannot be exchanged")
    (size, other.size) = (other.size, size)
    (stride, other.stride) = (other.stride, stride)
    (planeStride, other.planeStride) = (other.planeStride, planeStride)
    (storage, other.storage) = (other.storage, storage)
    (capacityBytes, other.capacityBytes) = (other.capacityBytes, capacityBytes)
  }

  /// Whether it has memory of its own.
  package var isOwner: Bool { owner == nil }

  /// Row `y` of `plane` (0…2).
  @inlinable
  package func row(_ plane: Int, _ y: Int) -> MutableRowView {
    precondition(plane >= 0 && plane < 3 && y >= 0 && y < size.height, "row outside the buffer")
    let start =
      storage.assumingMemoryBound(to: Float.self)
      + (plane * planeStride + y * stride + Self.margin)
    return MutableRowView(
      start, count: size.width, before: Self.margin, behind: stride - Self.margin - size.width)
  }

  /// All of `plane` as one row that starts with row 0: row `y` begins at `y * stride`.
  package func plane(_ plane: Int) -> MutableRowView {
    let first = row(plane, 0)
    return MutableRowView(
      first.start, count: first.count, before: first.before,
      behind: first.behind + (size.height - 1) * stride)
  }

  /// Row `y` of all three planes.
  package func rows(_ y: Int) -> RGBRows { RGBRows(row(0, y), row(1, y), row(2, y)) }

  /// Calls `body` with the samples of row `y` of `plane` (0 red, 1 green, 2 blue).
  public func withRow<R, E: Error>(
    _ plane: Int, _ y: Int, _ body: (inout MutableSpan<Float>) throws(E) -> R
  ) throws(E) -> R {
    var span = row(plane, y).buffer.mutableSpan
    return try body(&span)
  }
}

extension PlanarBuffer {
  /// Copies `rect` of the picture from `source`, whose first pixel is at `origin`.
  package func copy(
    _ rect: PixelRect, of source: PlanarBuffer, from origin: PixelPoint
  ) throws(PixelError) {
    try reshape(rect.size)
    for plane in 0..<3 {
      for y in 0..<rect.height {
        row(plane, y).update(
          from: source.row(plane, rect.y - origin.y + y).from(rect.x - origin.x), count: rect.width)
      }
    }
  }
}

/// A picture in memory: three immutable planes of 32-bit floats. `State` is the meaning of the
/// values. Copies share the pixels.
public struct Image<State: ImageState>: Sendable {
  /// Properties of the picture besides its pixels.
  public let info: State.Info
  private let planes: PlanarBuffer

  /// Columns and rows.
  public var size: PixelSize { planes.size }
  /// Memory of the pixels, bytes.
  public var byteCount: Int { 3 * planes.stride * size.height * MemoryLayout<Float>.stride }

  /// A picture of `size`; `fill` must write every pixel.
  public init(
    size: PixelSize, info: State.Info, fill: (PlanarBuffer) throws(PixelError) -> Void
  ) throws(PixelError) {
    let planes = try PlanarBuffer(size: size)
    try fill(planes)
    self.planes = planes
    self.info = info
  }

  /// The pixels of `source`, rendered on up to `workers` threads, in bands of `bandHeight` rows or
  /// as many as it prefers.
  public init(
    rendering source: some PixelSource<State>, bandHeight: Int? = nil,
    workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) {
    let bands = PictureBands(source, rows: bandHeight, workers: workers)
    try self.init(size: source.size, info: source.info) { planes throws(PixelError) in
      try bands.forEach { band, _ throws(PixelError) in
        band.copy(into: planes)
      } consume: { _, _ throws(PixelError) in
      }
    }
  }

  /// Row `y` of `plane`, with the margins of ``PlanarBuffer``.
  package func row(_ plane: Int, _ y: Int) -> RowView { RowView(planes.row(plane, y)) }

  /// Calls `body` with the samples of row `y` of `plane` (0 red, 1 green, 2 blue).
  public func withRow<R, E: Error>(
    _ plane: Int, _ y: Int, _ body: (Span<Float>) throws(E) -> R
  ) throws(E) -> R {
    try body(UnsafeBufferPointer(row(plane, y).samples.buffer).span)
  }

  /// The three values at column `x` of row `y`.
  public subscript(x: Int, y: Int) -> SIMD3<Float> {
    precondition(x >= 0 && x < size.width, "column outside the picture")
    return SIMD3(row(0, y)[x], row(1, y)[x], row(2, y)[x])
  }
}

extension Image: PixelSource {
  /// Copies `rect` into `buffer`.
  public func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try buffer.reshape(rect.size)
    for plane in 0..<3 {
      for y in 0..<rect.height {
        buffer.row(plane, y).update(from: row(plane, rect.y + y).from(rect.x), count: rect.width)
      }
    }
  }
}

/// A picture made upright: the same pixels, bit for bit.
package struct OrientedSource<State: ImageState>: PixelSource {
  private let source: any PixelSource<State>
  private let orientation: Orientation
  private let pool = BufferPool()
  package let bandHeight: Int

  /// `source` is stored in `orientation`. Where that is not read from top to bottom, it is read in
  /// bands of at least `minBandHeight` rows: larger ones read fewer pixels twice.
  package init(
    _ source: any PixelSource<State>, _ orientation: Orientation, minBandHeight: Int = 1
  ) {
    self.source = source
    self.orientation = orientation
    let isInOrder = orientation == .up || orientation == .upMirrored
    bandHeight = isInOrder ? source.bandHeight : max(source.bandHeight, minBandHeight)
  }

  package var size: PixelSize { orientation.upright(source.size) }
  package var info: State.Info { source.info }

  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    let stored = orientation.storedRect(of: rect, stored: source.size)
    try buffer.reshape(rect.size)
    guard !rect.isEmpty else { return }
    try pool.withBuffer(stored.size) { scratch throws(PixelError) in
      try source.read(stored, into: scratch)
      orientation.copy(scratch, to: buffer)
    }
  }
}

extension Orientation {
  /// `stored`, which has this orientation, made upright; see `OrientedSource`.
  package func applied<State: ImageState>(
    to stored: any PixelSource<State>, minBandHeight: Int = 1
  ) -> any PixelSource<State> {
    self == .up ? stored : OrientedSource(stored, self, minBandHeight: minBandHeight)
  }

  /// Copies `stored`, the pixels of `storedRect(of:)` for an upright rectangle, into `upright`,
  /// rotated; both must have the right sizes.
  fileprivate func copy(_ stored: PlanarBuffer, to upright: PlanarBuffer) {
    let (width, height) = (upright.size.width, upright.size.height)
    let origin = storedPoint(of: PixelPoint(x: 0, y: 0), stored: stored.size)
    let stepX = swapsAxes ? 0 : (origin.x == 0 ? 1 : -1)
    let stepY = swapsAxes ? (origin.y == 0 ? 1 : -1) : 0
    for plane in 0..<3 {
      let base = stored.plane(plane)
      let stride = stored.stride
      let step = stepX &+ stepY &* stride
      for y in 0..<height {
        let first = storedPoint(of: PixelPoint(x: 0, y: y), stored: stored.size)
        let from = base.from(first.y &* stride &+ first.x)
        let to = upright.row(plane, y)
        for x in 0..<width { to[x] = from[x &* step] }
      }
    }
  }
}

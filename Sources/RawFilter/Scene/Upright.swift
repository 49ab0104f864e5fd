package import ImageCore

extension Orientation {
  /// Copies the stored pixels of `stored`, which shows what `storedRect(of:)` of some upright
  /// rectangle names, into `upright`, turned; both must have the right sizes.
  package func copy(_ stored: PlanarBuffer, to upright: PlanarBuffer) {
    let (width, height) = (upright.size.width, upright.size.height)
    let origin = storedPoint(of: PixelPoint(x: 0, y: 0), stored: stored.size)
    let stepX = swapsAxes ? 0 : (origin.x == 0 ? 1 : -1)
    let stepY = swapsAxes ? (origin.y == 0 ? 1 : -1) : 0
    for plane in 0..<3 {
      let base = stored.row(plane, 0)
      let stride = stored.stride
      let step = stepX &+ stepY &* stride
      for y in 0..<height {
        let first = storedPoint(of: PixelPoint(x: 0, y: y), stored: stored.size)
        var from = base + (first.y &* stride &+ first.x)
        let to = upright.row(plane, y)
        for x in 0..<width {
          to[x] = from.pointee
          from += step
        }
      }
    }
  }
}

/// A picture turned upright: the same pixels, bit for bit.
struct UprightSource: PixelSource {
  typealias State = SceneLinear

  let source: any PixelSource<SceneLinear>
  let orientation: Orientation
  private let pool = BufferPool()

  init(_ source: any PixelSource<SceneLinear>, _ orientation: Orientation) {
    self.source = source
    self.orientation = orientation
  }

  var size: PixelSize { orientation.upright(source.size) }
  var info: SceneLinear.Info { source.info }
  var bandHeight: Int { max(source.bandHeight, 256) }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    let stored = orientation.storedRect(of: rect, stored: source.size)
    buffer.reshape(rect.size)
    pool.withBuffer(stored.size) { scratch in
      source.read(stored, into: scratch)
      orientation.copy(scratch, to: buffer)
    }
  }
}

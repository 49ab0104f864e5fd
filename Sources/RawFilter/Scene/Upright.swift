import ImageCore

extension Orientation {
  /// `stored` turned as this says.
  func applied(to stored: any PixelSource<SceneLinear>) -> any PixelSource<SceneLinear> {
    self == .up ? stored : UprightSource(stored, self)
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

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

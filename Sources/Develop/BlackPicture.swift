import ImageCore

/// A black picture: the canvas of a composition.
struct BlackPicture: PixelSource {
  typealias State = DisplayReferred

  let size: PixelSize
  var info = DisplayReferred.Info(primaries: .bt2020, headroom: 1)

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try buffer.reshape(rect.size)
    for plane in 0..<3 {
      for y in 0..<rect.height { buffer.row(plane, y).update(repeating: 0, count: rect.width) }
    }
  }
}

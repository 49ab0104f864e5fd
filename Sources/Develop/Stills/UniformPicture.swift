import ImageCore

/// A picture of one gray: the canvas of a composition.
struct UniformPicture: PixelSource {
  typealias State = DisplayReferred

  let size: PixelSize
  var info = DisplayReferred.Info(primaries: .bt2020, headroom: 1)
  /// 0 is black, 1 reference white.
  var value: Float = 0

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try buffer.reshape(rect.size)
    for plane in 0..<3 {
      for y in 0..<rect.height { buffer.row(plane, y).update(repeating: value, count: rect.width) }
    }
  }
}

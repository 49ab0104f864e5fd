import ImageCore

extension Orientation {
  /// `stored` with this orientation applied.
  func applied(to stored: any PixelSource<SceneLinear>) -> any PixelSource<SceneLinear> {
    self == .up ? stored : OrientedSource(stored, self, minBandHeight: 256)
  }
}

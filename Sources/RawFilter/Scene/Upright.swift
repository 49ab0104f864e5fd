import ImageCore

extension Orientation {
  /// `stored` turned as this says.
  func applied(to stored: any PixelSource<SceneLinear>) -> any PixelSource<SceneLinear> {
    self == .up ? stored : OrientedSource(stored, self, minBandHeight: 256)
  }
}

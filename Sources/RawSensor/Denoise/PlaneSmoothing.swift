import ImageCore

/// What removes noise of known spectrum from one plane.
protocol PlaneSmoothing: Sendable {
  /// The part of a plane that must be known to make `rect` of it.
  func input(for rect: PixelRect) -> PixelRect

  /// Writes the smoothed `plane` of `input` to `rect` of `output`. The same bits however a picture
  /// is cut into rectangles.
  func apply(
    _ input: NoiseLayer, _ plane: Int, to output: NoiseLayer, rect: PixelRect,
    work: NoiseWorkspace) throws(PixelError)
}

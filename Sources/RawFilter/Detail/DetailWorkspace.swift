import ImageCore

/// Working memory of one reader of a detail stage. It grows with the first rectangles and is then
/// reused without further allocation.
final class DetailWorkspace {
  /// The source's pixels of the rectangle and its halo.
  let pixels = PlanarBuffer()
  /// The source's pixels, sharpened above a row.
  let sharpened = RowWindow()
  var sharpenedEnd = 0
  /// Luminance, or its logarithm, extended beyond the borders of the picture.
  let luminance = TilePlane()
  /// Largest channel, likewise.
  let brightest = TilePlane()
  /// Weight of the sharpened luminance.
  let weights = TilePlane()
  /// Scratch planes, overwritten by each step.
  let scratch = (0..<5).map { _ in TilePlane() }
}

extension TilePlane {
  /// Extends the samples at the edges of `inside` over the rest of the plane.
  func repeatEdges(of inside: PixelRect) {
    let (left, right) = (inside.x - rect.x, inside.endX - rect.x)
    for y in inside.y..<inside.endY {
      let line = row(y)
      for x in 0..<max(left, 0) { line[x] = line[left] }
      for x in min(right, rect.width)..<rect.width { line[x] = line[right - 1] }
    }
    for y in rect.y..<max(inside.y, rect.y) {
      row(y).update(from: row(inside.y), count: rect.width)
    }
    for y in min(inside.endY, rect.endY)..<rect.endY {
      row(y).update(from: row(inside.endY - 1), count: rect.width)
    }
  }
}

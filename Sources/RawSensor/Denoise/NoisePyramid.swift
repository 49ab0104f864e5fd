import CKernels
import ImageCore
import RawData

/// Halving by the mean of 2 × 2 pixels, and bilinear doubling (weights 9/16, 3/16, 3/16, 1/16),
/// both on a grid fixed to the full picture.
enum NoisePyramid {
  /// Fills `rect` of `half`, or all of it, from `full`.
  static func halve(
    _ full: NoiseLayer, into half: NoiseLayer, _ rect: PixelRect? = nil, planes: Range<Int>
  ) {
    let rect = rect ?? half.rect
    for plane in planes {
      for y in rect.y..<rect.endY {
        func row(_ y: Int) -> UnsafeMutablePointer<Float> {
          full.at(plane, 2 * rect.x, y).kernel(2 * rect.width, behind: ck_halveRow_behind)
        }
        ck_halveRow(
          row(2 * y), row(2 * y + 1), half.at(plane, rect.x, y).start, Int64(rect.width))
      }
    }
  }

  /// Fills `out`, which becomes `rect`, with the enlarged `half`. `line` holds at least half a row
  /// and 32 samples more.
  static func enlarge(
    _ half: NoiseLayer, into out: NoiseLayer, _ rect: PixelRect, planes: Range<Int>,
    line: MutableRowView
  ) throws(PixelError) {
    try out.reshape(rect)
    for plane in planes {
      for y in rect.y..<rect.endY {
        let (near, far, count) = sources(half, plane, rect, y)
        ck_enlargeRow(near, far, line.start, out.at(plane, rect.x & ~1, y).start, count)
      }
    }
  }

  /// Fills `rect` of `out` with `full` + the enlarged `change`.
  static func add(
    _ change: NoiseLayer, to full: NoiseLayer, into out: NoiseLayer, _ rect: PixelRect,
    planes: Range<Int>, line: MutableRowView
  ) {
    for plane in planes {
      for y in rect.y..<rect.endY {
        let (near, far, count) = sources(change, plane, rect, y)
        ck_addEnlargedRow(
          near, far, line.start, full.at(plane, rect.x & ~1, y).start,
          out.at(plane, rect.x & ~1, y).start, count)
      }
    }
  }

  /// The rows of `half` from which row `y` of `rect` is enlarged, the nearer first, from a sample
  /// before the even column at or before the first of `rect`; and the number of samples, rounded up
  /// to vectors.
  private static func sources(
    _ half: NoiseLayer, _ plane: Int, _ rect: PixelRect, _ y: Int
  ) -> (near: UnsafePointer<Float>, far: UnsafePointer<Float>, count: Int64) {
    let first = (rect.x >> 1) - 1
    let near = half.at(plane, first, y >> 1)
    let far = half.at(plane, first, (y & 1 == 0) ? (y >> 1) - 1 : (y >> 1) + 1)
    let count = ((rect.endX - (rect.x & ~1) + 15) >> 4) << 3
    let behind = max(ck_enlargeRow_behind, ck_addEnlargedRow_behind)
    return (
      UnsafePointer(near.kernel(count, behind: behind)),
      UnsafePointer(far.kernel(count, behind: behind)), Int64(count)
    )
  }

  /// Fills `rect` of `out` with `changed` − `original`.
  static func subtract(
    _ original: NoiseLayer, from changed: NoiseLayer, into out: NoiseLayer, _ rect: PixelRect,
    planes: Range<Int>
  ) {
    for plane in planes {
      for y in rect.y..<rect.endY {
        func row(_ layer: NoiseLayer) -> UnsafeMutablePointer<Float> {
          layer.at(plane, rect.x, y).kernel(rect.width, behind: ck_subtractRow_behind)
        }
        ck_subtractRow(row(changed), row(original), row(out), Int64(rect.width))
      }
    }
  }
}

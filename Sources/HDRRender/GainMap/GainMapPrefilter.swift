/// Computes the samples of a half-size map from the mean gains over its areas, such that the map,
/// enlarged twofold by bilinear interpolation, has those means.
///
/// Source: the enlarged map's mean over an area is 1/8, 6/8, 1/8 of three neighbors, each way.
/// Those are the samples of the quadratic B-spline; their inverse is one recursive filter forward
/// and one backward with the pole √8 − 3 (Unser, "Splines", IEEE Signal Processing Magazine 1999),
/// edges mirrored, gain 8. Exact for even sizes, nearly so for odd ones. Compared with plain means
/// it reduces the largest error at a sharp edge, 0.25 of the step, by 40 %, at the price of a
/// ripple of as much on the next pixel; on a scene full of detail the error of 5 % of the pixels
/// falls by 13…20 %.
enum GainMapPrefilter {
  private static let pole: Float = -0.171572875

  /// Filters rows and columns of `values`, whose channels are interleaved.
  static func apply(_ values: inout [Float], width: Int, height: Int, channels: Int) {
    values.withUnsafeMutableBufferPointer { values in
      for y in 0..<height {
        for channel in 0..<channels {
          line(values, from: y * width * channels + channel, step: channels, count: width)
        }
      }
      for column in 0..<width * channels {
        line(values, from: column, step: width * channels, count: height)
      }
    }
  }

  private static func line(
    _ values: UnsafeMutableBufferPointer<Float>, from start: Int, step: Int, count: Int
  ) {
    guard count > 1 else { return }
    // The mirrored part before the line; the pole to the 12th power is below the last bit.
    var (sum, power) = (values[start], pole)
    for k in 0..<12 {
      let offset = k % (2 * count)
      sum += power * values[start + min(offset, 2 * count - 1 - offset) * step]
      power *= pole
    }
    values[start] = sum
    for k in 1..<count { values[start + k * step] += pole * values[start + (k - 1) * step] }
    let last = start + (count - 1) * step
    values[last] *= pole / (pole - 1)
    for k in (0..<count - 1).reversed() {
      let at = start + k * step
      values[at] = pole * (values[at + step] - values[at])
    }
    for k in 0..<count { values[start + k * step] *= 8 }
  }
}

package import ImageCore

/// A linear picture of camera values in memory, small enough to look for a chart in it.
package struct ChartPicture: Sendable {
  /// Columns and rows.
  package let size: PixelSize
  /// White-balanced camera values, row by row; for the finder any approximate balance will do.
  package let pixels: [SIMD3<Float>]
  /// Values from which channels are saturated.
  package let saturation: SIMD3<Float>

  /// nil where `pixels` do not match `size`.
  package init?(size: PixelSize, pixels: [SIMD3<Float>], saturation: SIMD3<Float>) {
    guard size.width > 0, size.height > 0, pixels.count == size.area else { return nil }
    (self.size, self.pixels, self.saturation) = (size, pixels, saturation)
  }

  /// The value at a column and row.
  package subscript(x: Int, y: Int) -> SIMD3<Float> { pixels[y * size.width + x] }

  /// The picture of the means of squares of `factor` pixels.
  func reduced(by factor: Int) -> ChartPicture {
    guard factor > 1 else { return self }
    let (width, height) = (max(size.width / factor, 1), max(size.height / factor, 1))
    var means: [SIMD3<Float>] = []
    means.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        var (sum, count) = (SIMD3<Float>(), Float(0))
        for j in y * factor..<min((y + 1) * factor, size.height) {
          for i in x * factor..<min((x + 1) * factor, size.width) {
            sum += self[i, j]
            count += 1
          }
        }
        means.append(sum / max(count, 1))
      }
    }
    return ChartPicture(
      size: PixelSize(width: width, height: height), means, saturation)
  }

  private init(size: PixelSize, _ pixels: [SIMD3<Float>], _ saturation: SIMD3<Float>) {
    (self.size, self.pixels, self.saturation) = (size, pixels, saturation)
  }
}

import ImageCore

/// Summed-area table of a small picture: the mean over any rectangle, with fractional edges, takes
/// four lookups (Crow, "Summed-area tables for texture mapping", 1984).
struct SummedAreaTable: Sendable {
  /// Summed for each pixel: linear red, green, blue, the square of their mean, and 1 if a channel
  /// is white.
  typealias Values = SIMD8<Double>

  let size: PixelSize
  private let sums: [Values]

  /// The picture with the values `linear` at each pixel; channels from `white` on count as white.
  init(_ size: PixelSize, white: Double, linear: (_ x: Int, _ y: Int) -> SIMD3<Double>) {
    self.init(size) { x, y in
      let rgb = linear(x, y)
      return (rgb, rgb.max() >= white)
    }
  }

  /// The picture with the values `linear` at each pixel, and whether the pixel is white.
  init(_ size: PixelSize, linear: (_ x: Int, _ y: Int) -> (SIMD3<Double>, isWhite: Bool)) {
    self.size = size
    let width = size.width + 1
    var sums = [Values](repeating: Values(), count: width * (size.height + 1))
    for y in 0..<size.height {
      var row = Values()
      for x in 0..<size.width {
        let (rgb, isWhite) = linear(x, y)
        let mean = rgb.sum() / 3
        row += Values(rgb.x, rgb.y, rgb.z, mean * mean, isWhite ? 1 : 0, 0, 0, 0)
        sums[(y + 1) * width + x + 1] = sums[y * width + x + 1] + row
      }
    }
    self.sums = sums
  }

  /// The sum left of and above a position in pixels.
  private func sum(_ x: Double, _ y: Double) -> Values {
    let (px, py) = (
      min(max(x, 0), Double(size.width)), min(max(y, 0), Double(size.height))
    )
    let (x0, y0) = (min(Int(px), size.width - 1), min(Int(py), size.height - 1))
    let (fx, fy) = (px - Double(x0), py - Double(y0))
    let at = y0 * (size.width + 1) + x0
    let below = at + size.width + 1
    let upper = sums[at] + (sums[at + 1] - sums[at]) * fx
    let lower = sums[below] + (sums[below + 1] - sums[below]) * fx
    return upper + (lower - upper) * fy
  }

  /// The mean over the rectangle from `low` to `high`, in pixels.
  func mean(_ low: SIMD2<Double>, _ high: SIMD2<Double>) -> Values {
    let area = max((high.x - low.x) * (high.y - low.y), 1e-12)
    return (sum(high.x, high.y) - sum(low.x, high.y) - sum(high.x, low.y) + sum(low.x, low.y))
      / area
  }
}

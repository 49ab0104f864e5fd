import ImageCore

/// An even area of a picture, as far as it may be a patch of a chart.
struct FlatArea: Sendable {
  /// Its center in pixels.
  var center: SIMD2<Double>
  /// Pixels.
  var area: Double
  /// Mean value.
  var color: SIMD3<Double>
}

/// The areas of a picture that are even and shaped like parallelograms.
///
/// A pixel is flat where the cube roots of no channel, of white 1, differ by more than `limit`
/// among the 3 × 3 pixels around it; connected flat pixels make an area. A parallelogram of area A
/// whose pixels have the covariance matrix C has A = 12·√det C, whatever its shape, for which areas
/// within 0.84…1.08, and ratios of the axes up to 3.5, are accepted: squares in perspective.
/// Ellipses (A = 4π·√det C) are accepted, too; the grid rejects them. Units: pixels; linear values.
/// Known failure: patches smaller than 5 pixels, or with a texture above the limit.
enum FlatAreas {
  /// Minimum pixels of an area.
  private static let minArea = 9

  /// The areas of `picture`, by descending size.
  static func found(in picture: ChartPicture, limit: Float) -> [FlatArea] {
    let (width, height) = (picture.size.width, picture.size.height)
    guard width > 8, height > 8 else { return [] }
    let scale = white(picture)
    let roots = picture.pixels.map { value -> SIMD3<Float> in
      let t = value * scale
      return SIMD3(
        Float(Double(max(t.x, 0)).cubeRoot), Float(Double(max(t.y, 0)).cubeRoot),
        Float(Double(max(t.z, 0)).cubeRoot))
    }
    let flat = flatPixels(roots, width: width, height: height, limit: limit)
    var seen = [Bool](repeating: false, count: flat.count)
    var areas: [FlatArea] = []
    var stack: [Int] = []
    for start in flat.indices where flat[start] && !seen[start] {
      var sums = Moments()
      stack.append(start)
      seen[start] = true
      while let index = stack.popLast() {
        let (x, y) = (index % width, index / width)
        sums.add(x, y, picture.pixels[index])
        for next in [index - 1, index + 1, index - width, index + width]
        where flat[next] && !seen[next] {
          seen[next] = true
          stack.append(next)
        }
      }
      if let area = sums.parallelogram(
        minimum: minArea, maximum: width * height / 12)
      {
        areas.append(area)
      }
    }
    return areas.sorted { $0.area > $1.area }
  }

  /// 1 / the value that counts as white: the brightest 2 % of green are no darker.
  private static func white(_ picture: ChartPicture) -> Float {
    let step = max(picture.pixels.count / 20_000, 1)
    let greens = stride(from: 0, to: picture.pixels.count, by: step).map {
      picture.pixels[$0].y
    }.filter(\.isFinite).sorted()
    guard !greens.isEmpty else { return 1 }
    let level = greens[min(greens.count * 98 / 100, greens.count - 1)]
    return level > 0 ? 1 / level : 1
  }

  /// Whether the values around each pixel are the same within `limit`. The outermost pixels are
  /// not.
  private static func flatPixels(
    _ roots: [SIMD3<Float>], width: Int, height: Int, limit: Float
  ) -> [Bool] {
    var (lows, highs) = (roots, roots)
    for y in 0..<height {
      for x in 1..<width - 1 {
        let i = y * width + x
        lows[i] = pointwiseMin(pointwiseMin(roots[i - 1], roots[i]), roots[i + 1])
        highs[i] = pointwiseMax(pointwiseMax(roots[i - 1], roots[i]), roots[i + 1])
      }
    }
    var flat = [Bool](repeating: false, count: roots.count)
    for y in 1..<height - 1 {
      for x in 1..<width - 1 {
        let i = y * width + x
        let low = pointwiseMin(pointwiseMin(lows[i - width], lows[i]), lows[i + width])
        let high = pointwiseMax(pointwiseMax(highs[i - width], highs[i]), highs[i + width])
        flat[i] = (high - low).max() <= limit
      }
    }
    return flat
  }

  /// Sums over the pixels of an area.
  private struct Moments {
    var count = 0
    var (x, y, xx, xy, yy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    var color = SIMD3<Double>()

    mutating func add(_ column: Int, _ row: Int, _ value: SIMD3<Float>) {
      let (u, v) = (Double(column), Double(row))
      count += 1
      x += u
      y += v
      xx += u * u
      xy += u * v
      yy += v * v
      color += SIMD3<Double>(value)
    }

    func parallelogram(minimum: Int, maximum: Int) -> FlatArea? {
      guard count >= minimum, count <= maximum else { return nil }
      let n = Double(count)
      let (mx, my) = (x / n, y / n)
      // A pixel has a twelfth of its own.
      let (a, b, c) = (xx / n - mx * mx + 1 / 12.0, xy / n - mx * my, yy / n - my * my + 1 / 12.0)
      let determinant = a * c - b * b
      guard determinant > 0 else { return nil }
      let fill = n / (12 * determinant.squareRoot())
      let half = (a + c) / 2
      let spread = ((a - c) * (a - c) / 4 + b * b).squareRoot()
      guard fill >= 0.84, fill <= 1.08, half + spread <= 3.5 * 3.5 * (half - spread) else {
        return nil
      }
      return FlatArea(center: SIMD2(mx + 0.5, my + 0.5), area: n, color: color / n)
    }
  }
}

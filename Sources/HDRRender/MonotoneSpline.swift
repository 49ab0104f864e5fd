/// A monotone cubic interpolant through points (x, y): it rises where they rise, never overshoots.
///
/// Source: Fritsch and Butland, "A method for constructing local monotone piecewise cubic
/// interpolants", SIAM J. Sci. Stat. Comput. 5 (1984): the slope at a point is the weighted
/// harmonic mean of the adjacent slopes, 0 where they differ in sign. At both ends it is the slope
/// of the first and last segment, with which the spline is extrapolated linearly.
package struct MonotoneSpline: Sendable, Hashable {
  private let x: [Float]
  private let y: [Float]
  private let slope: [Float]

  /// Two points or more, all finite, x rising.
  package init(_ points: [SIMD2<Double>]) {
    let n = points.count
    let steps = (0..<n - 1).map {
      (points[$0 + 1].y - points[$0].y) / (points[$0 + 1].x - points[$0].x)
    }
    var slopes = [steps[0]]
    for i in 1..<max(n - 1, 1) {
      let (before, behind) = (steps[i - 1], steps[i])
      let (a, b) = (points[i].x - points[i - 1].x, points[i + 1].x - points[i].x)
      let (w1, w2) = (2 * b + a, b + 2 * a)
      slopes.append(before * behind > 0 ? (w1 + w2) / (w1 / before + w2 / behind) : 0)
    }
    slopes.append(steps[n - 2])
    x = points.map { Float($0.x) }
    y = points.map { Float($0.y) }
    slope = slopes.map { Float($0) }
  }

  package func callAsFunction(_ value: Float) -> Float {
    let last = x.count - 1
    if !(value > x[0]) { return y[0] + (value - x[0]) * slope[0] }
    if value >= x[last] { return y[last] + (value - x[last]) * slope[last] }
    let low = x.interval(of: value)
    let width = x[low + 1] - x[low]
    let t = (value - x[low]) / width
    let u = 1 - t
    let even = y[low] + (y[low + 1] - y[low]) * t * t * (3 - 2 * t)
    return even + width * t * u * (slope[low] * u - slope[low + 1] * t)
  }
}

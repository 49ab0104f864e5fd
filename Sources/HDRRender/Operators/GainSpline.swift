import Foundation

/// A gain in stops over linear values, as ST 2094-50 stores it: points with slopes, piecewise cubic
/// Hermite between them, constant below the first, and after the last falling so that the product
/// of gain and value is constant.
struct GainSpline: Sendable {
  private let points: [(x: Double, stops: Double, slope: Double)]

  /// Two or more points with x rising; the slope is in stops over x.
  init(_ points: [(x: Double, stops: Double, slope: Double)]) {
    precondition(points.count >= 2, "a spline needs two points")
    self.points = points
  }

  func callAsFunction(_ x: Double) -> Double {
    let last = points[points.count - 1]
    if x >= last.x { return last.stops + log2(last.x / x) }
    guard x > points[0].x, let end = points.firstIndex(where: { x < $0.x }) else {
      return points[0].stops
    }
    let (a, b) = (points[end - 1], points[end])
    let width = b.x - a.x
    let t = (x - a.x) / width
    let (t2, t3) = (t * t, t * t * t)
    return (2 * t3 - 3 * t2 + 1) * a.stops + (t3 - 2 * t2 + t) * width * a.slope
      + (3 * t2 - 2 * t3) * b.stops + (t3 - t2) * width * b.slope
  }
}

/// The natural cubic spline through points (x, y), as DNG 1.7.1 reads a ProfileToneCurve: second
/// derivative 0 at both ends, continuous between. Tridiagonal system solved by elimination
/// (Thomas). Outside its points it is extrapolated linearly with the slope at the end. Known
/// failure: a spline through uneven points may overshoot them; the file is trusted.
package struct ToneSpline: Sendable, Hashable {
  private let x: [Double]
  private let y: [Double]
  /// Second derivatives at the points.
  private let bend: [Double]

  /// nil unless there are two points or more, all finite, x rising.
  package init?(_ points: [SIMD2<Double>]) {
    guard points.count >= 2, points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }),
      zip(points, points.dropFirst()).allSatisfy({ $0.x < $1.x })
    else { return nil }
    x = points.map(\.x)
    y = points.map(\.y)
    let n = points.count
    var (upper, right) = ([Double](repeating: 0, count: n), [Double](repeating: 0, count: n))
    for i in 1..<n - 1 {
      let (before, after) = (x[i] - x[i - 1], x[i + 1] - x[i])
      let pivot = 2 * (before + after) - before * upper[i - 1]
      let turn = 6 * ((y[i + 1] - y[i]) / after - (y[i] - y[i - 1]) / before)
      upper[i] = after / pivot
      right[i] = (turn - before * right[i - 1]) / pivot
    }
    var bend = [Double](repeating: 0, count: n)
    for i in (1..<n - 1).reversed() { bend[i] = right[i] - upper[i] * bend[i + 1] }
    guard bend.allSatisfy(\.isFinite) else { return nil }
    self.bend = bend
  }

  package func callAsFunction(_ value: Double) -> Double {
    let last = x.count - 1
    if value <= x[0] { return y[0] + (value - x[0]) * slope(0, at: 0) }
    if value >= x[last] { return y[last] + (value - x[last]) * slope(last - 1, at: 1) }
    let low = x.interval(of: value)
    let width = x[low + 1] - x[low]
    let b = (value - x[low]) / width
    let a = 1 - b
    return a * y[low] + b * y[low + 1]
      + ((a * a * a - a) * bend[low] + (b * b * b - b) * bend[low + 1]) * width * width / 6
  }

  /// The slope within segment `i` at its start (0) or end (1).
  private func slope(_ i: Int, at end: Double) -> Double {
    let width = x[i + 1] - x[i]
    let (a, b) = (1 - end, end)
    return (y[i + 1] - y[i]) / width
      + ((3 * b * b - 1) * bend[i + 1] - (3 * a * a - 1) * bend[i]) * width / 6
  }
}

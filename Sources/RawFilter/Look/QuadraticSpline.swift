/// Quadratic B-splines over 0…1 with evenly spaced knots: smooth, and everywhere a convex
/// combination of three coefficients.
///
/// Source: de Boor, "A Practical Guide to Splines" (1978). With n coefficients there are n − 2
/// segments; beyond both ends a spline is constant.
enum QuadraticSpline {
  /// The index of the first of the three coefficients at `x`, and their weights.
  static func terms(_ x: Double, count: Int) -> (first: Int, weights: SIMD3<Double>) {
    let segments = count - 2
    let position = min(max(x, 0), 1) * Double(segments)
    let first = min(Int(position), segments - 1)
    let t = position - Double(first)
    return (first, SIMD3((1 - t) * (1 - t) / 2, 0.5 + t * (1 - t), t * t / 2))
  }
}

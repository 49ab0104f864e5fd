import ImageCore

/// The projective map of a plane to a picture of it (Hartley & Zisserman, Multiple View Geometry,
/// 2nd ed., chapter 4): (x, y) → ((h₀x + h₁y + h₂) / w, (h₃x + h₄y + h₅) / w), w = h₆x + h₇y + 1.
/// By least squares over four or more pairs of points, with the points of the plane near the origin
/// and of size 1, which keeps the equations well conditioned. Known failure: the map's horizon
/// through a point.
package struct Homography: Sendable, Hashable {
  private let h: [Double]

  /// The map of `plane` to `picture`; nil where the points do not determine one.
  init?(from plane: [SIMD2<Double>], to picture: [SIMD2<Double>]) {
    guard plane.count >= 4, plane.count == picture.count else { return nil }
    let scale = picture.reduce(1) { max($0, max(abs($1.x), abs($1.y))) }
    var equations: [[Double]] = []
    for (p, q) in zip(plane, picture) {
      let (u, v) = (q.x / scale, q.y / scale)
      equations.append([p.x, p.y, 1, 0, 0, 0, -u * p.x, -u * p.y, u])
      equations.append([0, 0, 0, p.x, p.y, 1, -v * p.x, -v * p.y, v])
    }
    guard var found = LinearEquations.leastSquares(equations) else { return nil }
    for i in 0..<6 { found[i] *= scale }
    h = found
  }

  /// The point of the picture at a point of the plane.
  func callAsFunction(_ p: SIMD2<Double>) -> SIMD2<Double> {
    let w = h[6] * p.x + h[7] * p.y + 1
    return SIMD2(h[0] * p.x + h[1] * p.y + h[2], h[3] * p.x + h[4] * p.y + h[5]) / w
  }

  /// The point of the plane at a point of the picture; nil on the map's horizon.
  func inverse(_ q: SIMD2<Double>) -> SIMD2<Double>? {
    let (a, b) = (h[0] - q.x * h[6], h[1] - q.x * h[7])
    let (c, d) = (h[3] - q.y * h[6], h[4] - q.y * h[7])
    let determinant = a * d - b * c
    guard abs(determinant) > 1e-12 else { return nil }
    let (e, f) = (q.x - h[2], q.y - h[5])
    return SIMD2((e * d - b * f) / determinant, (a * f - e * c) / determinant)
  }
}

/// A projective map of positions: (x, y) becomes (a x + b y + c, d x + e y + f) / (g x + h y + i).
package struct ProjectiveMap: Sendable, Hashable {
  /// Coefficients of the three sums.
  package var across: SIMD3<Double>
  package var down: SIMD3<Double>
  package var scale: SIMD3<Double>

  /// The map with these rows.
  package init(
    _ across: SIMD3<Double>, _ down: SIMD3<Double>, _ scale: SIMD3<Double> = [0, 0, 1]
  ) {
    (self.across, self.down, self.scale) = (across, down, scale)
  }

  /// (a x + b y + c, d x + e y + f).
  init(affine m: [Double]) { self.init([m[0], m[1], m[2]], [m[3], m[4], m[5]]) }

  package static let identity = ProjectiveMap([1, 0, 0], [0, 1, 0])

  /// The mapped position; nil at or behind the horizon.
  package func callAsFunction(_ x: Double, _ y: Double) -> SIMD2<Double>? {
    func sum(_ row: SIMD3<Double>) -> Double { row.z + row.x * x + row.y * y }
    let depth = sum(scale)
    return depth > 1e-3 ? SIMD2(sum(across), sum(down)) / depth : nil
  }

  /// First `first`, then this.
  package func after(_ first: ProjectiveMap) -> ProjectiveMap {
    func row(_ r: SIMD3<Double>) -> SIMD3<Double> {
      r.x * first.across + r.y * first.down + r.z * first.scale
    }
    return ProjectiveMap(row(across), row(down), row(scale))
  }
}

import ImageCore

/// Evens out the light on a chart.
///
/// The logarithm of the light is taken for a plane over the chart. In turn, a 3 × 3 matrix is
/// fitted to the patches, and the plane to the logarithms of the luminances that they should have
/// over those that the matrix gives them, weighted by Y / (Y + 0.05), so that black counts little;
/// four times, after which it does not change. The chart's center keeps its level. Known failure: a
/// light whose color changes over the chart.
enum ChartLight {
  static func evened(
    _ values: [SIMD3<Double>], _ reference: ColorChecker
  ) -> [SIMD3<Double>] {
    var even = values
    let white = reference.xyz
    for _ in 0..<4 {
      guard let matrix = CameraMatrixFit.unconstrained(CameraMatrixFit.patches(even, reference))
      else { return values }
      var equations: [[Double]] = []
      for (index, value) in even.enumerated() {
        let light = (matrix * value).y
        guard light > 0 else { return values }
        let place = place(index)
        let weight = white[index].y / (white[index].y + 0.05)
        equations.append(
          [place.x, place.y, 1, logarithm(white[index].y / light)].map { $0 * weight })
      }
      guard let plane = LinearEquations.leastSquares(equations) else { return values }
      for index in even.indices {
        let place = place(index)
        even[index] *= exponential(plane[0] * place.x + plane[1] * place.y)
      }
    }
    return even
  }

  /// The place of a patch from the chart's center.
  private static func place(_ patch: Int) -> SIMD2<Double> {
    SIMD2(
      Double(patch % ColorChecker.columns) - 2.5, Double(patch / ColorChecker.columns) - 1.5)
  }
}

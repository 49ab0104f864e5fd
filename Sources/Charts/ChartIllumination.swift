import ImageCore

/// Corrects uneven illumination of a chart.
///
/// The logarithm of the illuminance is modelled as a plane over the chart. In turn, a 3 × 3 matrix
/// is fitted to the patches, and the plane to the logarithms of the ratios of their reference
/// luminances to the luminances by the matrix, weighted by Y / (Y + 0.05), so that black has little
/// weight; four times, after which it does not change. The chart's center keeps its level. Known
/// failure: illumination whose color changes over the chart.
enum ChartIllumination {
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
        let luminance = (matrix * value).y
        guard luminance > 0 else { return values }
        let position = position(index)
        let weight = white[index].y / (white[index].y + 0.05)
        equations.append(
          [position.x, position.y, 1, logarithm(white[index].y / luminance)].map { $0 * weight })
      }
      guard let plane = LinearEquations.leastSquares(equations) else { return values }
      for index in even.indices {
        let position = position(index)
        even[index] *= exponential(plane[0] * position.x + plane[1] * position.y)
      }
    }
    return even
  }

  /// The position of a patch relative to the chart's center.
  private static func position(_ patch: Int) -> SIMD2<Double> {
    SIMD2(
      Double(patch % ColorChecker.columns) - 2.5, Double(patch / ColorChecker.columns) - 1.5)
  }
}

import CVector
import ImageCore

/// The log2 ratio of two renditions, row by row: gains in stops.
struct LogRatioKernel: Sendable {
  let kind: GainMapCreation.Kind
  let offset: Float
  let weights: SIMD3<Float>
  let matrix: ColorMatrix
  let limit: Float

  init(
    kind: GainMapCreation.Kind, offset: Float, standard: DisplayReferred.Info,
    high: DisplayReferred.Info
  ) {
    self.kind = kind
    self.offset = offset
    weights = SIMD3<Float>(high.primaries.luminance)
    matrix = ColorMatrix(standard.primaries.conversion(to: high.primaries))
    let most = max(standard.headroom, high.headroom)
    limit = most > 0 ? min(most, 1e6) : 1
  }

  /// log2 of values plus the offset; values are clamped to 0 and the larger headroom.
  @inline(__always)
  private func log(_ light: SIMD8<Float>) -> SIMD8<Float> {
    cv_log2_8(cv_clamp8(cv_number8(light), .zero, SIMD8(repeating: limit)) + offset)
  }

  /// Replaces row `y` of `high` by its gain over that of `standard`: plane 0 for luminance, all for
  /// RGB.
  func replace(_ high: PlanarBuffer, by standard: PlanarBuffer, y: Int) {
    let (low, top) = (standard.rows(y), high.rows(y))
    matrix.apply(low)
    for x in vectors(top.count) {
      let (base, light) = (low.lanes(x), top.lanes(x))
      if kind == .rgb {
        top.setLanes(
          x,
          RGBLanes(
            log(light.red) - log(base.red), log(light.green) - log(base.green),
            log(light.blue) - log(base.blue)))
      } else {
        top.red.setLanes(x, log(light.weighted(weights)) - log(base.weighted(weights)))
      }
    }
  }
}

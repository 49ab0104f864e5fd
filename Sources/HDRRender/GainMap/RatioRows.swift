import CVector
import ImageCore

/// Gains in stops of rows of light.
struct RatioRows: Sendable {
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

  /// log2 of light, which cannot be negative or above both renditions' headrooms, with the offset.
  @inline(__always)
  private func log(_ light: SIMD8<Float>) -> SIMD8<Float> {
    cv_log2_8(cv_clamp8(cv_number8(light), .zero, SIMD8(repeating: limit)) + offset)
  }

  /// Row `y` of `high` becomes its gain over that of `standard`: plane 0 for luminance, all for RGB.
  func replace(_ high: PlanarBuffer, by standard: PlanarBuffer, y: Int) {
    let count = high.size.width
    let (r, g, b) = (standard.row(0, y), standard.row(1, y), standard.row(2, y))
    matrix.apply(r, g, b, count: count)
    var x = 0
    if kind == .rgb {
      for plane in 0..<3 {
        let (low, top) = (standard.row(plane, y), high.row(plane, y))
        x = 0
        while x < count {
          cv_store8(top + x, log(cv_load8(top + x)) - log(cv_load8(low + x)))
          x &+= 8
        }
      }
      return
    }
    let (hr, hg, hb) = (high.row(0, y), high.row(1, y), high.row(2, y))
    while x < count {
      let low =
        cv_load8(r + x) * weights.x + cv_load8(g + x) * weights.y + cv_load8(b + x) * weights.z
      let top =
        cv_load8(hr + x) * weights.x + cv_load8(hg + x) * weights.y + cv_load8(hb + x) * weights.z
      cv_store8(hr + x, log(top) - log(low))
      x &+= 8
    }
  }
}

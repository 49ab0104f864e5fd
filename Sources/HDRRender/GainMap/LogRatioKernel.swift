import CKernels
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
    let top = max(standard.headroom, high.headroom)
    limit = top > 0 ? min(top, 1e6) : 1
  }

  /// The gains of the rows `high` over `standard`: plane 0 for luminance, all for RGB. Values are
  /// clamped to 0 and the larger headroom.
  func gains(of high: RGBRows, over standard: RGBRows, into out: RGBRows) {
    var standard = standard
    if !matrix.isIdentity {
      out.update(from: standard, count: standard.count)
      matrix.apply(out)
      standard = out
    }
    var ratio = ck_logRatio(
      weights: ck_threeValues(weights), offset: offset, limit: limit,
      isLuminance: kind == .luminance)
    ck_logRatioRow(&ratio, standard.kernel, high.kernel, out.kernel, Int64(high.count))
  }
}

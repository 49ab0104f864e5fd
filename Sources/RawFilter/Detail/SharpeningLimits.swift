import CKernels
import ImageCore

/// Limits how far a sharpened pixel may exceed its surroundings: prevents halos at edges, but not
/// the enhancement of points and lines.
///
/// Source: own. With y the input, m and n its largest and smallest value in 5 × 5 pixels, and f = y
/// − σ²/2 · ∇²y, the first term of the inverse of a Gaussian blur:
///
///     n' = min(n, max(f, 0.85 n))
///     m' = max(m, m + k · (f − m)),   k = clamp((1 − m) / 0.3, 0, 1)
///
/// At a blurred edge f leaves the range by 3.5 % of its height, at a blurred line by half its
/// height, at a point by all of it. The upper margin fades towards reference white, from which on
/// nothing exceeds its surroundings; shadows beside an edge never lose more than 15 %. Linear
/// luminance, ≥ floor. Known failure: points brighter than reference white are no sharper than
/// their surroundings allow.
enum SharpeningLimits {
  /// Pixels that are read around a cell.
  static let reach = 2
  static let fadeWidth: Float = 0.3
  /// Fraction of the local minimum that shadows keep.
  static let minFraction: Float = 0.85

  /// Limits the luminance of `cell` in `sharp` by its surroundings in `luminance`. Uses three
  /// `scratch` planes.
  static func apply(
    _ sharp: TilePlane, _ cell: PixelRect, luminance: TilePlane, sigma: Float, floor: Float,
    _ scratch: [TilePlane]
  ) throws(PixelError) {
    let (input, highest, lowest) = (scratch[0], scratch[1], scratch[2])
    let around = cell.expanded(by: reach)
    for plane in [input, highest, lowest] { try plane.reshape(around) }
    for y in around.y..<around.endY {
      let from = luminance.row(y).from(around.x - luminance.rect.x)
      let (width, behind) = (cell.width, ck_rangeRow_behind)
      ck_rangeRow(
        from.kernel(width, behind: behind), floor, input.row(y).kernel(width, behind: behind),
        highest.row(y).kernel(width, behind: behind),
        lowest.row(y).kernel(width, behind: behind), Int64(width))
    }
    var limits = ck_limits(
      curvature: sigma * sigma / 2, fadeWidth: fadeWidth, minFraction: minFraction)
    for y in cell.y..<cell.endY {
      let out = sharp.row(y).from(cell.x - sharp.rect.x)
      let (width, behind) = (cell.width, ck_limitRow_behind)
      let center = input.row(y).from(reach)
      ck_limitRow(
        &limits, center.kernel(width, before: ck_limitRow_before, behind: behind),
        highest.row(y).kernel(width, behind: behind),
        lowest.row(y).kernel(width, behind: behind), Int64(input.stride),
        out.kernel(width, behind: behind), Int64(width))
    }
  }
}

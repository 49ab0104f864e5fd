import CKernels
import CVector
import ImageCore
import RawDecode

/// Reconstructs saturated photosites from their neighbors of other colors that are not.
///
/// Source: "inpaint opposed" (H. Pärt, darktable 4.2, 2022), from its description. Formula: the
/// reference of a photosite is the mean of the cube roots of the 3 × 3 means of the other channels,
/// cubed; a saturated one becomes `max(value, reference + offset[c])`, where the offsets are the
/// mean difference between value and reference just outside the saturated areas of the whole
/// picture (``HighlightStatistics``). Where the 5 × 5 holds no information on the color, that is a
/// guess between clip levels, so the result fades to neutral at `ceiling`, the highest of the
/// channels' saturation levels. Evidence of each photosite falls from 1 at 0.9 of its clip level to
/// 0 at the clip level, and the weight is the smoothstep of its sum over the 5 × 5 up to 4
/// photosites, the fewest of one color in a 5 × 5 of a Bayer mosaic; so the change is continuous in
/// exposure. Units: balanced linear values. No result is above `ceiling` unless its input was.
/// Known failures: strongly colored light sources become too neutral; a wrong saturation level
/// gives a tint.
struct HighlightReconstruction: Sendable {
  /// Photosites that are read on each side.
  static let reach = 2
  /// Clip level of each channel.
  let clip: SIMD4<Float>
  /// Balanced value of a neutral in which all channels are saturated.
  let ceiling: Float
  /// Mean of value − reference beside the saturated areas.
  let offsets: SIMD4<Float>
  let neighbors: FilterNeighbors
  let clipRows: ChannelRows

  /// Copies `rect` of `source` to `target`, saturated photosites reconstructed; false, and nothing
  /// copied, when there are none. `evidence` and `sums` are scratch memory.
  func rebuild(
    _ source: TilePlane, _ rect: PixelRect, into target: TilePlane, evidence: TilePlane,
    sums: TilePlane
  ) throws(PixelError) -> Bool {
    guard let spans = SaturatedSites.spans(source, rect, clipRows) else { return false }
    try gatherEvidence(source, rect, spans, evidence: evidence, sums: sums)
    try SaturatedSites.replace(source, rect, spans, clipRows, into: target) { x, y in
      rebuilt(source, x, y, evidence: evidence)
    }
    return true
  }

  private func rebuilt(_ source: TilePlane, _ x: Int, _ y: Int, evidence: TilePlane) -> Float {
    let i = x - evidence.rect.x
    let (a, b, c) = (evidence.row(y - 2), evidence.row(y - 1), evidence.row(y))
    let sum = a[i] + b[i] + c[i] + evidence.row(y + 1)[i] + evidence.row(y + 2)[i]
    if sum <= 0 { return ceiling }
    let value = source.row(y)[x - source.rect.x]
    let site = neighbors.site(x: x, y: y)
    let reference = Self.opposing(source, x, y, site)
    let top = max(ceiling, value)
    let guess = min(max(value, reference + offsets[site.pointee.channel]), top)
    let t = min(sum * 0.25, 1)
    let weight = t * t * (3 - 2 * t)
    return ceiling + (guess - ceiling) * weight
  }

  /// The reference of a photosite: its estimate from the other channels around it.
  @inline(__always)
  static func opposing(
    _ tile: TilePlane, _ x: Int, _ y: Int, _ site: UnsafePointer<FilterNeighbors.Site>
  ) -> Float {
    let row = tile.row(y).from(x - tile.rect.x)
    let (above, below) = (row.from(-tile.stride), row.from(tile.stride))
    var sum = site.pointee.aboveLeft * above[-1] + site.pointee.above * above[0]
    sum += site.pointee.aboveRight * above[1] + site.pointee.left * row[-1]
    sum += site.pointee.right * row[1] + site.pointee.belowLeft * below[-1]
    sum += site.pointee.below * below[0] + site.pointee.belowRight * below[1]
    let roots = cv_cubeRoot4(sum * site.pointee.reciprocalCounts)
    let mean = (roots * site.pointee.opposingWeights).sum()
    return mean * mean * mean
  }

  /// Evidence of each photosite, summed over five columns, where the saturated columns `spans` of
  /// the rows within ``reach`` need it.
  private func gatherEvidence(
    _ source: TilePlane, _ rect: PixelRect, _ spans: [Range<Int>], evidence: TilePlane,
    sums: TilePlane
  ) throws(PixelError) {
    let area = rect.expanded(by: Self.reach)
    try evidence.reshape(PixelRect(x: rect.x, y: area.y, width: rect.width, height: area.height))
    try sums.reshape(PixelRect(x: area.x, y: 0, width: area.width, height: 1))
    SaturatedSites.evidence(source, rect, spans, clipRows, reach: Self.reach, into: sums.row(0)) {
      y, columns, single in
      ck_sumOfFive(
        single.start + Self.reach, 1, evidence.row(y).start + columns.lowerBound,
        Int64(columns.count))
    }
  }
}

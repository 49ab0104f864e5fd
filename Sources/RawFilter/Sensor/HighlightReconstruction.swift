import CVector
import ImageCore

/// Rebuilds saturated photosites from the colours beside them that are not.
///
/// Source: "inpaint opposed" (H. Pärt, darktable 4.2, 2022), from its description.
/// Formula: the reference of a photosite is the mean of the cube roots of the 3 × 3 means of the
/// other channels, cubed; a saturated one becomes `max(value, reference + offset[c])`, where the
/// offsets are the mean difference between value and reference just outside the saturated areas of
/// the whole picture (``HighlightStatistics``).
/// Where nothing in the 5 × 5 is left to tell the colour, that is a guess between clip levels, so
/// the result goes over to neutral at `ceiling`, the highest of the channels' saturation levels.
/// Evidence of each photosite falls from 1 at 0.9 of its clip level to 0 at the clip level, and the
/// weight is the smoothstep of its sum over the 5 × 5 up to 4 photosites, the fewest of one colour
/// that a 5 × 5 of a Bayer mosaic holds; so the change is continuous as light grows.
/// Units: balanced light. Nothing comes out above `ceiling` that was not above it before.
/// Known failures: strongly coloured light sources turn too neutral; a wrong saturation level
/// tints.
struct HighlightReconstruction: Sendable {
  /// Photosites that are read on each side.
  static let reach = 2
  /// Clip level of each channel.
  let clip: SIMD4<Float>
  /// Balanced value of a neutral in which all channels are saturated.
  let ceiling: Float
  /// Mean of value − reference beside the saturated areas.
  let offsets: SIMD4<Float>
  private let neighbors: FilterNeighbors
  private let clipRows: ChannelRows

  init(
    clip: SIMD4<Float>, ceiling: Float, offsets: SIMD4<Float>, neighbors: FilterNeighbors,
    clipRows: ChannelRows
  ) {
    self.clip = clip
    self.ceiling = ceiling
    self.offsets = offsets
    self.neighbors = neighbors
    self.clipRows = clipRows
  }

  /// Whether any photosite of `tile` within `rect` is saturated.
  static func isAnySaturated(_ tile: TilePlane, _ rect: PixelRect, _ clipRows: ChannelRows) -> Bool
  {
    let start = rect.x - tile.rect.x
    for y in rect.y..<rect.endY {
      let row = tile.row(y) + start
      let clip = clipRows.row(x: rect.x, y: y)
      var over = SIMD8<Float>(repeating: -1)
      var i = 0
      while i &+ 8 <= rect.width {
        over = cv_max8(over, saturation(row.lanes(i), clip.lanes(i)))
        i &+= 8
      }
      if cv_anyPositive8(over) { return true }
      while i < rect.width {
        if row[i] >= clip[i] { return true }
        i &+= 1
      }
    }
    return false
  }

  /// 1 where a value has reached its clip level, −1 elsewhere.
  @inline(__always)
  private static func saturation(_ v: SIMD8<Float>, _ clip: SIMD8<Float>) -> SIMD8<Float> {
    cv_select8(v - clip, SIMD8(repeating: 1), SIMD8(repeating: -1))
  }

  /// Copies `rect` of `source` to `target`, saturated photosites rebuilt. `evidence` and `sums` are
  /// scratch memory.
  func rebuild(
    _ source: TilePlane, _ rect: PixelRect, into target: TilePlane, evidence: TilePlane,
    sums: TilePlane
  ) {
    target.place(rect)
    gatherEvidence(source, rect, evidence: evidence, sums: sums)
    for y in rect.y..<rect.endY {
      let row = source.row(y) + (rect.x - source.rect.x)
      let clip = clipRows.row(x: rect.x, y: y)
      let out = target.row(y)
      out.update(from: row, count: rect.width)
      var i = 0
      while i < rect.width {
        let over = Self.saturation(row.lanes(i), clip.lanes(i))
        if cv_anyPositive8(over) {
          for j in i..<min(i + 8, rect.width) where row[j] >= clip[j] {
            out[j] = rebuilt(source, rect.x + j, y, evidence: evidence)
          }
        }
        i &+= 8
      }
    }
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
    let guess = min(max(value, reference + offsets[site.channel]), top)
    let t = min(sum * 0.25, 1)
    let weight = t * t * (3 - 2 * t)
    return ceiling + (guess - ceiling) * weight
  }

  /// The reference of a photosite: what the other channels around it let expect.
  static func opposing(
    _ tile: TilePlane, _ x: Int, _ y: Int, _ site: FilterNeighbors.Site
  ) -> Float {
    let i = x - tile.rect.x
    let (above, row, below) = (tile.row(y - 1), tile.row(y), tile.row(y + 1))
    var sum = site.oneHot[0] * above[i - 1] + site.oneHot[1] * above[i]
    sum += site.oneHot[2] * above[i + 1] + site.oneHot[3] * row[i - 1]
    sum += site.oneHot[5] * row[i + 1] + site.oneHot[6] * below[i - 1]
    sum += site.oneHot[7] * below[i] + site.oneHot[8] * below[i + 1]
    let roots = cubeRoot(sum * site.reciprocalCounts)
    let mean = (roots * site.opposingWeights).sum()
    return mean * mean * mean
  }

  /// Evidence of each photosite, summed over five columns.
  private func gatherEvidence(
    _ source: TilePlane, _ rect: PixelRect, evidence: TilePlane, sums: TilePlane
  ) {
    let area = rect.expanded(by: Self.reach)
    evidence.place(PixelRect(x: rect.x, y: area.y, width: rect.width, height: area.height))
    sums.place(PixelRect(x: area.x, y: 0, width: area.width, height: 1))
    let single = sums.row(0)
    let (zero, one) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 1))
    for y in area.y..<area.endY {
      let row = source.row(y) + (area.x - source.rect.x)
      let clip = clipRows.row(x: area.x, y: y)
      var i = 0
      while i < area.width {
        let level = clip.lanes(i)
        single.setLanes(i, cv_clamp8((level - row.lanes(i)) / (level * 0.1), zero, one))
        i &+= 8
      }
      let out = evidence.row(y)
      i = 0
      while i < rect.width {
        let outer = single.lanes(i) + single.lanes(i &+ 4)
        let inner = single.lanes(i &+ 1) + single.lanes(i &+ 3)
        out.setLanes(i, outer + inner + single.lanes(i &+ 2))
        i &+= 8
      }
    }
  }

  /// Cube roots of values of zero and above, to about 1e-6: a third of the exponent, then Newton.
  private static func cubeRoot(_ x: SIMD4<Float>) -> SIMD4<Float> {
    let v = x.clamped(lowerBound: SIMD4(repeating: 1e-12), upperBound: SIMD4(repeating: 1e12))
    var bits = SIMD4<UInt32>()
    for i in 0..<4 { bits[i] = v[i].bitPattern / 3 + 709_921_077 }
    var y = SIMD4<Float>()
    for i in 0..<4 { y[i] = Float(bitPattern: bits[i]) }
    for _ in 0..<3 { y = (y + y + v / (y * y)) / 3 }
    return y
  }
}

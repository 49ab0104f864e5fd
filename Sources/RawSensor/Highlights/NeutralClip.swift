import CVector
import ImageCore

/// Clips highlights to one neutral level, where they are not reconstructed.
///
/// Source: own. Values are relative to the neutral, of the white in use, whose first channel
/// saturates. The surroundings of a photosite are white to the degree t, the smoothstep from 0.8 to
/// 1 of the lowest channel of the 3 × 3, each channel by its highest photosite. If a photosite of
/// the 3 × 3 is saturated, a photosite that is itself saturated or above 1 is blended to 1 by t,
/// and then all are raised by t to the white of the picture. So areas that all channels show as
/// white are white, colored areas keep their color, and there is no other color between. All other
/// photosites are unchanged, even above 1. Units: balanced linear values. Known failure: where the
/// white of the picture is far above the first saturation, values rise to it steeply.
struct NeutralClip: HighlightTreatment {
  static let reach = 1
  /// Fraction of the first saturation from which a photosite is partly white.
  private static let nearWhite: Float = 0.8

  /// The neutral whose first channel saturates: under the white as shot 1.0, unless a channel
  /// saturates below its nominal level (``SaturationLevel``).
  let first: ChannelRows
  /// The white of the picture, relative to that.
  let rise: Float
  let clipRows: ChannelRows
  let neighbors: FilterNeighbors

  var neutral: ChannelRows { first }

  func treat(_ source: TilePlane, _ rect: PixelRect, _ work: SensorWorkspace) throws(PixelError)
    -> Bool
  {
    guard SaturatedSites.isAny(source, rect.expanded(by: Self.reach), clipRows) else {
      return false
    }
    let target = work.treated
    try target.reshape(rect)
    for y in rect.y..<rect.endY {
      let row = source.row(y).from(rect.x - source.rect.x)
      let out = target.row(y)
      let (first, clip) = (first.row(x: rect.x, y: y), clipRows.row(x: rect.x, y: y))
      out.update(from: row, count: rect.width)
      for i in vectors(rect.width) where isAnySaturated(source, rect.x + i, y) {
        for j in i..<min(i + 8, rect.width) {
          guard let lowest = lowest(source, rect.x + j, y) else { continue }
          let t = smoothstep((lowest - Self.nearWhite) / (1 - Self.nearWhite))
          let isOver = row[j] > first[j] || row[j] >= clip[j]
          out[j] = (isOver ? row[j] + (first[j] - row[j]) * t : row[j]) * (1 + (rise - 1) * t)
        }
      }
    }
    return true
  }

  /// Whether any of the 3 × 3 of eight photosites is saturated.
  private func isAnySaturated(_ source: TilePlane, _ x: Int, _ y: Int) -> Bool {
    var highest = SIMD8<Float>(repeating: -.infinity)
    for dy in -1...1 {
      let row = source.row(y + dy).from(x - source.rect.x - 1)
      let clip = clipRows.row(x: x - 1, y: y + dy)
      for dx in 0...2 { highest = cv_max8(highest, row.lanes(dx) - clip.lanes(dx)) }
    }
    return cv_anyPositive8(highest + .leastNormalMagnitude)
  }

  /// The lowest channel of the 3 × 3 relative to the first saturation; nil where none is saturated.
  private func lowest(_ source: TilePlane, _ x: Int, _ y: Int) -> Float? {
    var (highest, isSaturated) = (SIMD4<Float>(repeating: -.infinity), false)
    for dy in -1...1 {
      let row = source.row(y + dy).from(x - source.rect.x)
      let (clip, first) = (clipRows.row(x: x, y: y + dy), first.row(x: x, y: y + dy))
      for dx in -1...1 {
        if row[dx] >= clip[dx] { isSaturated = true }
        let channel = neighbors.channel(x: x + dx, y: y + dy)
        highest[channel] = max(highest[channel], row[dx] / first[dx])
      }
    }
    return isSaturated
      ? highest.replacing(with: .infinity, where: highest .== -.infinity).min() : nil
  }
}

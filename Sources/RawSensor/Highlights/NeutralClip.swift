import CVector
import ImageCore

/// Clips highlights to one neutral level, where they are not reconstructed.
///
/// A saturated photosite above `end`, and one above it with a saturated photosite in its 3 × 3,
/// becomes `end`: the level at which the first channel of a neutral saturates, so that the other
/// channels give no tint. All others keep their value, even above `end`.
/// Units: balanced linear values.
struct NeutralClip: Sendable {
  /// Photosites that are read on each side.
  static let reach = 1

  /// 1.0 unless a channel saturates below its nominal level (``SaturationLevel``).
  let end: Float
  let clipRows: ChannelRows

  /// Copies `rect` of `source` to `target`, clipped.
  func clip(_ source: TilePlane, _ rect: PixelRect, into target: TilePlane) {
    target.reshape(rect)
    for y in rect.y..<rect.endY {
      let row = source.row(y).from(rect.x - source.rect.x)
      let out = target.row(y)
      out.update(from: row, count: rect.width)
      for i in vectors(rect.width) {
        if cv_anyPositive8(row.lanes(i) - end) {
          for j in i..<min(i + 8, rect.width)
          where row[j] > end && isSaturatedNearby(source, rect.x + j, y) {
            out[j] = end
          }
        }
      }
    }
  }

  private func isSaturatedNearby(_ source: TilePlane, _ x: Int, _ y: Int) -> Bool {
    for dy in -1...1 {
      let row = source.row(y + dy).from(x - source.rect.x)
      let clip = clipRows.row(x: x, y: y + dy)
      if row[-1] >= clip[-1] || row[0] >= clip[0] || row[1] >= clip[1] { return true }
    }
    return false
  }
}

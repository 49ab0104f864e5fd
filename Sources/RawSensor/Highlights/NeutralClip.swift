import CVector
import ImageCore

/// Clips highlights to one neutral level, where they are not reconstructed.
///
/// A saturated photosite above its end, and one above it with a saturated photosite in its 3 × 3,
/// becomes that end: the neutral, of the white in use, whose first channel saturates, so that the
/// other channels give no tint. All others keep their value, even above it.
/// Units: balanced linear values.
struct NeutralClip: Sendable {
  /// Photosites that are read on each side.
  static let reach = 1

  /// The end of each channel: under the white as shot 1.0, unless a channel saturates below its
  /// nominal level (``SaturationLevel``).
  let ends: ChannelRows
  let clipRows: ChannelRows

  /// Copies `rect` of `source` to `target`, clipped.
  func clip(_ source: TilePlane, _ rect: PixelRect, into target: TilePlane) throws(PixelError) {
    try target.reshape(rect)
    for y in rect.y..<rect.endY {
      let row = source.row(y).from(rect.x - source.rect.x)
      let out = target.row(y)
      let end = ends.row(x: rect.x, y: y)
      out.update(from: row, count: rect.width)
      for i in vectors(rect.width) {
        if cv_anyPositive8(row.lanes(i) - end.lanes(i)) {
          for j in i..<min(i + 8, rect.width)
          where row[j] > end[j] && isSaturatedNearby(source, rect.x + j, y) {
            out[j] = end[j]
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

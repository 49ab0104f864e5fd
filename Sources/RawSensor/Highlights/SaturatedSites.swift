import CKernels
import ImageCore

/// Finds photosites of a tile at or above their clip level, eight at a time: most tiles have none.
enum SaturatedSites {
  /// Whether any photosite of `tile` within `rect` is saturated.
  static func isAny(_ tile: TilePlane, _ rect: PixelRect, _ clipRows: ChannelRows) -> Bool {
    let start = rect.x - tile.rect.x
    for y in rect.y..<rect.endY {
      let row = tile.row(y).from(start)
      let clip = clipRows.row(x: rect.x, y: y)
      var any: Int32 = 0
      ck_anySaturated(row.start, clip.start, Int64(rect.width), &any)
      if any != 0 { return true }
    }
    return false
  }

  /// For each row of `rect` the range of columns, from its left, with saturated photosites; nil if
  /// no row has any.
  static func spans(
    _ tile: TilePlane, _ rect: PixelRect, _ clipRows: ChannelRows
  ) -> [Range<Int>]? {
    let spans = (rect.y..<rect.endY).map { y -> Range<Int> in
      let row = tile.row(y).from(rect.x - tile.rect.x)
      let clip = clipRows.row(x: rect.x, y: y)
      var (first, last): (Int64, Int64) = (0, 0)
      ck_saturatedSpan(row.start, clip.start, Int64(rect.width), &first, &last)
      return first < last ? Int(first)..<Int(last) : 0..<0
    }
    return spans.contains { !$0.isEmpty } ? spans : nil
  }

  /// Evidence of each photosite, from 1 at 0.9 of its clip level to 0 at the clip level, in the
  /// rows within `reach` of the saturated columns `spans` of `rect`, as far as these need it;
  /// `body` gets row, columns of `rect`, and a view whose first sample is `reach` columns before
  /// them.
  @inline(__always)
  static func evidence(
    _ source: TilePlane, _ rect: PixelRect, _ spans: [Range<Int>], _ clipRows: ChannelRows,
    reach: Int, into line: MutableRowView,
    _ body: (_ y: Int, _ columns: Range<Int>, _ evidence: MutableRowView) -> Void
  ) {
    let area = rect.expanded(by: reach)
    for y in area.y..<area.endY {
      let near = max(y - reach, rect.y)...min(y + reach, rect.endY - 1)
      let asking = near.map { spans[$0 - rect.y] }.filter { !$0.isEmpty }
      guard let first = asking.map(\.lowerBound).min(), let last = asking.map(\.upperBound).max()
      else { continue }
      let row = source.row(y).from(area.x - source.rect.x)
      let clip = clipRows.row(x: area.x, y: y)
      let single = line.from(first)
      ck_clipEvidence(
        row.start + first, clip.start + first, single.start, Int64(last - first + 2 * reach))
      body(y, first..<last, single)
    }
  }
}

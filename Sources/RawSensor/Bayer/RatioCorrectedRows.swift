/// The last rows of a quantity that both halves of a Bayer row have: its green photosites, and
/// those of its chroma (red or blue).
struct HalfRows: ~Copyable {
  let green: RowRing
  let chroma: RowRing

  /// Rows of `width` photosites of each half.
  init(width: Int) {
    green = RowRing(width: width)
    chroma = RowRing(width: width)
  }
}

/// Working memory of one worker for ``RatioCorrectedDemosaic``: the last rows of its intermediate
/// planes, each half as wide as the tile, in the order in which they are computed.
struct RatioCorrectedRows: ~Copyable {
  /// Largest width of a tile that fits, in photosites.
  let width: Int

  /// The photosites.
  let mosaic: HalfRows
  /// Squared high-pass along the column.
  let vertical: HalfRows
  /// Squared high-pass along the row; only the newest row is used.
  let horizontal: HalfRows
  /// Squared high-pass along the diagonals of chroma photosites, to the lower right and to the
  /// upper right.
  let falling: RowRing
  let rising: RowRing
  /// Fraction of the variation that is vertical: 1 = interpolate along the row.
  let direction: HalfRows
  /// Fraction of the variation that is along the falling diagonal.
  let diagonal: RowRing
  /// Four times the local mean at chroma photosites.
  let lowPass: RowRing
  /// Green, and the other chroma, at chroma photosites.
  let greenAtChroma: RowRing
  let oppositeAtChroma: RowRing
  /// The row's chroma, and the other, at green photosites; only the newest row is used.
  let ownAtGreen: RowRing
  let oppositeAtGreen: RowRing

  /// For the best quality.
  let differences: DirectionalDifferenceRows
  /// For the dual demosaic.
  let blend: DualBlendRows

  init(width: Int) {
    self.width = width
    let half = (width + 1) / 2 + RatioCorrectedDemosaic.columnReach + 8
    mosaic = HalfRows(width: half)
    vertical = HalfRows(width: half)
    horizontal = HalfRows(width: half)
    falling = RowRing(width: half)
    rising = RowRing(width: half)
    direction = HalfRows(width: half)
    diagonal = RowRing(width: half)
    lowPass = RowRing(width: half)
    greenAtChroma = RowRing(width: half)
    oppositeAtChroma = RowRing(width: half)
    ownAtGreen = RowRing(width: half)
    oppositeAtGreen = RowRing(width: half)
    differences = DirectionalDifferenceRows(half: half)
    blend = DualBlendRows(half: half)
  }
}

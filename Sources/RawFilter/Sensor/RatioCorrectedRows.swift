/// Working memory of one worker for ``RatioCorrectedDemosaic``: the last rows of its intermediate
/// planes, each half as wide as the tile.
struct RatioCorrectedRows: ~Copyable {
  /// Largest width of a tile that fits, in photosites.
  let width: Int

  /// The mosaic.
  let green: RowRing
  let chroma: RowRing
  /// Squared high-pass along the column.
  let verticalGreen: RowRing
  let verticalChroma: RowRing
  /// Squared high-pass along the diagonals: falling = to the lower right, rising = to the upper
  /// right.
  let fallingSquare: RowRing
  let risingSquare: RowRing
  /// Squared high-pass along one row, only the newest row is used.
  let horizontalGreen: RowRing
  let horizontalChroma: RowRing
  /// Share of the variation that is vertical: 1 = interpolate along the row.
  let directionGreen: RowRing
  let directionChroma: RowRing
  /// Share of the variation that lies on the falling diagonal.
  let diagonal: RowRing
  let lowPass: RowRing
  /// Green, and the other chroma, at chroma photosites.
  let greenAtChroma: RowRing
  let oppositeAtChroma: RowRing
  /// The row's chroma, and the other, at green photosites; only the newest row is used.
  let ownAtGreen: RowRing
  let oppositeAtGreen: RowRing

  /// For ``DualBlend``: what varies, and its sum over rows; only the newest row of the sum is used.
  let activity: RowRing
  let activityColumn: RowRing
  /// Blended green, and the other chroma, at chroma photosites; only the newest row is used.
  let mixedGreen: RowRing
  let mixedOpposite: RowRing

  /// For the best quality.
  let differences: DirectionalDifferenceRows

  init(width: Int) {
    self.width = width
    let half = (width + 1) / 2 + RatioCorrectedDemosaic.columnReach + 8
    green = RowRing(width: half)
    chroma = RowRing(width: half)
    verticalGreen = RowRing(width: half)
    verticalChroma = RowRing(width: half)
    fallingSquare = RowRing(width: half)
    risingSquare = RowRing(width: half)
    horizontalGreen = RowRing(width: half)
    horizontalChroma = RowRing(width: half)
    directionGreen = RowRing(width: half)
    directionChroma = RowRing(width: half)
    diagonal = RowRing(width: half)
    lowPass = RowRing(width: half)
    greenAtChroma = RowRing(width: half)
    oppositeAtChroma = RowRing(width: half)
    ownAtGreen = RowRing(width: half)
    oppositeAtGreen = RowRing(width: half)
    activity = RowRing(width: half)
    activityColumn = RowRing(width: half)
    mixedGreen = RowRing(width: half)
    mixedOpposite = RowRing(width: half)
    differences = DirectionalDifferenceRows(half: half)
  }
}

import ImageCore

/// Working memory of one worker for all sensor stages. It grows with the first tiles and is then
/// reused without further allocation.
final class SensorWorkspace {
  /// Balanced mosaic, or three planes of balanced samples.
  let planes = [TilePlane(), TilePlane(), TilePlane()]
  /// The mosaic with its highlights treated.
  let treated = TilePlane()
  let evidence = TilePlane()
  /// The mosaic with the gains of opcode list 2.
  let gained = TilePlane()
  /// The mosaic with its colors moved, and what that takes.
  let moved = TilePlane()
  let lateral = LateralMosaic.Workspace()
  let sums = TilePlane()
  var repairs: [DefectRepair] = []
  private var ratioCorrected: RatioCorrectedRows?
  /// What was demosaiced last.
  var demosaiced: PixelRect?
  var xTrans: XTransRows?
  /// Superpixels of a block.
  let reduced = PlanarBuffer()
  /// Linear pixels before they are reduced.
  let full = PlanarBuffer()

  /// Rows of a demosaic of tiles of `width`; those of the last one where they serve.
  func rows(_ width: Int, _ kinds: RatioCorrectedRows.Kinds) throws(PixelError)
    -> RatioCorrectedRows
  {
    if let rows = ratioCorrected, rows.fits(width, kinds) { return rows }
    let rows = try RatioCorrectedRows(width: width, kinds)
    ratioCorrected = rows
    return rows
  }
}

extension SensorWorkspace {
  /// Calls `body` with the strips of `rect` that are demosaiced now, from top to bottom, and
  /// whether each lies right below the last one, in the same columns.
  func forEachStrip(
    of rect: PixelRect, height: Int,
    _ body: (_ strip: PixelRect, _ continues: Bool) throws(PixelError) -> Void
  ) throws(PixelError) {
    for strip in rect.tiles(width: .max, height: height) {
      let continues =
        demosaiced.map {
          $0.x == strip.x && $0.width == strip.width && $0.endY == strip.y
        } ?? false
      try body(strip, continues)
      demosaiced = strip
    }
  }
}

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
  /// The mosaic with lateral color corrected, and the memory for that.
  let moved = TilePlane()
  let lateral = LateralMosaic.Workspace()
  /// One row of scratch memory.
  let line = TilePlane()
  var repairs: [DefectRepair] = []
  /// The workspace of the last demosaic.
  var demosaicWorkspace: Any?
  /// The rectangle demosaiced last.
  var demosaiced: PixelRect?
  /// Superpixels of a block.
  let reduced = PlanarBuffer()
  /// Linear pixels before they are reduced.
  let full = PlanarBuffer()

  /// Whether the rectangle demosaiced last is directly above `strip`, in the same columns.
  func isLast(above strip: PixelRect) -> Bool {
    demosaiced.map { $0.x == strip.x && $0.width == strip.width && $0.endY == strip.y } ?? false
  }
}

import ImageCore

/// An X-Trans mosaic and its demosaic, read down the picture in strips: each row is made once by
/// every step, which keep what the strip below needs.
struct XTransReading {
  /// Rows that are loaded together.
  private static let strip = 32

  let mosaic: BalancedMosaic
  let demosaic: XTransDemosaic

  /// Writes the pixels of `rect` to `buffer`, where `origin` is the position of its first pixel.
  /// `work` must have served these settings alone.
  func read(
    _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint, _ work: SensorWorkspace
  ) throws(PixelError) {
    let columns = demosaic.columns(rect)
    if work.xTrans?.width != columns.count {
      work.xTrans = try demosaic.rows(width: columns.count)
      work.demosaiced = nil
    }
    guard let rows = work.xTrans else { return }
    try work.forEachStrip(of: rect, height: Self.strip) { strip, continues throws(PixelError) in
      let plane = try mosaic.load(
        demosaic.input(strip, continues: continues), work, continues: continues)
      demosaic.demosaic(
        plane, strip, into: buffer, origin: origin, rows, continues: continues)
    }
  }
}

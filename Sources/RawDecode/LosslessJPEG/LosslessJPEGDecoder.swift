import ImageCore

/// Tiles and strips in lossless JPEG (compression 7, SOF3; DNG 1.7.1 chapter 3).
///
/// Columns, rows and components of a stream need not be those of its tile; its samples are the
/// tile's in order. Measured 24 MP mosaic, one strip: five times as fast as LibRaw 0.20.
enum LosslessJPEGDecoder {
  /// Whether streams like `bytes` are decoded. True for a damaged one too, which decoding then
  /// reports.
  static func covers(_ bytes: ByteView) -> Bool {
    do {
      _ = try LosslessJPEGHeader(bytes, extended: false)
      return true
    } catch { return error != .notCovered }
  }

  /// Decodes the stream of `tile`; with `extended`, category 16 has 16 bits of value. False when it
  /// is damaged or has too few samples. Rows that a tile at the picture's edge has below it are
  /// decoded too: damage shifts all codes behind it, and may show in the last of them alone.
  static func decode(
    _ bytes: ByteView, _ tile: StoredTile, adjacent: Int, extended: Bool,
    into target: SampleTarget<UInt16>
  ) -> Bool {
    guard let scan = try? LosslessJPEGScan(bytes, extended: extended) else { return false }
    let perRow = scan.header.samplesPerRow
    let tileRow = tile.rect.width * adjacent
    guard perRow * scan.header.rows >= tileRow * tile.rect.height else { return false }
    // Position of the next sample within the tile.
    var (x, y) = (0, 0)
    return scan.forEachRow { _, row in
      var taken = 0
      while taken < perRow, y < tile.rect.height {
        let count = min(perRow - taken, tileRow - x)
        target.put(row.from(taken), count: count, first: x, row: y, of: tile)
        taken += count
        x += count
        if x == tileRow { (x, y) = (0, y + 1) }
      }
      return !target.clock.isOver
    }
  }
}

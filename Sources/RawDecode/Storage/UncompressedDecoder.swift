import ImageCore

/// Tiles and strips of uncompressed samples (compression 1).
enum UncompressedDecoder {
  /// Reads the rows of `tile` from `bytes`. False when there are too few.
  static func decode<Sample: StoredSample>(
    _ bytes: UnsafeRawBufferPointer, _ tile: StoredTile, _ numbers: StoredSampleFormat,
    adjacent: Int,
    into target: SampleTarget<Sample>
  ) -> Bool {
    let count = tile.rect.width * adjacent
    let rowBytes = numbers.byteCount(count)
    guard bytes.count >= rowBytes * tile.rect.height else { return false }
    let row = UnsafeMutableBufferPointer<Sample>.allocate(capacity: count)
    defer { row.deallocate() }
    guard let start = row.baseAddress else { return true }
    for y in 0..<tile.rect.height {
      Sample.read(UnsafeRawBufferPointer(rebasing: bytes[(y * rowBytes)...]), numbers, into: row)
      target.put(start, count: count, first: 0, row: y, of: tile)
    }
    return true
  }
}

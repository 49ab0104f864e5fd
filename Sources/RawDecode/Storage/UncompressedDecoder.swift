import ImageCore

/// Tiles and strips of uncompressed samples (compression 1).
enum UncompressedDecoder {
  /// Reads the rows of `tile` from `bytes`. False when there are too few.
  static func decode<Sample: StoredSample>(
    _ bytes: ByteView, _ tile: StoredTile, _ numbers: StoredSampleFormat, adjacent: Int,
    into target: SampleTarget<Sample>
  ) -> Bool {
    let count = tile.rect.width * adjacent
    let rowBytes = numbers.byteCount(count)
    guard bytes.count >= rowBytes * tile.rect.height else { return false }
    let memory = RowMemory<Sample>(count: count)
    for y in 0..<tile.rect.height {
      Sample.read(bytes.from(y * rowBytes), numbers, into: memory.row)
      target.put(memory.row, count: count, first: 0, row: y, of: tile)
    }
    return true
  }
}

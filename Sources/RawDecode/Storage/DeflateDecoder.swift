import Codecs
import ImageCore

/// Tiles and strips in zlib streams (compression 8 and 32946; TIFF Technical Note 2, DNG 1.7.1
/// chapter 3). Rows are decompressed as a whole, then
/// the predictor is undone row by row.
enum DeflateDecoder {
  /// Decodes the stream of `tile`. False when it is damaged or has too few bytes.
  static func decode<Sample: StoredSample>(
    _ bytes: UnsafeRawBufferPointer, _ tile: StoredTile, _ predictor: Predictor,
    wholeRows: Int, into target: SampleTarget<Sample>
  ) -> Bool {
    let count = tile.rect.width * predictor.adjacent
    let rowBytes = predictor.numbers.byteCount(count)
    let needed = rowBytes * tile.rect.height
    guard needed / ZlibStream.maxRatio <= bytes.count else { return false }
    // The stream may hold the rows below the picture too.
    let room = rowBytes * max(wholeRows, tile.rect.height)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 16)
    defer { memory.deallocate() }
    guard let made = ZlibStream.inflate(bytes, into: memory), made >= needed else { return false }

    let row = UnsafeMutableBufferPointer<Sample>.allocate(capacity: count)
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: rowBytes, alignment: 16)
    defer {
      row.deallocate()
      scratch.deallocate()
    }
    guard let start = row.baseAddress else { return true }
    for y in 0..<tile.rect.height {
      let stored = UnsafeMutableRawBufferPointer(
        rebasing: memory[y * rowBytes..<(y + 1) * rowBytes])
      let undone = predictor.undo(stored, count: count, scratch: scratch)
      Sample.read(UnsafeRawBufferPointer(undone), predictor.result, into: row)
      target.put(start, count: count, first: 0, row: y, of: tile)
    }
    return true
  }
}

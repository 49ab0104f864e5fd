import Codecs
import ImageCore

/// Tiles and strips in JPEG XL (compression 52546; DNG 1.7.1 chapter 3): integers of 8 to 16 bits,
/// or half floats. Rows go from libjxl to their positions; no tile is kept outside it.
enum JPEGXLDecoder {
  /// Decodes the codestream of `tile`. False when it is damaged, or has another shape than its part
  /// of the picture, or headers beyond the `steps` that are left to all tiles.
  static func decode<Sample: StoredSample>(
    _ bytes: ByteView, _ tile: StoredTile, wholeRows: Int, adjacent: Int,
    steps: JPEGXL.HeaderSteps, into target: SampleTarget<Sample>
  ) -> Bool {
    guard let decoder = try? JPEGXL() else { return false }
    let columns = target.needed(of: tile).width...tile.rect.width
    let rows = tile.rect.height...max(wholeRows, tile.rect.height)
    let memory = RowMemory<Sample>(count: tile.rect.width * adjacent)
    let row = memory.row
    return unsafe decoder.decode(
      bytes.buffer, asFloats: Sample.self == Float.self, steps
    ) { shape in
      shape.samples == adjacent && columns.contains(shape.size.width)
        && rows.contains(shape.size.height)
    } receive: { x, y, count, samples in
      guard y < tile.rect.height, x + count <= tile.rect.width else { return }
      let samples = unsafe samples.assumingMemoryBound(to: Sample.self)
      for i in 0..<count * adjacent { row[i] = unsafe samples[i].orZero }
      target.put(row, count: count * adjacent, first: x * adjacent, row: y, of: tile)
    }
  }

  /// The value of each 16-bit code from libjxl, by the number of bits and the linearization
  /// `table` of the file, which is applied or only tells whether the file counts in its own codes;
  /// empty when for itself.
  ///
  /// libjxl hands out a code c of b bits as round(c · 65535 / (2ᵇ − 1)). Files count in codes when
  /// their table has no entries beyond them, or, without a table, when white is one; all others
  /// count in 16 bits.
  static func lookup(bits: Int, table: [UInt16], applies: Bool, white: Double?) -> [UInt16] {
    let top = 1 << bits - 1
    let isCoded = table.isEmpty ? (white ?? 0) <= Double(top) : table.count <= top + 1
    let table = applies ? table : []
    guard !table.isEmpty || isCoded && bits < 16 else { return [] }
    return (0..<65536).map { value in
      let code = isCoded ? (value * top + 32767) / 65535 : value
      return table.isEmpty ? UInt16(code) : table[min(code, table.count - 1)]
    }
  }
}

import Codecs
import Containers
import ImageCore

/// Tiles and strips in JPEG XL (compression 52546; DNG 1.7.1 chapter 3): integers of 8 to 16 bits,
/// or half floats. Rows are written from libjxl directly to their positions, without a tile buffer.
enum JPEGXLDecoder: ChunkCompression {
  static let codes = [TIFFTag.Compression.jpegXL]
  static let name = "JPEG XL"
  /// Headers take 0.2 ms.
  static let minPixels = 128 * 128

  static func obstacle(_ storage: RawStorage) -> String? {
    if let obstacle = JPEGXL.obstacle { return obstacle }
    let bits = storage.bitsPerSample
    return (storage.isFloat ? [16, 32].contains(bits) : (2...16).contains(bits))
      ? nil : storage.formatObstacle
  }

  /// libjxl's planes.
  static func tileBytes(_ storage: RawStorage) -> Int {
    4 * storage.tile.area * storage.adjacentSamples
  }

  static func lookup(_ picture: StoredPicture) -> [UInt16] {
    lookup(
      bits: picture.storage.bitsPerSample, table: picture.table, applies: picture.appliesTable,
      white: picture.white)
  }

  static func integers(
    _ picture: StoredPicture, in file: FileBytes, workers: Int
  ) -> ChunkDecoder<UInt16> { decoder(picture) }

  static func floats(_ picture: StoredPicture) -> ChunkDecoder<Float>? { decoder(picture) }

  private static func decoder<Sample: StoredSample>(
    _ picture: StoredPicture
  ) -> ChunkDecoder<Sample> {
    let storage = picture.storage
    let (adjacent, tileRows) = (storage.adjacentSamples, storage.tile.height)
    let steps = JPEGXL.HeaderSteps(JPEGXLFrames.maxSteps(pixels: storage.covered.area))
    return { decode($0, $1, tileRows: tileRows, adjacent: adjacent, steps: steps, into: $2) }
  }

  /// Decodes the codestream of `tile`. False if it is damaged, does not match the shape of its part
  /// of the picture, or has headers beyond the `steps` that remain for all tiles.
  static func decode<Sample: StoredSample>(
    _ bytes: ByteView, _ tile: StoredTile, tileRows: Int, adjacent: Int,
    steps: JPEGXL.HeaderSteps, into target: SampleTarget<Sample>
  ) -> Bool {
    guard let decoder = try? JPEGXL() else { return false }
    let columns = target.needed(of: tile).width...tile.rect.width
    let rows = tile.rect.height...max(tileRows, tile.rect.height)
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

  /// The value of each 16-bit code from libjxl, by the number of bits and the linearization `table`
  /// of the file, which is applied, or only shows whether the file counts in its own codes; empty
  /// for the identity.
  ///
  /// libjxl outputs a code c of b bits as round(c · 65535 / (2ᵇ − 1)). Files count in codes if
  /// their table has no entries beyond them, or, without a table, if white is a code; all others
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

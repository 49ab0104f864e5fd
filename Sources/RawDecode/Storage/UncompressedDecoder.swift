import Containers
import ImageCore

/// Tiles and strips of uncompressed samples (compression 1).
enum UncompressedDecoder: ChunkCompression {
  static let codes = [TIFFTag.Compression.none]
  static let name = "uncompressed"
  static let hasFixedRows = true

  static func obstacle(_ storage: RawStorage) -> String? {
    storage.holdsPlainNumbers ? nil : storage.formatObstacle
  }

  static func integers(
    _ picture: StoredPicture, in file: FileBytes, workers: Int
  ) -> ChunkDecoder<UInt16> { decoder(picture) }

  static func floats(_ picture: StoredPicture) -> ChunkDecoder<Float>? { decoder(picture) }

  private static func decoder<Sample: StoredSample>(
    _ picture: StoredPicture
  ) -> ChunkDecoder<Sample> {
    let numbers = StoredSampleFormat(picture.storage, bigEndian: picture.bigEndian)
    let adjacent = picture.storage.adjacentSamples
    return { decode($0, $1, numbers, adjacent: adjacent, into: $2) }
  }

  /// Reads the rows of `tile` from `bytes`. False if there are too few.
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

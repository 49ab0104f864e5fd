import Codecs
import Containers
import ImageCore

/// Tiles and strips in zlib streams (compression 8 and 32946; TIFF Technical Note 2, DNG 1.7.1
/// chapter 3). Rows are decompressed together, then the predictor is undone row by row.
enum DeflateDecoder: ChunkCompression {
  static let codes = [TIFFTag.Compression.deflate, TIFFTag.Compression.oldDeflate]
  static let name = "Deflate"

  static func obstacle(_ storage: RawStorage) -> String? {
    let (bits, isFloat) = (storage.bitsPerSample, storage.isFloat)
    let isKnown =
      switch storage.predictor {
      case TIFFTag.Predictor.none: storage.holdsPlainNumbers
      case TIFFTag.Predictor.horizontal, TIFFTag.Predictor.horizontalX2,
        TIFFTag.Predictor.horizontalX4:
        [8, 16, 32].contains(bits) && !(isFloat && bits == 8)
      case TIFFTag.Predictor.floatingPoint, TIFFTag.Predictor.floatingPointX2,
        TIFFTag.Predictor.floatingPointX4:
        isFloat && storage.holdsPlainNumbers
      default: false
      }
    return isKnown
      ? nil
      : "\(name) of \(bits)-bit \(storage.sampleKind) with predictor \(storage.predictor) is not "
        + "supported"
  }

  static func tileBytes(_ storage: RawStorage) -> Int {
    StoredSampleFormat(storage, bigEndian: false)
      .byteCount(storage.tile.width * storage.adjacentSamples) * storage.tile.height
  }

  static func integers(
    _ picture: StoredPicture, in file: FileBytes, workers: Int
  ) -> ChunkDecoder<UInt16> { decoder(picture) }

  static func floats(_ picture: StoredPicture) -> ChunkDecoder<Float>? { decoder(picture) }

  private static func decoder<Sample: StoredSample>(
    _ picture: StoredPicture
  ) -> ChunkDecoder<Sample> {
    let predictor = Predictor(picture.storage, bigEndian: picture.bigEndian)
    let tileRows = picture.storage.tile.height
    return { decode($0, $1, predictor, tileRows: tileRows, into: $2) }
  }

  /// Decodes the stream of `tile`. False if it is damaged or has too few bytes.
  static func decode<Sample: StoredSample>(
    _ bytes: ByteView, _ tile: StoredTile, _ predictor: Predictor, tileRows: Int,
    into target: SampleTarget<Sample>
  ) -> Bool {
    let count = tile.rect.width * predictor.adjacent
    let rowBytes = predictor.numbers.byteCount(count)
    let needed = rowBytes * tile.rect.height
    guard needed / ZlibStream.maxRatio <= bytes.count else { return false }
    // The stream may also contain the rows below the picture.
    let maxBytes = rowBytes * max(tileRows, tile.rect.height)
    let inflated = RowMemory<UInt8>(
      count: min(maxBytes, max(needed, bytes.count * ZlibStream.maxRatio)))
    guard
      let made = unsafe ZlibStream.inflate(
        bytes.buffer, into: UnsafeMutableRawBufferPointer(inflated.row.buffer)),
      made >= needed
    else { return false }

    let samples = RowMemory<Sample>(count: count)
    let scratch = RowMemory<UInt8>(count: rowBytes)
    for y in 0..<tile.rect.height {
      let stored = inflated.row.from(y * rowBytes).prefix(rowBytes)
      let undone = predictor.undo(stored, count: count, scratch: scratch.row)
      Sample.read(ByteView(undone), predictor.result, into: samples.row)
      target.put(samples.row, count: count, first: 0, row: y, of: tile)
    }
    return true
  }
}

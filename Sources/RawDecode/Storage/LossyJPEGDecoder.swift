import Codecs
import Containers
import ImageCore

/// Tiles and strips in baseline JPEG (compression 34892, or 7 with a DCT frame; DNG 1.7.1 chapter
/// 3): 8-bit samples, linearized by the file's table or MapPolynomial. LibRaw 0.20 ignores that
/// table and, for compression 7, the polynomial.
enum LossyJPEGDecoder: ChunkCompression {
  static let codes = [TIFFTag.Compression.lossyJPEG]
  static let name = "lossy JPEG"

  static func obstacle(_ storage: RawStorage) -> String? {
    !storage.isFloat && (2...16).contains(storage.bitsPerSample) ? nil : storage.formatObstacle
  }

  static func tileBytes(_ storage: RawStorage) -> Int {
    maxPixels(storage.tile) * storage.adjacentSamples
  }

  static func integers(
    _ picture: StoredPicture, in file: FileBytes, workers: Int
  ) throws(RAWError) -> ChunkDecoder<UInt16> {
    guard try JPEGDecoder.kind(of: picture.storage, in: file) == .lossy else {
      throw JPEGDecoder.unknownKind(file)
    }
    return decoder(picture, in: file)
  }

  /// The decoder of `picture`, whose first chunk is a lossy JPEG.
  static func decoder(_ picture: StoredPicture, in file: FileBytes) -> ChunkDecoder<UInt16> {
    let (adjacent, tileRows) = (picture.storage.adjacentSamples, picture.storage.tile.height)
    return {
      isBaseline($1, in: file)
        && decode($0, $1, tileRows: tileRows, components: adjacent, into: $2)
    }
  }

  /// Whether the JPEG of `tile` is sequential with Huffman coding and has no more scans than its
  /// length explains. ``JPEGDecoder`` checks only the first tile, and libjpeg decodes anything:
  /// progressive and arithmetic coding can visit all blocks for almost no bytes.
  static func isBaseline(_ tile: StoredTile, in file: FileBytes) -> Bool {
    guard let segments = JPEGSegments(file, at: tile.offset), segments.excess == nil,
      let frame = segments.frame, frame.marker == 0xC0 || frame.marker == 0xC1
    else { return false }
    return !segments.hasTooManyScans(for: frame, before: tile.offset + tile.bytes)
  }

  /// Columns and rows of the largest coding unit of libjpeg; a JPEG may be padded to it.
  private static let largestUnit = 32

  /// Maximum number of pixels of the JPEG of a tile of `size`.
  static func maxPixels(_ size: PixelSize) -> Int {
    func filled(_ length: Int) -> Int { (length + largestUnit - 1) / largestUnit * largestUnit }
    return max(filled(size.width) * filled(size.height), 1 << 12)
  }

  /// Decodes the JPEG of `tile`. False if it is damaged, smaller than its part of the picture, or
  /// larger than the full tile.
  static func decode(
    _ bytes: ByteView, _ tile: StoredTile, tileRows: Int, components: Int,
    into target: SampleTarget<UInt16>
  ) -> Bool {
    let needed = target.needed(of: tile)
    let full = PixelSize(width: tile.rect.width, height: max(tileRows, tile.rect.height))
    guard let decoder = TurboJPEG(), let header = unsafe decoder.header(bytes.buffer),
      header.components == components,
      header.size.width >= needed.width, header.size.height >= needed.height,
      header.size.area <= maxPixels(full)
    else { return false }
    let rowCount = header.size.width * components
    let codes = RowMemory<UInt8>(count: header.size.height * rowCount)
    guard
      unsafe decoder.decode(
        bytes.buffer, size: header.size, components: components, into: codes.row.start)
    else { return false }
    let count = min(header.size.width, tile.rect.width) * components
    let memory = RowMemory<UInt16>(count: count)
    let row = memory.row
    for y in 0..<min(header.size.height, tile.rect.height) {
      let from = codes.row.from(y * rowCount)
      for i in 0..<count { row[i] = UInt16(from[i]) }
      target.put(row, count: count, first: 0, row: y, of: tile)
    }
    return true
  }
}

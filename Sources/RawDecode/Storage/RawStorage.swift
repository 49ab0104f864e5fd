package import Containers
package import ImageCore

/// How and where a TIFF directory stores its samples: TIFF 6.0 §§8, 15; DNG 1.7.1 chapter 3.
package struct RawStorage: Sendable {
  package let size: PixelSize
  package let samplesPerPixel: Int
  package let bitsPerSample: Int
  /// TIFF Compression.
  package let compression: Int
  /// TIFF PhotometricInterpretation.
  package let photometric: Int
  /// Whether samples are floating point.
  package let isFloat: Bool
  /// Whether the samples of a pixel lie side by side.
  package let isContiguous: Bool
  /// Whether the picture is cut into tiles rather than strips.
  package let isTiled: Bool
  /// Columns and rows of one tile, or of one strip.
  package let tile: PixelSize
  /// Where each tile or strip starts and how many bytes it has.
  package private(set) var chunks: [(offset: Int, bytes: Int)]
  /// TIFF Predictor, with the values that DNG adds.
  package let predictor: Int
  /// Whether all samples of a pixel have the same number of bits.
  package let hasEqualBits: Bool
  /// Rows and columns are stored as this many fields, one after the other (RowInterleaveFactor,
  /// ColumnInterleaveFactor): of the whole picture first every `rowFields`-th row from the first
  /// on, then from the second on.
  package let rowFields: Int
  package let columnFields: Int
  /// Each tile or strip is stored as blocks of this size, one after the other (SubTileBlockSize);
  /// one pixel when it is not.
  package internal(set) var block: PixelSize

  /// The storage that `directory` describes; nil when it describes none.
  package init?(_ directory: TIFFDirectory) {
    guard let width = directory[TIFFTag.imageWidth]?.integer,
      let height = directory[TIFFTag.imageLength]?.integer,
      width > 0, height > 0, width < 1 << 24, height < 1 << 24
    else { return nil }
    size = PixelSize(width: width, height: height)
    samplesPerPixel = directory[TIFFTag.samplesPerPixel]?.integer ?? 1
    bitsPerSample = directory[TIFFTag.bitsPerSample]?.integer ?? 1
    compression = directory[TIFFTag.compression]?.integer ?? TIFFTag.Compression.none
    photometric = directory[TIFFTag.photometricInterpretation]?.integer ?? -1
    isFloat = directory[TIFFTag.sampleFormat]?.integer == 3
    isContiguous = (directory[TIFFTag.planarConfiguration]?.integer ?? 1) == 1
    isTiled = directory[TIFFTag.tileWidth] != nil
    // Of more than are decoded none is read.
    func places(_ tag: UInt16) -> [Int] {
      directory[tag].flatMap { $0.integers(atMost: $0.file.limits.maxItems) } ?? []
    }
    let tags = TIFFTag.chunks(isTiled: isTiled)
    let (offsets, counts) = (places(tags.offsets), places(tags.byteCounts))
    chunks = zip(offsets, counts).map { ($0, $1) }
    let side = isTiled ? directory[TIFFTag.tileWidth]?.integer : width
    let rows =
      isTiled ? directory[TIFFTag.tileLength]?.integer : directory[TIFFTag.rowsPerStrip]?.integer
    tile = PixelSize(
      width: min(max(side ?? width, 1), 1 << 24),
      height: min(max(rows ?? height, 1), isTiled ? 1 << 24 : height))
    predictor = directory[TIFFTag.predictor]?.integer ?? TIFFTag.Predictor.none
    hasEqualBits = Set(directory[TIFFTag.bitsPerSample]?.integers ?? []).count <= 1
    rowFields = directory[DNGTag.rowInterleaveFactor]?.integer ?? 1
    columnFields = directory[DNGTag.columnInterleaveFactor]?.integer ?? 1
    let sides = (directory[DNGTag.subTileBlockSize]?.integers ?? []).map {
      min(max($0, 0), 1 << 24)
    }
    block = PixelSize(
      width: sides.count == 2 ? sides[1] : 1, height: sides.count == 2 ? sides[0] : 1)
    if let bytes = bytesOfLoneStrip, let offset = offsets.first { chunks = [(offset, bytes)] }
  }

  /// Bytes of uncompressed samples in one strip, or one tile that is no larger than the picture.
  /// Their number is known without what the file says of it: some cameras (DJI's Mavic 3) count
  /// those that are shown alone, and some programs none.
  private var bytesOfLoneStrip: Int? {
    guard chunkCompression?.hasFixedRows == true, block.area == 1, tile.width == size.width,
      tile.height >= size.height,
      (1...32).contains(bitsPerSample),
      isContiguous ? 1...4 ~= samplesPerPixel : samplesPerPixel == 1
    else { return nil }
    return StoredSampleFormat(self, bigEndian: false).byteCount(size.width * adjacentSamples)
      * size.height
  }

  /// How decoded samples are kept: integers of up to 16 bits as they are, all others as floats.
  package var format: RawSamples.Format {
    isFloat || bitsPerSample > 16 ? .float32 : .uint16
  }

  /// Bytes a sample that decoding takes: the result, and what a decoder holds of the whole picture.
  var decodingBytes: Int {
    format.bytes + (chunkCompression?.bytesPerPixel ?? 0)
  }

  /// Samples that lie side by side.
  var adjacentSamples: Int { isContiguous ? samplesPerPixel : 1 }

  /// Number of strips or tiles that the size requires, over all planes. At most four samples a
  /// pixel.
  var expectedChunks: Int { across * down * (isContiguous ? 1 : samplesPerPixel) }

  private var across: Int { (size.width + tile.width - 1) / tile.width }
  private var down: Int { (size.height + tile.height - 1) / tile.height }

  /// The picture in whole tiles.
  var covered: PixelSize { PixelSize(width: across * tile.width, height: down * tile.height) }

  /// Bytes that a decoder holds of a whole tile while it decodes it; 0 where it holds rows.
  var tileBytes: Int { chunkCompression?.tileBytes(self) ?? 0 }

  /// Pixels of a tile that any picture may have, however small it is.
  static let roomForTiles = 2048 * 2048
  /// Pixels of all tiles together that any picture may have.
  static let roomTogether = 4096 * 4096

  /// Pixels whose decoding takes as long as that of the smallest tile or strip.
  var leastPixels: Int { chunkCompression?.leastPixels ?? 1 }

  /// The same of any compression, some 30 µs.
  static let leastCodedPixels = 32 * 32

  /// Fails when a tile or strip is missing or reaches beyond the end of `file`.
  func requireComplete(in file: FileBytes) throws(RAWError) {
    guard expectedChunks <= file.limits.maxItems else {
      throw RAWError(file.limits.tooMany("strips or tiles").at(file.path), .decode)
    }
    let (least, most) = (leastPixels, file.limits.maxPixels)
    guard tile.area >= least || expectedChunks <= max(most / least, 1) else {
      throw RAWError(
        .tooLarge, .decode,
        "its \(expectedChunks) strips or tiles in \(compressionName) take as long to decode as "
          + "more than the limit of \(most) pixels; raise the limit",
        path: file.path)
    }
    guard chunks.count >= expectedChunks else {
      throw RAWError(
        .damaged, .decode,
        "its directory lists \(chunks.count) of \(expectedChunks) strips or tiles; copy the file "
          + "again",
        path: file.path)
    }
    for chunk in chunks where chunk.bytes <= 0 || !file.holds(chunk.offset, chunk.bytes) {
      throw RAWError(
        .damaged, .decode,
        "its pixel data end beyond the end of the file (\(file.count) bytes); copy the file again",
        path: file.path)
    }
    // A part that many share is decoded for each of them, however few pixels they have.
    guard chunks.prefix(expectedChunks).reduce(0, { $0 + $1.bytes }) <= 8 * file.count else {
      throw RAWError(
        .damaged, .decode, "its strips or tiles overlap in the file; copy the file again",
        path: file.path)
    }
  }
}

package import Containers
package import ImageCore

/// The sample storage of a TIFF directory: TIFF 6.0 §§8, 15; DNG 1.7.1 chapter 3.
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
  /// Whether the samples of a pixel are interleaved.
  package let isContiguous: Bool
  /// Whether the picture is stored in tiles and not in strips.
  package let isTiled: Bool
  /// Columns and rows of one tile, or of one strip.
  package let tile: PixelSize
  /// Offset and size of each tile or strip.
  package private(set) var chunks: [(offset: Int, bytes: Int)]
  /// TIFF Predictor, with the values that DNG adds.
  package let predictor: Int
  /// Whether all samples of a pixel have the same number of bits.
  package let hasEqualBits: Bool
  /// Number of fields into which rows and columns are split, stored consecutively
  /// (RowInterleaveFactor, ColumnInterleaveFactor): first every `rowFields`-th row of the complete
  /// picture from the first on, then from the second on.
  package let rowFields: Int
  package let columnFields: Int
  /// Size of the consecutive blocks in which each tile or strip is stored (SubTileBlockSize); one
  /// pixel for none.
  package internal(set) var block: PixelSize

  /// The storage described by `directory`; nil if it describes none.
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
    // Reads at most `maxItems` offsets.
    func values(_ tag: UInt16) -> [Int] {
      directory[tag].flatMap { $0.integers(atMost: $0.file.limits.maxItems) } ?? []
    }
    let tags = TIFFTag.chunks(isTiled: isTiled)
    let (offsets, counts) = (values(tags.offsets), values(tags.byteCounts))
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

  /// Bytes of uncompressed samples in a single strip, or a single tile no larger than the picture.
  /// Computed instead of read: some cameras (DJI's Mavic 3) count only the visible part, and some
  /// programs write none.
  private var bytesOfLoneStrip: Int? {
    guard chunkCompression?.hasFixedRows == true, block.area == 1, tile.width == size.width,
      tile.height >= size.height,
      (1...32).contains(bitsPerSample),
      isContiguous ? 1...4 ~= samplesPerPixel : samplesPerPixel == 1
    else { return nil }
    return StoredSampleFormat(self, bigEndian: false).byteCount(size.width * adjacentSamples)
      * size.height
  }

  /// Format of decoded samples: integers of up to 16 bits unchanged, all others as floats.
  package var format: RawSamples.Format {
    isFloat || bitsPerSample > 16 ? .float32 : .uint16
  }

  /// Bytes per sample needed for decoding: the result, and the decoder's buffer for the complete
  /// picture.
  var decodingBytes: Int {
    format.bytes + (chunkCompression?.bytesPerPixel ?? 0)
  }

  /// Number of interleaved samples.
  var adjacentSamples: Int { isContiguous ? samplesPerPixel : 1 }

  /// Number of strips or tiles required by the size, over all planes. At most four samples per
  /// pixel.
  var expectedChunks: Int { across * down * (isContiguous ? 1 : samplesPerPixel) }

  private var across: Int { (size.width + tile.width - 1) / tile.width }
  private var down: Int { (size.height + tile.height - 1) / tile.height }

  /// The size of all tiles together.
  var covered: PixelSize { PixelSize(width: across * tile.width, height: down * tile.height) }

  /// Bytes that a decoder needs for a full tile; 0 if it works by rows.
  var tileBytes: Int { chunkCompression?.tileBytes(self) ?? 0 }

  /// Tile pixels that are allowed for any picture, however small.
  static let roomForTiles = 2048 * 2048
  /// Pixels of all tiles together that are allowed for any picture.
  static let roomTogether = 4096 * 4096

  /// Fixed decoding cost of a tile or strip, in pixels.
  var minPixels: Int { chunkCompression?.minPixels ?? 1 }

  /// Lower bound of that cost for any compression, some 30 µs.
  static let minCodedPixels = 32 * 32

  /// Throws if a tile or strip is missing or extends beyond the end of `file`.
  func requireComplete(in file: FileBytes) throws(RAWError) {
    guard expectedChunks <= file.limits.maxItems else {
      throw RAWError(file.limits.tooMany("strips or tiles").at(file.path), .decode)
    }
    let maxPixels = file.limits.maxPixels
    guard tile.area >= minPixels || expectedChunks <= max(maxPixels / minPixels, 1) else {
      throw RAWError(
        .tooLarge, .decode,
        "its \(expectedChunks) strips or tiles in \(compressionName) take as long to decode as "
          + "more than the limit of \(maxPixels) pixels; raise the limit",
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
    // A shared chunk is decoded for each reference, however few pixels it has.
    guard chunks.prefix(expectedChunks).reduce(0, { $0 + $1.bytes }) <= 8 * file.count else {
      throw RAWError(
        .damaged, .decode, "its strips or tiles overlap in the file; copy the file again",
        path: file.path)
    }
  }
}

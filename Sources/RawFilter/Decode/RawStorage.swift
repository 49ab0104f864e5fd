package import ImageCore

/// How and where a TIFF directory stores its samples: TIFF 6.0 §§8, 15; DNG 1.7.1 chapter 3.
package struct RawStorage: Sendable {
  package let size: PixelSize
  package let samplesPerPixel: Int
  package let bitsPerSample: Int
  /// TIFF Compression (259).
  package let compression: Int
  /// TIFF PhotometricInterpretation (262).
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
  package let chunks: [(offset: Int, bytes: Int)]
  /// Whether rows or columns are stored in interleaved fields.
  package let isInterleaved: Bool

  /// The storage that `directory` describes; nil when it describes none.
  package init?(_ directory: TIFFDirectory) {
    guard let width = directory[256]?.integer, let height = directory[257]?.integer,
      width > 0, height > 0, width < 1 << 24, height < 1 << 24
    else { return nil }
    size = PixelSize(width: width, height: height)
    samplesPerPixel = directory[277]?.integer ?? 1
    bitsPerSample = directory[258]?.integer ?? 1
    compression = directory[259]?.integer ?? 1
    photometric = directory[262]?.integer ?? -1
    isFloat = directory[339]?.integer == 3
    isContiguous = (directory[284]?.integer ?? 1) == 1
    isTiled = directory[322] != nil
    let offsets = directory[isTiled ? 324 : 273]?.integers ?? []
    let counts = directory[isTiled ? 325 : 279]?.integers ?? []
    chunks = zip(offsets, counts).map { ($0, $1) }
    let side = isTiled ? directory[322]?.integer : width
    let rows = isTiled ? directory[323]?.integer : directory[278]?.integer
    tile = PixelSize(
      width: min(max(side ?? width, 1), 1 << 24), height: min(max(rows ?? height, 1), 1 << 24))
    isInterleaved = [50974, 50975, 52547].contains { tag in
      (directory[tag]?.integers ?? []).contains { $0 != 1 }
    }
  }

  /// Tiles or strips that the size asks for, over all planes.
  package var expectedChunks: Int {
    let across = (size.width + tile.width - 1) / tile.width
    let down = (size.height + min(tile.height, size.height) - 1) / min(tile.height, size.height)
    return across * down * (isContiguous ? 1 : max(samplesPerPixel, 1))
  }

  /// Fails when a tile or strip is missing or reaches beyond the end of `file`.
  package func requireComplete(in file: FileBytes) throws(RAWError) {
    guard chunks.count >= expectedChunks else {
      throw RAWError(
        .damaged, .open,
        "its pixel data are incomplete (\(chunks.count) of \(expectedChunks) parts)",
        path: file.path)
    }
    for chunk in chunks where chunk.bytes <= 0 || !file.holds(chunk.offset, chunk.bytes) {
      throw RAWError(
        .damaged, .open,
        "its pixel data end behind the end of the file (\(file.count) bytes); copy the file again",
        path: file.path)
    }
  }
}

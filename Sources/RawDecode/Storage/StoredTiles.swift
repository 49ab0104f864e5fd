import ImageCore

/// A separately decoded part of a stored picture: a tile, a strip, or rows of a strip.
struct StoredTile: Sendable {
  /// Its position in the stored picture; tiles at the right and bottom may extend beyond it.
  let rect: PixelRect
  /// Its sample index, if samples are stored in separate planes; else 0.
  let plane: Int
  /// Its bytes in the file.
  let offset: Int
  let bytes: Int
}

extension RawStorage {
  /// The parts of the picture, row by row, plane by plane (TIFF 6.0 §15); its chunks must be
  /// complete. Chunks whose rows have a fixed length are split into bands, so that several threads
  /// can decode one strip.
  var tiles: [StoredTile] {
    let across = (size.width + tile.width - 1) / tile.width
    let perPlane = across * ((size.height + tile.height - 1) / tile.height)
    let rowBytes = StoredSampleFormat(self, bigEndian: false)
      .byteCount(tile.width * adjacentSamples)
    let cuts = chunkCompression?.hasFixedRows == true && block.area == 1
    return (0..<expectedChunks).flatMap { index in
      let position = index % perPlane
      let chunk = chunks[index]
      let y = position / across * tile.height
      // Strips end with the picture. The part of a tile below it is skipped, except with blocks,
      // which are complete in the last strip, too.
      let visible = min(tile.height, size.height - y)
      let rows =
        block.area == 1
        ? visible
        : isTiled
          ? tile.height : (visible + block.height - 1) / block.height * block.height
      let band = cuts ? min(rows, 64) : rows
      return stride(from: 0, to: rows, by: band).map { row in
        let skipped = min(row * rowBytes, chunk.bytes)
        return StoredTile(
          rect: PixelRect(
            x: position % across * tile.width, y: y + row, width: tile.width,
            height: min(band, rows - row)),
          plane: index / perPlane, offset: chunk.offset + skipped, bytes: chunk.bytes - skipped)
      }
    }
  }
}

import ImageCore

/// One part of a stored picture that is decoded by itself: a tile, a strip, or rows of one.
struct StoredTile: Sendable {
  /// Where it lies in the stored picture; tiles at the right and bottom may stick out.
  let rect: PixelRect
  /// Which sample of a pixel it holds, when samples are stored apart; else 0.
  let plane: Int
  /// Its bytes in the file.
  let offset: Int
  let bytes: Int
}

extension RawStorage {
  /// The parts of the picture, row by row, plane by plane (TIFF 6.0 §15); its chunks are known to
  /// be complete. Those whose rows have a known length are cut into bands, so that one strip is
  /// work for several threads.
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
      // Strips end with the picture; what of a tile lies below it is not needed, but for blocks,
      // which are whole in the last strip, too.
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

import Codecs
import Containers
import ImageCore
import Synchronization

/// A picture as stored in a TIFF or DNG directory, of any use: raw, matte, depth. The only type
/// that decodes such pictures, with tiles or strips in parallel.
struct StoredPicture: Sendable {
  let storage: RawStorage
  /// Whether the file stores its samples big-endian.
  let bigEndian: Bool
  /// The requested part of the picture.
  var area: PixelRect
  /// LinearizationTable; empty for none.
  var table: [UInt16] = []
  /// Whether samples are mapped by `table`; if not, it only defines JPEG XL code values.
  var appliesTable = true
  /// The highest WhiteLevel; nil if absent.
  var white: Double?
  /// The filters of a mosaic, starting at the first stored pixel.
  var pattern: CFA?
  /// Whether 16-bit lossless JPEG has Adobe's error of files before DNG 1.1.
  var hasExtendedDifferences = false

  /// The samples of ``area``, row by row, samples of a pixel interleaved: integers of up to 16
  /// bits, else floats; NaN becomes 0. Uses memory for the result and one tile per worker; uses
  /// fewer workers if the memory limit requires it.
  func decode(_ file: FileBytes, workers: Int = Parallel.defaultWorkers) throws(RAWError)
    -> RawSamples
  {
    if let obstacle = storage.obstacle {
      throw DNGSupport.refusal(obstacle, .decode, file)
    }
    guard !area.isEmpty, PixelRect(storage.size).contains(area) else {
      throw RAWError(
        .damaged, .decode, "the requested area lies outside its picture of \(storage.size)",
        path: file.path)
    }
    try storage.requireComplete(in: file)
    let workers = try allowed(workers, file)
    let compression = storage.chunkCompression
    switch storage.format {
    case .uint16:
      if let compression {
        return try samples(
          of: file, workers, table: compression.lookup(self),
          try compression.integers(self, in: file, workers: workers))
      }
    case .float32:
      if let floats = compression?.floats(self) {
        return try samples(of: file, workers, table: [], floats)
      }
    }
    throw DNGSupport.refusal(storage.formatObstacle, .decode, file)
  }

  /// The number of workers whose tiles fit into the limits in addition to the result.
  private func allowed(_ workers: Int, _ file: FileBytes) throws(RAWError) -> Int {
    let limits = file.limits
    guard storage.tile.area <= max(limits.maxPixels, RawStorage.roomForTiles) else {
      throw RAWError(
        .tooLarge, .decode,
        "a tile of \(storage.tile) is more than the limit of \(limits.maxPixels) pixels; raise the "
          + "limit (maxPixels)",
        path: file.path)
    }
    guard storage.tileBytes > 0 else { return workers }
    let result = area.size.area * storage.samplesPerPixel * storage.format.bytes
    let fitting = (limits.maxDecodeBytes - result) / storage.tileBytes
    guard fitting > 0 else {
      throw RAWError(
        .tooLarge, .decode,
        "its tiles of \(storage.tile) take more than the limit of \(limits.maxDecodeBytes) bytes; "
          + "raise the limit",
        path: file.path)
    }
    return fitting < min(workers, storage.expectedChunks) ? fitting : workers
  }

  private func samples<Sample: StoredSample>(
    of file: FileBytes, _ workers: Int, table: [UInt16], _ decode: ChunkDecoder<Sample>
  ) throws(RAWError) -> RawSamples {
    let tiles = storage.tiles
    let failed = Atomic<Bool>(false)
    let samples = try RAWError.translating(.decode) { () throws(PixelError) in
      try RawSamples(
        of: Sample.self, stride: area.width * storage.samplesPerPixel, rows: area.height
      ) { memory throws(PixelError) in
        let target = SampleTarget(memory, self, table: table, clock: file.clock)
        if storage.block.area > 1 {
          // Blocks may be anywhere. Clearing avoids showing earlier memory contents in samples that
          // a tile omits.
          let bands = (area.height - 1) / SampleTarget<Sample>.clearedAtOnce + 1
          try Parallel.forEach(count: bands, workers: workers) { band, _ in
            target.clear(band: band)
          }
        }
        try Parallel.forEach(count: tiles.count, workers: workers) { index, _ throws(PixelError) in
          let tile = tiles[index]
          if failed.load(ordering: .relaxed) || file.clock.isOver || target.leavesOut(tile) {
            return
          }
          if let bytes = file.view(tile.offset, tile.bytes), try decode(bytes, tile, target) {
            return
          }
          failed.store(true, ordering: .relaxed)
        }
      }
    }
    try RAWError.translating(.decode) { () throws(FormatError) in try file.checkReading() }
    if failed.load(ordering: .relaxed) {
      throw RAWError(
        .damaged, .decode,
        "a strip or tile of its \(storage.compressionName) pixel data is damaged; copy the file "
          + "again",
        path: file.path)
    }
    return samples
  }
}

extension StoredPicture {
  /// The raw picture of a DNG.
  init(_ tags: DNGTags) {
    storage = tags.storage
    bigEndian = tags.bigEndian
    area = tags.activeArea
    table = tags.linearizationTable
    white = tags.levels.white.max()
    pattern = tags.cfa
    hasExtendedDifferences = tags.version.lexicographicallyPrecedes([1, 1])
  }
}

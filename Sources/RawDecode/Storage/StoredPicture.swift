import Codecs
import Containers
import ImageCore
import Synchronization

/// A picture as a TIFF or DNG directory stores it, of whatever use: raw, matte, depth. Only this
/// type decodes such pictures, tiles or strips in parallel.
struct StoredPicture: Sendable {
  let storage: RawStorage
  /// Whether the file stores its samples big-endian.
  let bigEndian: Bool
  /// The part that is wanted, within the picture.
  var area: PixelRect
  /// LinearizationTable; empty for none.
  var table: [UInt16] = []
  /// Whether samples go through `table`; if not, it only defines JPEG XL code values.
  var appliesTable = true
  /// The highest WhiteLevel; nil when not given.
  var white: Double?
  /// The filters of a mosaic, from the first stored pixel on.
  var pattern: CFA?
  /// Whether 16-bit lossless JPEG has Adobe's mistake of files before DNG 1.1.
  var hasExtendedDifferences = false

  /// The samples of ``area``, row by row, samples of a pixel side by side: counts of integers up to
  /// 16 bits, else floats; a float that is NaN is 0. Takes their memory and that of one tile for
  /// each worker; fewer work where the limit of bytes asks for it.
  func decode(_ file: FileBytes, workers: Int = Parallel.defaultWorkers) throws(RAWError)
    -> RawSamples
  {
    if let obstacle = storage.obstacle {
      throw RAWError(.unsupported, .decode, obstacle, path: file.path)
    }
    guard !area.isEmpty, PixelRect(storage.size).contains(area) else {
      throw RAWError(
        .damaged, .decode, "the part wanted lies outside its picture of \(storage.size)",
        path: file.path)
    }
    try storage.requireComplete(in: file)
    let workers = try allowed(workers, file)
    switch storage.format {
    case .uint16:
      return try samples(of: file, workers, table: lookup, try counts(file, workers))
    case .float32:
      guard let floats = anyDecoder(of: Float.self) else {
        throw RAWError(.unsupported, .decode, "JPEG holds no such numbers", path: file.path)
      }
      return try samples(of: file, workers, table: [], floats)
    }
  }

  /// The `workers` whose tiles fit into the limits beside the result.
  private func allowed(_ workers: Int, _ file: FileBytes) throws(RAWError) -> Int {
    let limits = file.limits
    guard storage.tile.area <= max(limits.maxPixels, RawStorage.roomForTiles) else {
      throw RAWError(
        .tooLarge, .decode,
        "a tile of \(storage.tile) is more than the limit of \(limits.maxPixels) pixels; raise the "
          + "limit",
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

  /// Decodes one tile from its bytes. False when they are damaged.
  private typealias TileDecoder<Sample: StoredSample> =
    @Sendable (ByteView, StoredTile, SampleTarget<Sample>) throws(PixelError) -> Bool

  private func samples<Sample: StoredSample>(
    of file: FileBytes, _ workers: Int, table: [UInt16], _ decode: TileDecoder<Sample>
  ) throws(RAWError) -> RawSamples {
    let tiles = storage.tiles
    let failed = Atomic<Bool>(false)
    let samples = try RAWError.translating(.decode) { () throws(PixelError) in
      try RawSamples(
        of: Sample.self, stride: area.width * storage.samplesPerPixel, rows: area.height
      ) { memory throws(PixelError) in
        let target = SampleTarget(memory, self, table: table, clock: file.clock)
        if storage.block.area > 1 {
          // Blocks lie anywhere. What a tile leaves out shows no picture that had this memory
          // before.
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
        "a part of its \(storage.compressionName) pixel data is damaged; copy the file again",
        path: file.path)
    }
    return samples
  }

  /// The decoder of integers.
  private func counts(
    _ file: FileBytes, _ workers: Int
  ) throws(RAWError) -> TileDecoder<UInt16> {
    if let decoder = anyDecoder(of: UInt16.self) { return decoder }
    if storage.compression == 9 { return try vc5Decoder(file, workers) }
    let adjacent = storage.adjacentSamples
    switch try JPEGKind(storage, file) {
    case .lossless:
      let extended = hasExtendedDifferences
      return {
        LosslessJPEGDecoder.decode($0, $1, adjacent: adjacent, extended: extended, into: $2)
      }
    case .lossy:
      let wholeRows = storage.tile.height
      return {
        LossyJPEGDecoder.isBaseline($1, in: file)
          && LossyJPEGDecoder.decode(
            $0, $1, wholeRows: wholeRows, components: adjacent, into: $2)
      }
    }
  }

  private func vc5Decoder(
    _ file: FileBytes, _ workers: Int
  ) throws(RAWError) -> TileDecoder<UInt16> {
    func refuse(_ what: String) -> RAWError {
      RAWError(.unsupported, .decode, "\(what); \(DNGSupport.remedy)", path: file.path)
    }
    guard let pattern, pattern.kind == .bayer else {
      throw refuse("VC-5 of anything but a Bayer mosaic is not supported")
    }
    let tiles = storage.tiles
    for tile in tiles {
      try RAWError.translating(.decode) { () throws(FormatError) in try file.checkReading() }
      if let bytes = file.view(tile.offset, tile.bytes), let what = VC5Decoder.obstacle(bytes) {
        throw refuse(what)
      }
    }
    let wholeRows = storage.tile.height
    let mosaics = VC5Mosaics(pattern, white: white ?? 65535)
    // Threads that the tiles do not need work on parts of them.
    let each = max(workers / max(tiles.count, 1), 1)
    return { bytes, tile, target throws(PixelError) in
      try VC5Decoder.decode(
        bytes, tile, wholeRows: wholeRows, mosaics: mosaics, workers: each, into: target)
    }
  }

  /// The decoder of a compression that holds integers and floats; nil for any other.
  private func anyDecoder<Sample: StoredSample>(of kind: Sample.Type) -> TileDecoder<Sample>? {
    let adjacent = storage.adjacentSamples
    let wholeRows = storage.tile.height
    switch storage.compression {
    case 1:
      let numbers = StoredSampleFormat(storage, bigEndian: bigEndian)
      return { UncompressedDecoder.decode($0, $1, numbers, adjacent: adjacent, into: $2) }
    case 8, 32946:
      let predictor = Predictor(storage, bigEndian: bigEndian)
      return { DeflateDecoder.decode($0, $1, predictor, wholeRows: wholeRows, into: $2) }
    case 52546:
      let steps = JPEGXL.HeaderSteps(JPEGXLFrames.maxSteps(pixels: storage.covered.area))
      return {
        JPEGXLDecoder.decode(
          $0, $1, wholeRows: wholeRows, adjacent: adjacent, steps: steps, into: $2)
      }
    default: return nil
    }
  }

  /// The value of each of the 65 536 codes; empty for the code itself.
  private var lookup: [UInt16] {
    if storage.compression == 52546 {
      return JPEGXLDecoder.lookup(
        bits: storage.bitsPerSample, table: table, applies: appliesTable, white: white)
    }
    guard appliesTable, let last = table.indices.last else { return [] }
    return (0..<65536).map { table[min($0, last)] }
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

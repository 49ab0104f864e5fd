import Containers
import ImageCore

/// Tiles and strips of a mosaic in VC-5 (compression 9), as GoPro's cameras write them. Sources:
/// SMPTE ST 2073-1 and -3, and what GoPro publishes about its raw files (github.com/gopro/gpr).
///
/// Subbands are decoded separately, the largest first; then levels 3 and 2 of each channel are
/// inverted, and level 1 together with the mosaic in bands of rows. Every step uses all workers.
enum VC5Decoder: ChunkCompression {
  static let codes = [TIFFTag.Compression.vc5]
  static let name = "VC-5"
  /// Headers and tables take nearly 0.2 ms.
  static let minPixels = 128 * 128
  static let bytesPerPixel = 4
  /// Row pairs that a worker inverts at a time.
  private static let pairsAtOnce = 16

  static func obstacle(_ storage: RawStorage) -> String? {
    guard storage.rowFields == 1, storage.columnFields == 1, storage.block.area == 1 else {
      return "VC-5 with interleave factors or subtile blocks is not supported"
    }
    return !storage.isFloat && (12...16).contains(storage.bitsPerSample)
      ? nil : storage.formatObstacle
  }

  static func obstacle(_ picture: StoredPicture, in file: FileBytes) -> String? {
    guard picture.pattern?.kind == .bayer else { return onlyBayer }
    let bytes = picture.storage.chunks.first.flatMap { file.view($0.offset, $0.bytes) }
    return bytes.flatMap { obstacle($0) }
  }

  private static let onlyBayer = "VC-5 is supported for Bayer mosaics alone"

  static func tileBytes(_ storage: RawStorage) -> Int { bytesPerPixel * storage.tile.area }

  static func integers(
    _ picture: StoredPicture, in file: FileBytes, workers: Int
  ) throws(RAWError) -> ChunkDecoder<UInt16> {
    func refuse(_ what: String) -> RAWError { DNGSupport.refusal(what, .decode, file) }
    guard let pattern = picture.pattern, pattern.kind == .bayer else { throw refuse(onlyBayer) }
    let tiles = picture.storage.tiles
    for tile in tiles {
      try RAWError.translating(.decode) { () throws(FormatError) in try file.checkReading() }
      if let bytes = file.view(tile.offset, tile.bytes), let what = obstacle(bytes) {
        throw refuse(what)
      }
    }
    let tileRows = picture.storage.tile.height
    let mosaics = VC5Mosaics(pattern, white: picture.white ?? 65535)
    // Threads beyond the number of tiles work on parts of tiles.
    let each = max(workers / max(tiles.count, 1), 1)
    return { bytes, tile, target throws(PixelError) in
      try decode(bytes, tile, tileRows: tileRows, mosaics: mosaics, workers: each, into: target)
    }
  }

  /// Unsupported content of `bytes`; nil if there is none. Damage is detected when decoding.
  private static func obstacle(_ bytes: ByteView) -> String? {
    do {
      _ = try VC5Stream(bytes)
      return nil
    } catch {
      guard case .notCovered(let what) = error else { return nil }
      return "VC-5 with \(what) is not supported"
    }
  }

  /// Decodes the stream of `tile`, one of `mosaics`. False if it is damaged, or its size does not
  /// match its part of the picture.
  static func decode(
    _ bytes: ByteView, _ tile: StoredTile, tileRows: Int, mosaics: VC5Mosaics, workers: Int,
    into target: SampleTarget<UInt16>
  ) throws(PixelError) -> Bool {
    let columns = target.needed(of: tile).width...tile.rect.width
    let rows = tile.rect.height...max(tileRows, tile.rect.height)
    guard let stream = try? VC5Stream(bytes), columns.contains(stream.size.width),
      rows.contains(stream.size.height),
      let mosaic = mosaics.mosaic(bits: stream.bits),
      let bands = try HighBands(bytes, stream, workers, target.clock)
    else { return false }
    var low = try Parallel.map(count: VC5Stream.channels, workers: workers) {
      channel throws(PixelError) in
      let block = stream.codeblocks[channel * VC5Stream.subbands]
      return try VC5BandReader.lowPass(
        bytes.from(block.bytes.lowerBound), stream.bandSize(level: VC5Stream.levels),
        precision: block.precision)
    }
    for level in (2...VC5Stream.levels).reversed() {
      if target.clock.isOver { return false }
      let made = try low.enumerated().map { channel, plane throws(PixelError) in
        try bands.wavelet(channel, level: level, low: plane)
          .finerBand(stream.bandSize(level: level - 1))
      }
      let pairs = stream.bandSize(level: level).height
      let parts = (pairs + pairsAtOnce - 1) / pairsAtOnce
      try Parallel.forEach(count: made.count * parts, workers: workers) { index, _ in
        let first = index % parts * pairsAtOnce
        made[index / parts].make(first..<min(first + pairsAtOnce, pairs))
      }
      low = made.map(\.plane)
    }
    let finest = low.enumerated().map { bands.wavelet($0, level: 1, low: $1) }
    try write(finest, mosaic, stream.size, tile, workers, into: target)
    return true
  }

  /// Inverts the last level of all channels and computes the mosaic.
  private static func write(
    _ finest: [VC5Wavelet], _ mosaic: VC5Mosaic, _ size: PixelSize, _ tile: StoredTile,
    _ workers: Int, into target: SampleTarget<UInt16>
  ) throws(PixelError) {
    let width = 2 * finest[0].low.size.width
    let pairs = finest[0].low.size.height
    let parts = (pairs + pairsAtOnce - 1) / pairsAtOnce
    try Parallel.forEach(count: parts, workers: workers) { part, _ in
      let scratch = RowMemory<Int32>(count: finest[0].scratchCount)
      let memory = RowMemory<Int32>(count: 2 * finest.count * width)
      let rows = memory.row
      let even = finest.indices.map { rows.from(2 * $0 * width).prefix(width) }
      let odd = finest.indices.map { rows.from((2 * $0 + 1) * width).prefix(width) }
      let codes = RowMemory<UInt16>(count: 2 * size.width)
      let (upper, lower) = (codes.row.prefix(size.width), codes.row.from(size.width))
      for pair in part * pairsAtOnce..<min((part + 1) * pairsAtOnce, pairs) {
        for (channel, wavelet) in finest.enumerated() {
          wavelet.invert(pair: pair, into: even[channel], odd[channel], scratch: scratch.row)
        }
        for (row, channels) in [(2 * pair, even), (2 * pair + 1, odd)] where 2 * row < size.height {
          mosaic.rows(channels, count: size.width / 2, into: upper, lower)
          let count = min(size.width, tile.rect.width)
          for (y, codes) in [(2 * row, upper), (2 * row + 1, lower)] where y < tile.rect.height {
            target.put(codes, count: count, first: 0, row: y, of: tile)
          }
        }
      }
    }
  }

  /// All high-pass bands of a stream.
  private struct HighBands: Sendable {
    private let stream: VC5Stream
    /// By codeblock, without the low-pass bands.
    private let planes: [Int: SubbandPlane<Int16>]

    /// Decodes them; nil if one is damaged, or `clock` has expired.
    init?(_ bytes: ByteView, _ stream: VC5Stream, _ workers: Int, _ clock: DecodeClock)
      throws(PixelError)
    {
      self.stream = stream
      let blocks = stream.codeblocks
      let order = blocks.indices.filter { $0 % VC5Stream.subbands > 0 }
        .sorted { blocks[$0].bytes.count > blocks[$1].bytes.count }
      let made = try Parallel.map(count: order.count, workers: workers) {
        index throws(PixelError) in
        if clock.isOver { return nil as SubbandPlane<Int16>? }
        let subband = order[index] % VC5Stream.subbands
        let range = blocks[order[index]].bytes
        return try VC5BandReader.highPass(
          bytes.part(range), stream.bandSize(level: VC5Stream.level(of: subband)))
      }
      let planes = made.compactMap { $0 }
      guard planes.count == order.count else { return nil }
      self.planes = Dictionary(uniqueKeysWithValues: zip(order, planes))
    }

    func wavelet(_ channel: Int, level: Int, low: SubbandPlane<Int32>) -> VC5Wavelet {
      let blocks = stream.codeblocks
      let first = channel * VC5Stream.subbands
      let bands = (0..<3).map { first + 1 + 3 * (VC5Stream.levels - level) + $0 }
      let prescale = blocks[first].prescale[level - 1]
      // GoPro's decoder clamps channels, for which two more bits suffice, unless it shifts them.
      let limits =
        level == 1 && prescale == 0 ? 0...(Int32(4) << Int32(stream.bits) - 1) : .min ... .max
      return VC5Wavelet(
        low: low, high: bands.compactMap { planes[$0] },
        quantization: bands.map { Int32(blocks[$0].quantization) }, prescale: prescale,
        limits: limits)
    }
  }
}

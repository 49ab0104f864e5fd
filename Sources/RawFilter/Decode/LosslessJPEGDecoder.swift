import ImageCore
import Synchronization

/// DNG pictures in lossless JPEG (compression 7, SOF3; DNG 1.7.1 chapter 3), through the
/// LinearizationTable where there is one: tiles in parallel, straight into the active area.
///
/// Columns, rows and components of a stream need not be those of its tile; its samples are the tile's
/// in order. Measured 24 MP mosaic, one strip: five times as fast as LibRaw 0.20.
enum LosslessJPEGDecoder {
  /// Whether streams like the first of `storage` are decoded here. True for a damaged one too, which
  /// decoding then reports.
  static func covers(_ storage: RawStorage, in file: FileBytes) -> Bool {
    guard let chunk = storage.chunks.first else { return false }
    do {
      _ = try LosslessJPEGHeader(stream(chunk, file), extended: false)
      return true
    } catch { return error != .notCovered }
  }

  private static func stream(
    _ chunk: (offset: Int, bytes: Int), _ file: FileBytes
  ) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: file.buffer[chunk.offset..<chunk.offset + chunk.bytes])
  }

  /// The stored numbers of the active area.
  static func decode(
    _ tags: DNGTags, _ file: FileBytes, layout: SensorData.Layout,
    workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> SensorData {
    let storage = tags.storage
    let tiles = TileGrid(storage)
    let target = Target(tags)
    // Adobe's mistake in 16-bit files before DNG 1.1.
    let extended = tags.version.lexicographicallyPrecedes([1, 1])
    let damaged = RAWError(
      .damaged, .decode, "a JPEG part of its pixel data is damaged; copy the file again",
      path: file.path)
    let samples = try RawSamples(
      format: .uint16, stride: target.stride, rows: tags.activeArea.height
    ) { (memory: UnsafeMutableRawPointer) throws(RAWError) in
      nonisolated(unsafe) let pixels = memory.assumingMemoryBound(to: UInt16.self)
      let failed = Atomic<Bool>(false)
      Parallel.forEach(count: tiles.count, workers: workers) { index, _ in
        if failed.load(ordering: .relaxed) { return }
        let scan = try? LosslessJPEGScan(
          stream(storage.chunks[index], file), extended: extended)
        if scan?.fill(tiles.rect(index), of: target, pixels) != true {
          failed.store(true, ordering: .relaxed)
        }
      }
      if failed.load(ordering: .relaxed) { throw damaged }
    }
    return SensorData(
      size: tags.activeArea.size, layout: layout, samples: samples, levels: tags.levels.sensor)
  }

  /// Where samples go: the active area of a picture.
  struct Target: Sendable {
    /// Columns and rows of the stored picture.
    let size: PixelSize
    let area: PixelRect
    let samplesPerPixel: Int
    /// What each stored number stands for; empty when for itself.
    let table: [UInt16]

    init(_ tags: DNGTags) {
      size = tags.storage.size
      area = tags.activeArea
      samplesPerPixel = tags.storage.samplesPerPixel
      let codes = tags.linearizationTable
      table = codes.isEmpty ? [] : (0..<65536).map { codes[min($0, codes.count - 1)] }
    }

    /// Samples of a row.
    var stride: Int { area.width * samplesPerPixel }
  }
}

extension LosslessJPEGScan {
  /// Decodes the samples of the tile at `rect` and writes those within the area of `target` to
  /// `pixels`. False when the stream is damaged or has too few samples.
  func fill(
    _ rect: PixelRect, of target: LosslessJPEGDecoder.Target, _ pixels: UnsafeMutablePointer<UInt16>
  ) -> Bool {
    let perPixel = target.samplesPerPixel
    let tileRow = rect.width * perPixel
    // Strips and some tiles end with the picture.
    let rows = min(rect.height, target.size.height - rect.y)
    guard header.samplesPerRow * header.rows >= tileRow * rows else { return false }
    let part = rect.intersection(target.area)
    let columns = (part.x - rect.x) * perPixel..<(max(part.endX, part.x) - rect.x) * perPixel
    // Place of the next sample within the tile.
    var (x, y) = (0, 0)
    return forEachRow { _, row in
      var taken = 0
      while taken < header.samplesPerRow {
        let count = min(header.samplesPerRow - taken, tileRow - x)
        let wanted = columns.clamped(to: x..<x + count)
        if !wanted.isEmpty, rect.y + y >= part.y, rect.y + y < part.endY {
          let to =
            pixels + (rect.y + y - target.area.y) * target.stride
            + (rect.x - target.area.x) * perPixel + wanted.lowerBound
          target.copy(row + taken + wanted.lowerBound - x, to, wanted.count)
        }
        taken += count
        x += count
        if x == tileRow { (x, y) = (0, y + 1) }
      }
      return y < rows
    }
  }
}

extension LosslessJPEGDecoder.Target {
  /// Copies `count` samples through the table.
  func copy(_ from: UnsafePointer<UInt16>, _ to: UnsafeMutablePointer<UInt16>, _ count: Int) {
    guard !table.isEmpty else {
      to.update(from: from, count: count)
      return
    }
    table.withUnsafeBufferPointer { table in
      for i in 0..<count { to[i] = table[Int(from[i])] }
    }
  }
}

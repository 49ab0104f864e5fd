import ImageCore

/// The destination of decoded samples: the requested area of a picture, row by row, samples of a
/// pixel interleaved, regardless of their order in the file (DNG 1.7.1: PlanarConfiguration,
/// SubTileBlockSize, RowInterleaveFactor, ColumnInterleaveFactor). Parts of a picture never
/// overlap, so that any thread may write any part.
struct SampleTarget<Sample: StoredSample>: @unchecked Sendable {
  private let pixels: SampleRow<Sample>
  private let size: PixelSize
  private let area: PixelRect
  private let perPixel: Int
  /// Number of interleaved samples in the file.
  private let adjacent: Int
  private let block: PixelSize
  /// The value of each stored code; empty for the identity.
  private let table: [UInt16]
  /// The picture column and row of each stored one.
  private let columns: [Int]
  private let rows: [Int]
  private let keepsColumns: Bool
  private let keepsRows: Bool
  /// Decoders stop at the next tile after it has expired.
  let clock: DecodeClock

  /// The area of `picture`, row by row in `pixels`; stored codes are mapped by `table`, of 65 536
  /// entries or empty.
  init(
    _ pixels: SampleRow<Sample>, _ picture: StoredPicture, table: [UInt16], clock: DecodeClock
  ) {
    let storage = picture.storage
    (self.pixels, self.table, self.clock) = (pixels, table, clock)
    size = storage.size
    area = picture.area
    perPixel = storage.samplesPerPixel
    adjacent = storage.adjacentSamples
    block = storage.block
    keepsColumns = storage.columnFields == 1
    keepsRows = storage.rowFields == 1
    columns = Self.order(size.width, fields: storage.columnFields)
    rows = Self.order(size.height, fields: storage.rowFields)
  }

  /// Positions of `count` lines stored as fields.
  private static func order(_ count: Int, fields: Int) -> [Int] {
    (0..<fields).flatMap { Array(stride(from: $0, to: count, by: fields)) }
  }

  /// Whether no part of `tile` is requested.
  func leavesOut(_ tile: StoredTile) -> Bool {
    keepsColumns && keepsRows && tile.rect.intersection(area).isEmpty
  }

  /// Columns and rows of `tile` to decode: the part in the picture, or all if samples are in
  /// blocks.
  func needed(of tile: StoredTile) -> PixelSize {
    guard block.area == 1 else { return tile.rect.size }
    return PixelSize(
      width: min(tile.rect.width, size.width - tile.rect.x),
      height: min(tile.rect.height, size.height - tile.rect.y))
  }

  /// Clears band `index` of ``clearedAtOnce`` rows.
  func clear(band index: Int) {
    let first = index * Self.clearedAtOnce
    let count = min(Self.clearedAtOnce, area.height - first)
    let perRow = area.width * perPixel
    pixels.from(first * perRow).update(repeating: .zero, count: count * perRow)
  }

  static var clearedAtOnce: Int { 64 }

  /// Stores `count` samples of row `y` of `tile` starting at sample `first`.
  @inline(__always)
  func put(
    _ samples: SampleRow<Sample>, count: Int, first: Int, row y: Int, of tile: StoredTile
  ) {
    guard block.area > 1 else {
      putLine(samples, count, tile.rect.x * adjacent + first, tile.rect.y + y, tile.plane)
      return
    }
    putBlocks(samples, count, first, y, tile)
  }

  /// Like ``put(_:count:first:row:of:)`` with samples in block order.
  private func putBlocks(
    _ samples: SampleRow<Sample>, _ count: Int, _ first: Int, _ y: Int, _ tile: StoredTile
  ) {
    let across = tile.rect.width / block.width
    let run = block.width * adjacent
    var taken = 0
    while taken < count {
      let position = y * tile.rect.width * adjacent + first + taken
      // The row within a block, counted over all blocks, and the block.
      let line = position / run
      let index = line / block.height
      let x = index % across * run + position % run
      let next = min(count - taken, run - position % run)
      putLine(
        samples.from(taken), next, tile.rect.x * adjacent + x,
        tile.rect.y + index / across * block.height + line % block.height, tile.plane)
      taken += next
    }
  }

  /// Stores `count` samples of stored row `y` starting at sample `first`, clipped to the area.
  private func putLine(
    _ samples: SampleRow<Sample>, _ count: Int, _ first: Int, _ y: Int, _ plane: Int
  ) {
    guard y < size.height else { return }
    let y = rows[y] - area.y
    guard y >= 0, y < area.height else { return }
    let row = pixels.from(y * area.width * perPixel)
    let end = min(first + count, size.width * adjacent)
    guard keepsColumns, adjacent == perPixel else {
      guard first < end else { return }
      scatter(samples, first..<end, plane, to: row)
      return
    }
    let from = max(first, area.x * perPixel)
    let to = min(end, area.endX * perPixel)
    guard from < to else { return }
    copy(samples.from(from - first), to: row.from(from - area.x * perPixel), count: to - from)
  }

  private func copy(_ from: SampleRow<Sample>, to: SampleRow<Sample>, count: Int) {
    guard !table.isEmpty else { return to.update(from: from, count: count) }
    let table = table.span
    for i in 0..<count { to[i] = from[i].looked(up: table) }
  }

  /// Copies the samples at `range` of a stored row to their columns.
  private func scatter(
    _ samples: SampleRow<Sample>, _ range: Range<Int>, _ plane: Int, to row: SampleRow<Sample>
  ) {
    var (column, sample) = range.lowerBound.quotientAndRemainder(dividingBy: adjacent)
    let (left, width) = (area.x, area.width)
    let (columns, table) = (columns.span, table.span)
    for i in 0..<range.count {
      let x = unsafe columns[unchecked: column] - left
      if x >= 0, x < width {
        let value = samples[i]
        row[x &* perPixel &+ plane &+ sample] = table.isEmpty ? value : value.looked(up: table)
      }
      sample += 1
      if sample == adjacent { (column, sample) = (column + 1, 0) }
    }
  }
}

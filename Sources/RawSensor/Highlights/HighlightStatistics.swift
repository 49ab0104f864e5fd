import CKernels
import ImageCore
import RawData

/// Measurements of the full mosaic for the highlight stage and the demosaic.
///
/// Saturated photosites are marked in a mask of a third of the size, one bit a channel, that grows
/// by a disc of radius 3. For ``GuidedHighlights`` a ``HighlightEstimate`` is measured in it: first
/// where nothing is saturated, then, with the result, where channels are saturated and
/// reconstructed. Defective photosites are counted neither as saturated nor as the lowest; only
/// candidates for either are tested for defects, so most of the picture is read once without that
/// search. A cell of the estimate belongs to one task, so the result does not depend on the number
/// of workers.
struct HighlightStatistics: Sendable {
  /// Lowest balanced value.
  private(set) var minimum: Float = 0
  /// Fraction of the photosites of each channel that are saturated.
  private(set) var clippedFraction = SIMD4<Float>()
  /// Nil if nothing is saturated, or highlights are not reconstructed.
  private(set) var guided: GuidedHighlights?

  private static let cell = SaturationMask.side
  private static let radius = 3
  /// Rows of cells of one task, and columns of cells that are tested together.
  private static let bandCells = BlockExtrema.blockHeight / cell
  private static let blockCells = BlockExtrema.blockWidth / cell

  private let size: PixelSize
  private let clip: SIMD4<Float>
  private let neighbors: FilterNeighbors
  private let clipRows: ChannelRows
  private var cells: PixelSize {
    PixelSize(
      width: (size.width + Self.cell - 1) / Self.cell,
      height: (size.height + Self.cell - 1) / Self.cell)
  }

  /// The measurements that do not depend on the white in use.
  struct MosaicScan: Sendable {
    fileprivate(set) var minimum: Float
    fileprivate(set) var clipped: SIMD4<Int>
    let mask: SaturationMask
  }

  /// These measurements, by this or an earlier scan of the mosaic.
  private(set) var mosaicScan: MosaicScan

  /// One pass over `mosaic`, whose highlights are untreated, and more around saturated areas for
  /// `estimate`, which has no measurements yet, if given. Fills `extrema`. With the scan `known`
  /// from the same mosaic under another white, the first pass is skipped.
  init(
    _ mosaic: BalancedMosaic, _ cfa: CFA, clip: SIMD4<Float>, estimate: HighlightEstimate?,
    extrema: BlockExtrema, known: MosaicScan? = nil, pool: WorkspacePool<SensorWorkspace>,
    workers: Int
  ) throws(PixelError) {
    size = mosaic.levels.size
    self.clip = clip
    neighbors = FilterNeighbors(cfa)
    clipRows = mosaic.clipRows
    let cells = PixelSize(
      width: (size.width + Self.cell - 1) / Self.cell,
      height: (size.height + Self.cell - 1) / Self.cell)
    let bands = (cells.height + Self.bandCells - 1) / Self.bandCells
    let mask: SaturationMask
    if let known { mask = known.mask } else { mask = try SaturationMask(cells) }
    mosaicScan = known ?? MosaicScan(minimum: .infinity, clipped: SIMD4(), mask: mask)
    if known == nil {
      let scans = try Parallel.map(count: bands, workers: workers) {
        [self] band throws(PixelError) in
        try pool.with { work throws(PixelError) in
          try scan(mosaic, band, mask, extrema, work)
        }
      }
      mosaicScan.minimum = scans.reduce(Float.infinity) { min($0, $1.minimum) }
      mosaicScan.clipped = scans.reduce(SIMD4<Int>()) { $0 &+ $1.clipped }
    }
    minimum = mosaicScan.minimum
    let clipped = mosaicScan.clipped
    let total = channelTotals()
    for c in 0..<4 where total[c] > 0 { clippedFraction[c] = Float(clipped[c]) / Float(total[c]) }
    guard clipped != SIMD4<Int>(), var estimate else { return }
    // Cells of unusual patterns may lie in two bands; one worker then adds all of them.
    let isShared = Self.bandCells * Self.cell % estimate.cells.cell.height == 0
    try estimate.measure { saturated, known, add throws(PixelError) in
      var rebuilt = mosaic
      if saturated.upperBound > 0 {
        rebuilt.highlights = try GuidedHighlights(
          cfa, width: size.width, clip: clip, clipRows: clipRows, estimate: known)
      }
      try Parallel.forEach(count: bands, workers: isShared ? workers : 1) {
        [self, rebuilt] band, _ throws(PixelError) in
        try pool.with { work throws(PixelError) in
          try addCells(rebuilt, band, mask, work, saturated: saturated, add)
        }
      }
    }
    guided = try GuidedHighlights(
      cfa, width: size.width, clip: clip, clipRows: clipRows, estimate: estimate)
  }

  private struct Scan: Sendable {
    var minimum = Float.infinity
    var clipped = SIMD4<Int>()
  }

  private func channelTotals() -> SIMD4<Int> {
    var total = SIMD4<Int>()
    for y in 0..<neighbors.height {
      for x in 0..<neighbors.width {
        let columns = (size.width - x + neighbors.width - 1) / neighbors.width
        let rows = (size.height - y + neighbors.height - 1) / neighbors.height
        total[neighbors.channel(x: x, y: y)] += columns * rows
      }
    }
    return total
  }

  /// Channels of the pattern's columns in row `y`.
  private func channels(ofRow y: Int) -> [Int] {
    (0..<neighbors.width).map { neighbors.channel(x: $0, y: y) }
  }

  private func photosites(band: Int) -> PixelRect {
    let y = band * Self.bandCells * Self.cell
    return PixelRect(
      x: 0, y: y, width: size.width, height: min(Self.bandCells * Self.cell, size.height - y))
  }

  /// Reads `band`: where ranges of stored samples are available, only blocks in which something may
  /// be found.
  private func scan(
    _ mosaic: BalancedMosaic, _ band: Int, _ mask: SaturationMask, _ extrema: BlockExtrema,
    _ work: SensorWorkspace
  ) throws(PixelError) -> Scan {
    let rect = photosites(band: band)
    var result = Scan()
    let isTwoByTwo = neighbors.width == 2 && neighbors.height == 2
    guard isTwoByTwo, mosaic.levels.hasSiteRanges else {
      try scan(rect, of: mosaic, mask, filling: extrema, work, &result)
      return result
    }
    for block in 0..<extrema.count.width {
      let x = block * BlockExtrema.blockWidth
      let part = PixelRect(
        x: x, y: rect.y, width: min(BlockExtrema.blockWidth, size.width - x), height: rect.height)
      var isUsual = true
      for (site, range) in mosaic.levels.siteRanges(in: part).enumerated() {
        let channel = neighbors.channel(x: site & 1, y: site >> 1)
        extrema.add(range.low, range.high, channel: channel, x: block, y: band)
        if range.low < result.minimum || range.high >= clip[channel] { isUsual = false }
      }
      if !isUsual { try scan(part, of: mosaic, mask, filling: nil, work, &result) }
    }
    return result
  }

  private func scan(
    _ rect: PixelRect, of mosaic: BalancedMosaic, _ mask: SaturationMask,
    filling extrema: BlockExtrema?, _ work: SensorWorkspace, _ result: inout Scan
  ) throws(PixelError) {
    let plane = try mosaic.loadStored(rect, work)
    let search = mosaic.defects
    for y in rect.y..<rect.endY {
      let channels = channels(ofRow: y)
      var clipped = [Int](repeating: 0, count: channels.count)
      let row = plane.row(y).from(-plane.rect.x)
      let clips = mosaic.clipRows.row(x: 0, y: y)
      let marks = mask.row(y / Self.cell)
      extrema?.add(row, y: y)
      var next = Int64(rect.x)
      while true {
        ck_nextUnusual(
          row.start, clips.start, result.minimum, next, Int64(rect.endX), &next)
        let x = Int(next)
        guard x < rect.endX else { break }
        let count = min(8, rect.endX - x)
        let defects = search?.defects(plane, x, y, count: count) ?? 0
        var column = x % channels.count
        for i in x..<x + count {
          if defects & (1 << UInt8(i - x)) == 0 {
            result.minimum = min(result.minimum, row[i])
            if row[i] >= clips[i] {
              clipped[column] &+= 1
              marks[i / Self.cell] |= 1 << UInt8(channels[column])
            }
          }
          column = column + 1 < channels.count ? column + 1 : 0
        }
        next += 8
      }
      for (channel, count) in zip(channels, clipped) { result.clipped[channel] &+= count }
    }
  }

  /// Calls `add` for the cells of the mask in `band` at or beside saturated ones, whose own number
  /// of saturated channels is in `saturated`.
  private func addCells(
    _ mosaic: BalancedMosaic, _ band: Int, _ mask: SaturationMask, _ work: SensorWorkspace,
    saturated: ClosedRange<Int>, _ add: HighlightEstimate.Adding
  ) throws(PixelError) {
    let isWanted: (UInt8, UInt8) -> Bool = { grown, marks in
      grown != 0 && saturated.contains(marks.nonzeroBitCount)
    }
    try forEachRow(mosaic, band, mask, work, isWanted: isWanted) { plane, top, columns, marks in
      guard top % Self.cell == 0 else { return }
      let marked = mask.row(top / Self.cell)
      let rows = top..<min(top + Self.cell, size.height)
      let channels = rows.map { self.channels(ofRow: $0) }
      for cell in columns where isWanted(marks[cell], marked[cell]) {
        let photosites = cell * Self.cell..<min((cell + 1) * Self.cell, size.width)
        guard rows.contains(where: { isBright(plane, photosites, $0) }) else { continue }
        var sums = HighlightCells.Sums()
        for y in rows {
          let row = plane.row(y).from(-plane.rect.x)
          var column = photosites.lowerBound % neighbors.width
          for x in photosites {
            let channel = channels[y - top][column]
            sums.values[channel] += row[x]
            sums.count[channel] += 1
            column = column + 1 < neighbors.width ? column + 1 : 0
          }
        }
        add(sums, marked[cell].nonzeroBitCount, photosites.lowerBound, top)
      }
    }
  }

  /// Whether `columns` of row `y` may have a weight: the means of a cell are below its maxima.
  private func isBright(_ plane: TilePlane, _ columns: Range<Int>, _ y: Int) -> Bool {
    let (row, clips) = (plane.row(y).from(-plane.rect.x), clipRows.row(x: 0, y: y))
    for x in columns where row[x] > HighlightCells.nearSaturation * clips[x] { return true }
    return false
  }

  /// Calls `body` for each row of photosites in `band` with cells that are requested by their marks
  /// in the grown mask and in `mask`, block by block, with the repaired mosaic in these cells, the
  /// cells of the mask between the first and the last of them, and their grown marks.
  private func forEachRow(
    _ mosaic: BalancedMosaic, _ band: Int, _ mask: SaturationMask, _ work: SensorWorkspace,
    isWanted: (_ grown: UInt8, _ marks: UInt8) -> Bool,
    _ body: (
      _ plane: TilePlane, _ y: Int, _ cells: Range<Int>, _ marks: UnsafeMutablePointer<UInt8>
    ) -> Void
  ) throws(PixelError) {
    let rect = photosites(band: band)
    let cellRows = rect.y / Self.cell..<(rect.endY + Self.cell - 1) / Self.cell
    let near = cellRows.lowerBound - Self.radius..<cellRows.upperBound + Self.radius
    guard mask.isAnyMarked(0..<cells.width, rows: near) else { return }
    let grown = try SaturationMask(PixelSize(width: cells.width, height: cellRows.count))
    for cellRow in cellRows { mask.dilate(cellRow, into: grown.row(cellRow - cellRows.lowerBound)) }
    for left in stride(from: 0, to: cells.width, by: Self.blockCells) {
      let columns = left..<min(left + Self.blockCells, cells.width)
      guard grown.isAnyMarked(columns, rows: 0..<cellRows.count) else { continue }
      // The bounding box of the requested cells.
      var (across, down) = (0..<0, 0..<0)
      for line in 0..<cellRows.count {
        let (grown, marks) = (grown.row(line), mask.row(cellRows.lowerBound + line))
        guard let first = columns.first(where: { isWanted(grown[$0], marks[$0]) }),
          let last = columns.last(where: { isWanted(grown[$0], marks[$0]) })
        else { continue }
        across =
          across.isEmpty
          ? first..<last + 1 : min(across.lowerBound, first)..<max(across.upperBound, last + 1)
        down = (down.isEmpty ? line : down.lowerBound)..<line + 1
      }
      guard !down.isEmpty else { continue }
      let (x, top) = (across.lowerBound * Self.cell, rect.y + down.lowerBound * Self.cell)
      let block = PixelRect(
        x: x, y: top, width: min(across.upperBound * Self.cell, size.width) - x,
        height: min(rect.y + down.upperBound * Self.cell, size.height) - top)
      let plane = try mosaic.load(block, work)
      for y in block.y..<block.endY {
        body(plane, y, across, grown.row(y / Self.cell - cellRows.lowerBound))
      }
    }
  }
}

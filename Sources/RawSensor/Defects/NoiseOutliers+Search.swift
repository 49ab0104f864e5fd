import ImageCore
import RawData

/// A photosite and its new value; after the exchange its original value.
struct DefectRepair {
  let x: Int
  let y: Int
  var value: Float
}

/// Searches a mosaic for defects, eight photosites at a time where the pattern allows it.
extension NoiseOutliers {
  /// The reach of a search within `ring` of photosites in dense patterns, and whether the pattern
  /// is 2 × 2.
  static func extent(_ cfa: CFA, ring: Int) -> (reach: Int, isTwoByTwo: Bool) {
    let isSmall = cfa.width <= 2 && cfa.height <= 2
    let isDense = cfa.channelCount == 1 || isSmall
    return (isDense ? ring : FilterNeighbors.widest, isSmall && cfa.channelCount > 1)
  }

  /// Runs a search kernel. Returns the first column of the eight photosites found, and by how much
  /// each exceeds its limit; nil if nothing is found before `end`.
  static func found(
    before end: Int, by kernel: (UnsafeMutablePointer<Float>?, inout Int64) -> Void
  ) -> (Int, SIMD8<Float>)? {
    var over = SIMD8<Float>()
    var found: Int64 = 0
    withUnsafeMutableBytes(of: &over) {
      kernel($0.assumingMemoryBound(to: Float.self).baseAddress, &found)
    }
    return found < end ? (Int(found), over) : nil
  }

  /// Repairs `tile` within `rect`, which must be ``reach`` inside it, from row `first` on.
  /// `repairs`: in, the repairs in earlier rows of the tile; out, those in the new rows too.
  func repair(
    _ tile: TilePlane, within rect: PixelRect, from first: Int, repairs: inout [DefectRepair]
  ) {
    repairs.removeAll { $0.y < first - reach }
    // The search reads the unrepaired mosaic.
    exchange(&repairs, in: tile)
    for y in first..<rect.endY { search(tile, y, rect, &repairs) }
    exchange(&repairs, in: tile)
  }

  private func exchange(_ repairs: inout [DefectRepair], in tile: TilePlane) {
    for i in repairs.indices {
      let site = tile.row(repairs[i].y).from(repairs[i].x - tile.rect.x)
      (site[0], repairs[i].value) = (repairs[i].value, site[0])
    }
  }

  /// Appends the repairs of row `y` of `rect`; `tile` must hold ``reach`` around it.
  private func search(
    _ tile: TilePlane, _ y: Int, _ rect: PixelRect, _ repairs: inout [DefectRepair]
  ) {
    let (start, end) = (rect.x - tile.rect.x, rect.endX - tile.rect.x)
    func examine(_ i: Int) {
      let x = i + tile.rect.x
      if let value = repairedValue(tile, x, y) {
        repairs.append(DefectRepair(x: x, y: y, value: value))
      }
    }
    guard testsEight else {
      let period = cfa.width
      // With fewer than four neighbors the photosite itself, which is never a suspect.
      let near = (0..<period).map { fourNearest(tile, rect.x + $0, y) ?? SIMD4() }
      var i = start
      while i < end {
        i = nextSuspect(
          tile, y, near: near, column: (i - start) % period, from: i, to: end)
        if i < end { examine(i) }
        i += 1
      }
      return
    }
    var i = start
    while let (found, over) = nextSuspects(tile, y, from: i, to: end) {
      for lane in 0..<min(8, end - found) where over[lane] > 0 { examine(found + lane) }
      i = found + 8
    }
  }

  /// The first photosite in the columns `start`..<`end` of row `y` of `tile` that passes the first
  /// test; `end` if none does. `near`: four neighbors for each column of the pattern; `column`:
  /// pattern column of `start`.
  private func nextSuspect(
    _ tile: TilePlane, _ y: Int, near: [SIMD4<Int>], column: Int, from start: Int, to end: Int
  ) -> Int {
    let (row, period) = (tile.row(y), near.count)
    var column = column
    for i in start..<end {
      if isSuspect(row.from(i), near[column], cfa.channel(at: tile.rect.x + i, y)) { return i }
      column = column + 1 == period ? 0 : column + 1
    }
    return end
  }

  /// Which of the eight photosites from column `x` on are defects, one bit each; `tile` must hold
  /// ``reach`` around them.
  func defects(_ tile: TilePlane, _ x: Int, _ y: Int, count: Int) -> UInt8 {
    let i = x - tile.rect.x
    var found: UInt8 = 0
    func examine(_ lane: Int) {
      if repairedValue(tile, x + lane, y) != nil { found |= 1 << UInt8(lane) }
    }
    if testsEight {
      guard let (_, over) = nextSuspects(tile, y, from: i, to: i + 1) else { return 0 }
      for lane in 0..<count where over[lane] > 0 { examine(lane) }
    } else {
      for lane in 0..<count {
        guard let near = fourNearest(tile, x + lane, y),
          isSuspect(tile.row(y).from(i + lane), near, cfa.channel(at: x + lane, y))
        else { continue }
        examine(lane)
      }
    }
    return found
  }

  /// Offsets in the memory of `tile` from (`x`, `y`) to the four nearest photosites of the same
  /// filter; nil if there are fewer.
  private func fourNearest(_ tile: TilePlane, _ x: Int, _ y: Int) -> SIMD4<Int>? {
    let same = neighbors.same(x: x, y: y)
    guard same.count >= 4 else { return nil }
    var offsets = SIMD4<Int>()
    for k in 0..<4 { offsets[k] = same[k].dy * tile.stride + same[k].dx }
    return offsets
  }
}

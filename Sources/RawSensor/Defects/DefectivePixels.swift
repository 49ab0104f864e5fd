import CKernels
import ImageCore
import RawDecode

/// Repairs single photosites that are stuck high or low.
///
/// Source: the median of the neighborhood, as in every raw developer; the tests against stars are
/// own. A photosite is a defect when, in balanced linear values,
/// 1. it is outside the range of all its neighbors of the same filter (5 × 5, or 13 × 13 where that
///   holds fewer than eight) by more than `spreads` times that range plus `floor`. The range of
///   eight samples is about 2.8 standard deviations of the noise, so this is beyond ten of them,
///   and texture has a large range of its own;
/// 2. its eight direct neighbors show no such excess: optics cannot light one photosite alone, at
///   least `leak` of a star's or a glint's excess falls on a neighbor;
/// 3. the other colors vary around it by less than half its excess: fine lines can meet the coarse
///   sampling of one color of an X-Trans mosaic at a single photosite.
/// It then becomes the median of the eight nearest of the same filter. All tests read the
/// unrepaired mosaic. Known limits: two defects side by side stay; so do those below `floor`.
struct DefectivePixels: DefectSearch {
  /// Columns and rows that are read around each photosite.
  let reach: Int
  /// Reach of the second test.
  private static let ring = 3
  /// Neighbors of the same filter whose median is the new value.
  private static let medianCount = 8
  /// In ranges of the neighbors.
  static let spreads: Float = 4
  /// Half a percent of saturation.
  static let floor: Float = 0.005
  /// A point source of 1.2 photosites FWHM gives its neighbors 15 %, of which a narrow-band light
  /// leaves a third behind a filter of another color.
  static let leak: Float = 0.05
  /// Excess over the spread of the other colors.
  static let texture: Float = 2

  let cfa: CFA
  let neighbors: FilterNeighbors
  let looksAtEight: Bool

  init(_ cfa: CFA) throws(PixelError) {
    self.cfa = cfa
    neighbors = try FilterNeighbors(cfa)
    (reach, looksAtEight) = Self.extent(cfa, ring: Self.ring)
  }

  func nextSuspects(
    _ tile: TilePlane, _ y: Int, from start: Int, to end: Int
  ) -> (Int, SIMD8<Float>)? {
    Self.found(before: end) { over, found in
      ck_nextSuspects(
        ck_defectLimits(spreads: Self.spreads, floor: Self.floor), tile.row(y).start,
        tile.row(y - 2).start, tile.row(y + 2).start, Int64(start), Int64(end),
        over, &found)
    }
  }

  @inline(__always)
  func isSuspect(_ site: MutableRowView, _ near: SIMD4<Int>, _ channel: Int) -> Bool {
    let (a, b) = (site[near[0]], site[near[1]])
    let (c, d) = (site[near[2]], site[near[3]])
    let (high, low) = (max(max(a, b), max(c, d)), min(min(a, b), min(c, d)))
    return max(site[0] - high, low - site[0]) > (high - low) * Self.spreads + Self.floor
  }

  func repairedValue(_ tile: TilePlane, _ x: Int, _ y: Int) -> Float? {
    let value = tile.row(y)[x - tile.rect.x]
    var same = neighbors.same(x: x, y: y).map {
      tile.row(y + $0.dy)[x + $0.dx - tile.rect.x]
    }
    var nearest = Array(same.prefix(Self.medianCount))
    guard same.count >= 4 else { return nil }
    same.sort()
    let (low, high) = (same[0], same[same.count - 1])
    let limit = (high - low) * Self.spreads + Self.floor
    let isHot = value - high > limit
    guard isHot || low - value > limit else { return nil }
    let excess = isHot ? value - high : low - value
    for dy in -1...1 {
      for dx in -1...1 where dx != 0 || dy != 0 {
        let (leaked, spread) = leakage(tile, x, y, dx, dy, isHot: isHot)
        if leaked > Self.leak * excess || spread * Self.texture > excess { return nil }
      }
    }
    nearest.sort()
    return Self.median(nearest)
  }

  /// The excess of the neighbor at (`dx`, `dy`) over the photosites of its filter that surround it
  /// at a distance, in the direction of the suspect, less half their range for noise; and that
  /// range.
  private func leakage(
    _ tile: TilePlane, _ x: Int, _ y: Int, _ dx: Int, _ dy: Int, isHot: Bool
  ) -> (leaked: Float, spread: Float) {
    let channel = cfa.channel(at: x + dx, y + dy)
    var low = Float.infinity
    var high = -Float.infinity
    for ry in -Self.ring...Self.ring {
      for rx in -Self.ring...Self.ring
      where max(abs(rx), abs(ry)) > 1 && cfa.channel(at: x + rx, y + ry) == channel {
        let v = tile.row(y + ry)[x + rx - tile.rect.x]
        low = min(low, v)
        high = max(high, v)
      }
    }
    guard low <= high else { return (0, 0) }
    let v = tile.row(y + dy)[x + dx - tile.rect.x]
    let spread = high - low
    return ((isHot ? v - high : low - v) - spread / 2, spread)
  }
}

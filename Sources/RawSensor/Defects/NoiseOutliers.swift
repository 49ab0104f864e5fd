import CKernels
import ImageCore
import RawData

/// Repairs defective photosites, hot or dead, also in pairs: outliers that neither noise nor optics
/// explain.
///
/// Source: own; the threshold in standard deviations of the file's own noise as in every
/// calibration of astronomical frames, the test against stars as in cosmic-ray rejection by
/// sharpness (van Dokkum, "Cosmic-ray rejection by Laplacian edge detection", 2001). In balanced
/// linear values, σ² = shot · x + read at the median x of the eight nearest photosites of the same
/// filter, a photosite is a defect when
/// 1. it is outside of the second largest and second smallest of its neighbors of the same filter
///   (5 × 5, or 13 × 13 where that holds fewer than eight) by more than `deviations` · σ plus
///   `spreads` times the excess of their distance over noise, which spares texture. The largest and
///   smallest are excluded because one of them may be a defect too;
/// 2. its eight direct neighbors do not show its excess: their own excess over surrounding
///   photosites of their filter (the median within `ring`, outside of the eight), weighted by
///   `corner` in the corners and summed without the largest, is below `leak` of its excess and
///   `leakDeviations` standard deviations of the sum, and below `maxLeak` of it in any case. Of a
///   star of 1.5 photosites FWHM a neighbor gets 29 %, so the sum is 0.67 to 0.9 of the excess;
///   without the largest because defects come in pairs;
/// 3. the other colors around vary, beyond noise, by less than half its excess;
/// 4. none of the eight neighbors is saturated, because they could not show an excess.
/// It then becomes that median. All tests read the unrepaired mosaic. Measured on even fields and
/// star fields of all patterns: at least 96 % of defects of 10 σ are found, 99 % of 30 σ; fewer
/// than 0.5 % of stars above 5 σ of 1.5 photosites FWHM lose half their flux, larger ones never.
/// Known limits: groups of three or more and defects below about 7 σ are not repaired; stars of one
/// pure color below 10 σ may be removed.
struct NoiseOutliers: Sendable {
  /// Columns and rows that are read around each photosite.
  let reach: Int
  private static let ring = 3
  private static let nearest = 8
  static let deviations: Float = 6
  static let spreads: Float = 4
  /// Largest distance of the second largest and smallest that noise explains, in σ.
  private static let noise: Float = 4.5
  static let leak: Float = 0.08
  private static let leakDeviations: Float = 1.1
  private static let maxLeak: Float = 0.27
  private static let corner: Float = 0.3
  /// Excess over the variation of the other colors.
  private static let texture: Float = 2
  /// Inner range of the ring that noise explains, in σ.
  private static let ringNoise: Float = 3.5

  let cfa: CFA
  let neighbors: FilterNeighbors
  private let isTwoByTwo: Bool
  private let pattern: NeighborPattern?
  /// Whether eight photosites are tested at a time.
  var testsEight: Bool { isTwoByTwo || pattern != nil }
  private let shot: SIMD4<Float>
  private let read: SIMD4<Float>
  private let clip: SIMD4<Float>
  private let shotRows: ChannelRows
  private let readRows: ChannelRows

  private static let limits = ck_outlierLimits(
    deviations: deviations, spreads: spreads, noise: noise)

  /// For a sensor of `width` columns. `noise`: variance of each channel per balanced value and at
  /// black; `clip`: balanced value from which each is saturated.
  init(
    _ cfa: CFA, _ noise: (shot: SIMD4<Float>, read: SIMD4<Float>), clip: SIMD4<Float>, width: Int
  ) throws(PixelError) {
    self.cfa = cfa
    (shot, read) = noise
    self.clip = clip
    neighbors = FilterNeighbors(cfa)
    (reach, isTwoByTwo) = Self.extent(cfa, ring: Self.ring)
    pattern = isTwoByTwo ? nil : NeighborPattern(cfa, neighbors)
    shotRows = try ChannelRows(cfa, width: width, values: shot)
    readRows = try ChannelRows(cfa, width: width, values: read)
  }

  /// The first eight photosites in the columns `start`..<`end` of row `y` of `tile`, in steps of
  /// eight, one of which passes the first test with its nearest neighbors of the same filter, and
  /// by how much each exceeds its limit; nil if none does.
  func nextSuspects(
    _ tile: TilePlane, _ y: Int, from start: Int, to end: Int
  ) -> (Int, SIMD8<Float>)? {
    Self.found(before: end) { over, found in
      let shot = shotRows.row(x: tile.rect.x, y: y).start
      let read = readRows.row(x: tile.rect.x, y: y).start
      guard let pattern else {
        func row(_ y: Int) -> UnsafeMutablePointer<Float> {
          tile.row(y).kernel(end, before: ck_nextOutliers_before, behind: ck_nextOutliers_behind)
        }
        return ck_nextOutliers(
          Self.limits, shot, read, row(y), row(y - 2), row(y + 2), Int64(start), Int64(end), over,
          &found)
      }
      pattern.withRow(y, tile.rect.x + start) { pattern, column in
        ck_nextPatternOutliers(
          Self.limits, shot, read, tile.row(y).start, pattern, Int64(tile.stride), column,
          Int64(start), Int64(end), over, &found)
      }
    }
  }

  /// The same test of one photosite of `channel`, `near`: offsets of its four neighbors.
  @inline(__always)
  func isSuspect(_ site: MutableRowView, _ near: SIMD4<Int>, _ channel: Int) -> Bool {
    let (a, b) = (site[near[0]], site[near[1]])
    let (c, d) = (site[near[2]], site[near[3]])
    let (left, right) = (min(max(a, b), max(c, d)), max(min(a, b), min(c, d)))
    let (low, high) = (min(left, right), max(left, right))
    let outside = max(site[0] - high, low - site[0])
    guard outside > 0 else { return false }
    return outside > limit(high, low, at: (high + low) / 2, channel)
  }

  /// How far outside of `low`…`high` a photosite must be.
  private func limit(_ high: Float, _ low: Float, at level: Float, _ channel: Int) -> Float {
    let deviation = deviation(level, channel)
    return Self.deviations * deviation
      + Self.spreads * max(high - low - Self.noise * deviation, 0)
  }

  private func variance(_ level: Float, _ channel: Int) -> Float {
    shot[channel] * max(level, 0) + read[channel]
  }
  private func deviation(_ level: Float, _ channel: Int) -> Float {
    variance(level, channel).squareRoot()
  }

  /// All tests in full, for the few suspects: the new value of a defect, nil for others.
  func repairedValue(_ tile: TilePlane, _ x: Int, _ y: Int) -> Float? {
    func value(_ dx: Int, _ dy: Int) -> Float { tile.row(y + dy)[x + dx - tile.rect.x] }
    let same = neighbors.same(x: x, y: y)
    guard same.count >= 4 else { return nil }
    let own = value(0, 0)
    // Most suspects fail with all neighbors: two are not below the photosite and two not above.
    var (notBelow, notAbove) = (0, 0)
    var (highest, high) = (-Float.infinity, -Float.infinity)
    var (low, lowest) = (Float.infinity, Float.infinity)
    for site in same {
      let beside = value(site.dx, site.dy)
      if beside >= own { notBelow += 1 }
      if beside <= own { notAbove += 1 }
      if notBelow > 1 && notAbove > 1 { return nil }
      (high, highest) = (max(high, min(highest, beside)), max(highest, beside))
      (low, lowest) = (min(low, max(lowest, beside)), min(lowest, beside))
    }
    let median = median(
      ofSorted: same.prefix(Self.nearest).map { value($0.dx, $0.dy) }.sorted())
    let isHot = own > median
    let outside = isHot ? own - high : low - own
    guard outside > limit(high, low, at: median, cfa.channel(at: x, y)) else { return nil }
    let excess = abs(own - median)
    let sign: Float = isHot ? 1 : -1
    let rings = rings(tile, x, y)
    var (sum, largest, noise): (Float, Float, Float) = (0, -.infinity, 0)
    for dy in -1...1 {
      for dx in -1...1 where dx != 0 || dy != 0 {
        let (channel, beside) = (cfa.channel(at: x + dx, y + dy), value(dx, dy))
        guard rings.counts[channel] > 0 else { continue }
        let (level, spread) = (rings.levels[channel], rings.spreads[channel])
        if beside >= clip[channel] || spread * Self.texture >= excess { return nil }
        let weight = dx == 0 || dy == 0 ? 1 : Self.corner
        let leaked = weight * sign * (beside - level)
        sum += leaked
        largest = max(largest, leaked)
        noise += weight * weight * variance(level, channel)
      }
    }
    guard largest.isFinite else { return nil }
    let allowed = Self.leak * excess + Self.leakDeviations * noise.squareRoot()
    return sum - largest < min(allowed, Self.maxLeak * excess) ? median : nil
  }

  /// Count, median and spread beyond noise of each channel in the ring around the 3 × 3 of the
  /// suspect. Allocates nothing, because a file can make every photosite a suspect.
  private func rings(
    _ tile: TilePlane, _ x: Int, _ y: Int
  ) -> (counts: SIMD4<Int>, levels: SIMD4<Float>, spreads: SIMD4<Float>) {
    let side = 2 * Self.ring + 1
    var (counts, levels, spreads) = (SIMD4<Int>(), SIMD4<Float>(), SIMD4<Float>())
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 4 * side * side) { memory in
      for dy in -Self.ring...Self.ring {
        let (row, sites) = (tile.row(y + dy).from(x - tile.rect.x), floorModulo(y + dy, cfa.height))
        var column = floorModulo(x - Self.ring, cfa.width)
        for dx in -Self.ring...Self.ring {
          let channel = Int(cfa.channels[sites * cfa.width + column])
          column = column + 1 == cfa.width ? 0 : column + 1
          guard max(abs(dx), abs(dy)) > 1 else { continue }
          // Insertion sort.
          var slot = channel * side * side + counts[channel]
          while slot > channel * side * side, memory[slot - 1] > row[dx] {
            memory[slot] = memory[slot - 1]
            slot -= 1
          }
          memory[slot] = row[dx]
          counts[channel] += 1
        }
      }
      for channel in 0..<4 where counts[channel] > 0 {
        let (first, count) = (channel * side * side, counts[channel])
        let values = UnsafeMutableBufferPointer(rebasing: memory[first..<first + count])
        levels[channel] = median(ofSorted: values)
        let left = min(max(1, count / 8), (count - 1) / 2)
        let range = values[count - 1 - left] - values[left]
        spreads[channel] = max(range - Self.ringNoise * deviation(levels[channel], channel), 0)
      }
    }
    return (counts, levels, spreads)
  }
}

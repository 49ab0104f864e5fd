import CVector
import ImageCore
import RawDecode

/// Where each channel of a mosaic really saturates, as a share of its nominal saturation.
///
/// Source: own; the histogram test follows the "white level" search that raw analyzers have had
/// since dcraw (2000s): saturated photosites pile up in one place with nothing above. Some sensors
/// stop below the white level that the file states, and lossy coding spreads the pile (GoPro: 0.95
/// ± 0.007). A pile is the highest of 256 bins between `lowest` and `highest`, at least 8 times the
/// median of the bins 5 to 16 below it, its edges where the counts fall to a sixteenth of the peak
/// or 3 times that median; below, at least 4 standard deviations of its upper half, where no light
/// is mixed in. It must hold 0.05 % of the channel's photosites, and ten times as many as there are
/// above. A bright smooth wall makes such a pile too. What tells them apart: where a channel is
/// saturated it stays while the others vary, on the wall none does. So a pile counts when the other
/// channel beside its photosites varies by more than `leastSpread`, or when another channel piles
/// up at the same level. A channel without one takes the level of another unless it has values
/// above. All others saturate at `nominalShare` of the white level. Units: light, 1.0 = nominal
/// saturation. Every n-th row is read; sums run in a fixed order. Known failures: a flat bright
/// surface on which one color alone varies (cyan print on paper) is taken for saturation; a picture
/// saturated in green everywhere, other colors even, is not.
struct SaturationLevel: Sendable {
  /// Noise and unevenness of the white level.
  static let nominalShare: Float = 0.987
  /// Floating point data with light above this are no record of a single exposure.
  static let highDynamicRange: Float = 1.001

  /// From where a photosite counts as saturated; infinite where nothing does.
  private(set) var share = SIMD4<Float>(repeating: nominalShare)
  /// Light that a saturated photosite shows.
  private(set) var level = SIMD4<Float>(repeating: 1)

  /// What a neutral may reach before its first channel saturates, for gains of `balance`.
  func neutralEnd(balance: SIMD4<Float>, channels: Set<UInt8>) -> Float {
    let found = channels.map { c in
      (level[Int(c)] < 1 ? share[Int(c)] : 1) * balance[Int(c)]
    }
    return found.min() ?? 1
  }

  /// Three samples a pixel: the nominal level, or none.
  init(
    linear levels: LinearLevels, balance: SIMD4<Float>, _ pool: SensorWorkspacePool, workers: Int
  ) {
    let filters = (0..<3).map { CFA(width: 1, height: 1, channels: [$0]) }
    guard levels.isFloat, Self.isHighDynamicRange(levels, filters, balance, pool, workers) else {
      return
    }
    share = SIMD4(repeating: .infinity)
  }

  /// A mosaic: what its histogram shows, the nominal level, or none.
  init(
    _ levels: LinearLevels, _ cfa: CFA, balance: SIMD4<Float>, _ pool: SensorWorkspacePool,
    workers: Int
  ) {
    if levels.isFloat, Self.isHighDynamicRange(levels, [cfa], balance, pool, workers) {
      share = SIMD4(repeating: .infinity)
    } else {
      pool.with { find(SampledRows(levels, cfa, balance), $0) }
    }
  }

  /// Whether any sample is above what a single exposure records. `filters`: one for each sample of
  /// a pixel.
  private static func isHighDynamicRange(
    _ levels: LinearLevels, _ filters: [CFA], _ balance: SIMD4<Float>,
    _ pool: SensorWorkspacePool, _ workers: Int
  ) -> Bool {
    let bandHeight = 64
    let size = levels.size
    let limits = filters.map {
      ChannelRows($0, width: size.width, values: balance * highDynamicRange)
    }
    let bands = (size.height + bandHeight - 1) / bandHeight
    let found = Parallel.map(count: bands, workers: workers) { band in
      pool.with { work in
        let top = band * bandHeight
        let rect = PixelRect(
          x: 0, y: top, width: size.width, height: min(bandHeight, size.height - top))
        return limits.indices.contains { sample in
          work.planes[0].place(rect)
          levels.load(work.planes[0], sample: sample)
          return HighlightReconstruction.isAnySaturated(work.planes[0], rect, limits[sample])
        }
      }
    }
    return found.contains(true)
  }

  private static let leastSpread = 0.04
  /// Bins that two piles at the same level may be apart.
  private static let sameLevel = 2
  /// Share of photosites above another channel's pile that prove a higher level.
  private static let leastAbove = 1e-4

  private mutating func find(_ rows: SampledRows, _ work: SensorWorkspace) {
    let histograms = rows.histograms(work.planes[0])
    let piles = histograms.map { SaturationPeak($0) }
    guard piles.contains(where: { $0 != nil }) else { return }
    let members = rows.members(of: piles, work.planes[0])
    let confirmed = piles.indices.filter { c in
      guard let pile = piles[c] else { return false }
      return members[c].othersSpread >= max(Self.leastSpread, 4 * members[c].ownSpread)
        || piles.indices.contains { other in
          guard other != c, let second = piles[other] else { return false }
          return abs(second.peak - pile.peak) <= Self.sameLevel
        }
    }
    func upper(_ c: Int) -> Int { piles[c]?.bins.upperBound ?? 0 }
    guard let model = confirmed.max(by: { (upper($0), $0) < (upper($1), $1) }) else { return }
    for c in 0..<4 {
      let above = histograms[c].counts[upper(model)...].reduce(0, +)
      let source: Int
      if confirmed.contains(c) {
        source = c
      } else if Double(above) < Self.leastAbove * Double(max(histograms[c].total, 1)) {
        source = model
      } else {
        continue
      }
      guard let pile = piles[source] else { continue }
      share[c] = Float(pile.bins.lowerBound) / Float(SaturationPeak.binsPerUnit)
      level[c] = Float(members[source].mean)
    }
  }
}

/// A narrow heap at the upper end of a histogram.
struct SaturationPeak: Sendable {
  static let binsPerUnit = 256
  /// Bins up to light of 1.125.
  static let binCount = 288
  /// Light below this is not counted.
  static let leastCounted: Float = 0.75

  /// Counts of one channel in steps of 1/256 of its nominal saturation.
  struct Histogram: Sendable {
    var counts = [Int](repeating: 0, count: SaturationPeak.binCount)
    /// Photosites, those below ``leastCounted`` too.
    var total = 0
  }

  /// Bin of the highest count.
  let peak: Int
  let bins: Range<Int>

  /// Where piles are looked for; above, the nominal level will do.
  private static let searched = 218..<251
  private static let leastShare = 0.0005
  private static let deviations = 4.0
  /// Bins from peak to lower edge where the pile's width alone says so.
  private static let farthest = 16

  /// Nil when `histogram` has none.
  init?(_ histogram: Histogram) {
    let counts = histogram.counts
    guard let peak = Self.searched.max(by: { (counts[$0], $1) < (counts[$1], $0) }) else {
      return nil
    }
    let median = counts[peak - 16...peak - 5].sorted()[6]
    guard counts[peak] > 0, counts[peak] >= 8 * median else { return nil }
    let edge = max(3 * median, counts[peak] / 16)
    var (low, high) = (peak, peak)
    while low > 0, counts[low - 1] > edge { low -= 1 }
    while high < counts.count - 1, counts[high + 1] > edge { high += 1 }
    let held = counts[low...high].reduce(0, +)
    let above = counts[(high + 1)...].reduce(0, +)
    guard Double(held) >= Self.leastShare * Double(histogram.total), above * 10 < held else {
      return nil
    }
    var (count, squares) = (Double(counts[peak]) / 2, 0.0)
    for bin in peak + 1..<counts.count {
      count += Double(counts[bin])
      squares += Double(counts[bin] * (bin - peak) * (bin - peak))
    }
    let deviation = (squares / count).squareRoot()
    let reach = min(Int((Self.deviations * deviation).rounded(.up)), Self.farthest)
    self.peak = peak
    bins = min(low, peak - reach)..<high + 1
  }
}

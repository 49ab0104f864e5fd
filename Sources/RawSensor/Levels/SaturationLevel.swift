import CVector
package import ImageCore
package import RawData

/// The level at which each channel of a mosaic really saturates, as a fraction of the nominal one.
///
/// Source: own; the histogram test follows the "white level" search that raw analyzers have had
/// since dcraw (2000s): saturated photosites form a peak with nothing above. Some sensors saturate
/// below the white level of the file, and lossy coding widens the peak (GoPro: 0.95 ± 0.007). The
/// peak is the highest of 256 bins between `lowest` and `highest`, at least 8 times the median of
/// the bins 5 to 16 below it, its edges where the counts fall to a sixteenth of the maximum or 3
/// times that median; below, at least 4 standard deviations of its upper half, which is not mixed
/// with unsaturated values. It must hold 0.05 % of the channel's photosites, and ten times as many
/// as there are above. A bright smooth wall makes such a peak too. The difference: a saturated
/// channel is constant while the others vary, on the wall none does. So a peak is accepted when the
/// other channel beside its photosites varies by more than `minSpread`, or when another channel has
/// a peak at the same level. A channel without one takes the level of another unless it has values
/// above. All others saturate at `nominalFraction` of the white level. Units: linear, 1.0 = nominal
/// saturation. Every n-th row is read; sums run in a fixed order. Known failures: a flat bright
/// surface on which one color alone varies (cyan print on paper) is mistaken for saturation; a
/// picture saturated in green everywhere, other colors constant, is not detected.
package struct SaturationLevel: Sendable {
  /// Noise and unevenness of the white level.
  static let nominalFraction: Float = 0.987
  /// Floating point data with values above this are not of a single exposure.
  static let highDynamicRange: Float = 1.001

  /// The value from which a photosite is saturated; infinite if none is.
  private(set) var threshold = SIMD4<Float>(repeating: nominalFraction)
  /// Mean value of saturated photosites.
  private(set) var level = SIMD4<Float>(repeating: 1)

  /// The balanced value of a neutral at which its first channel saturates.
  func neutralEnd(balance: SIMD4<Float>, channels: Set<UInt8>) -> Float {
    let found = channels.map { c in
      (level[Int(c)] < 1 ? threshold[Int(c)] : 1) * balance[Int(c)]
    }
    return found.min() ?? 1
  }

  /// Of three samples per pixel: the nominal level, or none.
  init(
    linear levels: LinearLevels, balance: SIMD4<Float>, _ pool: WorkspacePool<SensorWorkspace>,
    workers: Int
  ) throws(PixelError) {
    let filters = (0..<3).map { CFA(width: 1, height: 1, channels: [$0]) }
    guard levels.isFloat, try Self.isHighDynamicRange(levels, filters, balance, pool, workers)
    else {
      return
    }
    threshold = SIMD4(repeating: .infinity)
  }

  /// Of a mosaic: the peak of its histogram, the nominal level, or none.
  init(
    _ levels: LinearLevels, _ cfa: CFA, balance: SIMD4<Float>,
    _ pool: WorkspacePool<SensorWorkspace>, workers: Int
  ) throws(PixelError) {
    if levels.isFloat, try Self.isHighDynamicRange(levels, [cfa], balance, pool, workers) {
      threshold = SIMD4(repeating: .infinity)
    } else {
      try pool.with { work throws(PixelError) in
        try find(try SampledRows(levels, cfa, balance), work)
      }
    }
  }

  /// The linear value before white balance from which each channel of `data` is saturated; infinite
  /// if none is.
  package static func threshold(
    of data: SensorData, workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) -> SIMD4<Float> {
    let (levels, balance) = (
      try LinearLevels(data, balance: SIMD4(repeating: 1)), SIMD4<Float>(repeating: 1)
    )
    let pool = WorkspacePool { SensorWorkspace() }
    switch data.layout {
    case .mosaic(let cfa):
      return try SaturationLevel(levels, cfa, balance: balance, pool, workers: workers).threshold
    case .monochrome:
      let gray = CFA(width: 1, height: 1, channels: [0])
      return try SaturationLevel(levels, gray, balance: balance, pool, workers: workers).threshold
    case .linear:
      return try SaturationLevel(linear: levels, balance: balance, pool, workers: workers).threshold
    }
  }

  /// Whether any sample is above ``highDynamicRange``. `filters`: one for each sample of a pixel.
  private static func isHighDynamicRange(
    _ levels: LinearLevels, _ filters: [CFA], _ balance: SIMD4<Float>,
    _ pool: WorkspacePool<SensorWorkspace>, _ workers: Int
  ) throws(PixelError) -> Bool {
    let bandHeight = 64
    let size = levels.size
    let limits = try filters.map { filter throws(PixelError) in
      try ChannelRows(filter, width: size.width, values: balance * highDynamicRange)
    }
    let bands = (size.height + bandHeight - 1) / bandHeight
    let found = try Parallel.map(count: bands, workers: workers) { band throws(PixelError) in
      try pool.with { work throws(PixelError) in
        let top = band * bandHeight
        let rect = PixelRect(
          x: 0, y: top, width: size.width, height: min(bandHeight, size.height - top))
        try work.planes[0].reshape(rect)
        return limits.indices.contains { sample in
          levels.load(work.planes[0], sample: sample)
          return SaturatedSites.isAny(work.planes[0], rect, limits[sample])
        }
      }
    }
    return found.contains(true)
  }

  private static let minSpread = 0.04
  /// Largest distance of two peaks at the same level, in bins.
  private static let sameLevel = 2
  /// Fraction of photosites above another channel's peak that prove a higher level.
  private static let minAbove = 1e-4

  private mutating func find(_ rows: SampledRows, _ work: SensorWorkspace) throws(PixelError) {
    let histograms = try rows.histograms(work.planes[0])
    let peaks = histograms.map { SaturationPeak($0) }
    guard peaks.contains(where: { $0 != nil }) else { return }
    let members = try rows.members(of: peaks, work.planes[0])
    let confirmed = peaks.indices.filter { c in
      guard let peak = peaks[c] else { return false }
      return members[c].othersSpread >= max(Self.minSpread, 4 * members[c].ownSpread)
        || peaks.indices.contains { other in
          guard other != c, let second = peaks[other] else { return false }
          return abs(second.center - peak.center) <= Self.sameLevel
        }
    }
    func upper(_ c: Int) -> Int { peaks[c]?.bins.upperBound ?? 0 }
    guard let model = confirmed.max(by: { (upper($0), $0) < (upper($1), $1) }) else { return }
    for c in 0..<4 {
      let above = histograms[c].counts[upper(model)...].reduce(0, +)
      let source: Int
      if confirmed.contains(c) {
        source = c
      } else if Double(above) < Self.minAbove * Double(max(histograms[c].total, 1)) {
        source = model
      } else {
        continue
      }
      guard let peak = peaks[source] else { continue }
      threshold[c] = Float(peak.bins.lowerBound) / Float(SaturationPeak.binsPerUnit)
      level[c] = Float(members[source].mean)
    }
  }
}

/// A narrow peak at the upper end of a histogram.
struct SaturationPeak: Sendable {
  static let binsPerUnit = 256
  /// Bins up to a value of 1.125.
  static let binCount = 288
  /// Lower values are not counted.
  static let minCounted: Float = 0.75

  /// Counts of one channel in steps of 1/256 of its nominal saturation.
  struct Histogram: Sendable {
    var counts = [Int](repeating: 0, count: SaturationPeak.binCount)
    /// Photosites, including those below ``minCounted``.
    var total = 0
  }

  /// Bin of the highest count.
  let center: Int
  let bins: Range<Int>

  /// Bins that may hold a peak; above, the nominal level is used.
  private static let searched = 218..<251
  private static let minFraction = 0.0005
  private static let deviations = 4.0
  /// Largest distance, in bins, of the lower edge found by the standard deviation.
  private static let farthest = 16

  /// Nil when `histogram` has none.
  init?(_ histogram: Histogram) {
    let counts = histogram.counts
    guard let center = Self.searched.max(by: { (counts[$0], $1) < (counts[$1], $0) }) else {
      return nil
    }
    let median = counts[center - 16...center - 5].sorted()[6]
    guard counts[center] > 0, counts[center] >= 8 * median else { return nil }
    let edge = max(3 * median, counts[center] / 16)
    var (low, high) = (center, center)
    while low > 0, counts[low - 1] > edge { low -= 1 }
    while high < counts.count - 1, counts[high + 1] > edge { high += 1 }
    let held = counts[low...high].reduce(0, +)
    let above = counts[(high + 1)...].reduce(0, +)
    guard Double(held) >= Self.minFraction * Double(histogram.total), above * 10 < held else {
      return nil
    }
    var (count, squares) = (Double(counts[center]) / 2, 0.0)
    for bin in center + 1..<counts.count {
      count += Double(counts[bin])
      squares += Double(counts[bin] * (bin - center) * (bin - center))
    }
    let deviation = (squares / count).squareRoot()
    let reach = min(Int((Self.deviations * deviation).rounded(.up)), Self.farthest)
    self.center = center
    bins = min(low, center - reach)..<high + 1
  }
}

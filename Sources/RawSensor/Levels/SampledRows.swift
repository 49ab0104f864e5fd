import CVector
import ImageCore
import RawData

/// Every n-th period of rows of a mosaic, for ``SaturationLevel``: its histograms, and statistics
/// of the photosites in a peak and their neighbors. Units: linear, 1.0 = nominal saturation.
struct SampledRows {
  /// Statistics of the photosites in a peak and of the other channels to their right.
  struct Members {
    fileprivate var own = Moments()
    fileprivate var others = [Moments](repeating: Moments(), count: 4)

    var mean: Double { own.mean }
    /// Standard deviation over mean.
    var ownSpread: Double { own.spread }
    /// The largest of the other channels with at least 64 photosites.
    var othersSpread: Double {
      others.filter { $0.count >= 64 }.map(\.spread).max() ?? 0
    }
  }

  fileprivate struct Moments {
    var count = 0.0
    private var sum = 0.0
    private var squares = 0.0

    var mean: Double { count > 0 ? sum / count : 0 }
    var spread: Double {
      guard mean > 0 else { return 0 }
      return max(squares / count - mean * mean, 0).squareRoot() / mean
    }

    mutating func add(_ value: Double) {
      count += 1
      sum += value
      squares += value * value
    }
  }

  private static let periods = 256

  private let levels: LinearLevels
  private let cfa: CFA
  private let toLinear: SIMD4<Float>
  /// Balanced values from which a photosite is counted.
  private let counted: ChannelRows
  private let rows: [Int]

  init(_ levels: LinearLevels, _ cfa: CFA, _ balance: SIMD4<Float>) throws(PixelError) {
    self.levels = levels
    self.cfa = cfa
    toLinear = 1 / balance
    counted = try ChannelRows(
      cfa, width: levels.size.width, values: balance * SaturationPeak.minCounted)
    let step = max(1, levels.size.height / (Self.periods * cfa.height))
    rows = (0..<levels.size.height).filter { $0 / cfa.height % step == 0 }
  }

  func histograms(_ plane: TilePlane) throws(PixelError) -> [SaturationPeak.Histogram] {
    var result = [SaturationPeak.Histogram](repeating: SaturationPeak.Histogram(), count: 4)
    for y in rows {
      for x in 0..<cfa.width {
        let photosites = (levels.size.width - x + cfa.width - 1) / cfa.width
        result[cfa.channel(x: x, y: y)].total += photosites
      }
    }
    try forEachBright(plane) { channel, bin, _, _ in result[channel].counts[bin] += 1 }
    return result
  }

  func members(of peaks: [SaturationPeak?], _ plane: TilePlane) throws(PixelError) -> [Members] {
    var result = [Members](repeating: Members(), count: 4)
    try forEachBright(plane) { channel, bin, x, y in
      guard let peak = peaks[channel], peak.bins.contains(bin) else { return }
      let row = plane.row(y)
      result[channel].own.add(Double(row[x] * toLinear[channel]))
      for next in x + 1..<min(x + cfa.width, levels.size.width) {
        let other = cfa.channel(x: next, y: y)
        guard other != channel else { continue }
        result[channel].others[other].add(Double(row[next] * toLinear[other]))
        break
      }
    }
    return result
  }

  /// Calls `body(channel, bin, x, y)` for the photosites that are counted.
  private func forEachBright(_ plane: TilePlane, _ body: (Int, Int, Int, Int) -> Void)
    throws(PixelError)
  {
    let width = levels.size.width
    for y in rows {
      try plane.reshape(PixelRect(x: 0, y: y, width: width, height: 1))
      levels.load(plane)
      let row = plane.row(y)
      let limits = counted.row(x: 0, y: y)
      for x in vectors(width) {
        if cv_anyPositive8(row.lanes(x) - limits.lanes(x)) {
          for i in x..<min(x + 8, width) where row[i] > limits[i] {
            let channel = cfa.channel(x: i, y: y)
            let value = row[i] * toLinear[channel]
            let bin = Int(min(value * Float(SaturationPeak.binsPerUnit), 1024))
            body(channel, min(bin, SaturationPeak.binCount - 1), i, y)
          }
        }
      }
    }
  }
}

import Foundation

/// How often each gain occurs, in bins of 1/256 stop over ±32 stops; gains beyond count as the
/// outermost.
struct GainHistogram: Sendable {
  private static let binsPerStop = 256.0
  private static let mostStops = 32.0

  private var counts = [Int](repeating: 0, count: Int(2 * mostStops * binsPerStop))

  /// Counts `stops`; no-numbers count as 0.
  mutating func add(_ stops: Float) {
    let bin = (Double(stops.isNaN ? 0 : stops) + Self.mostStops) * Self.binsPerStop
    counts[Int(min(max(bin, 0), Double(counts.count - 1)))] += 1
  }

  /// The gains that remain when a `share` of all is left out at each end: whole bins, 1/256 stop
  /// wide at least. 0 to 1/256 when nothing was counted.
  func range(leaving share: Double) -> ClosedRange<Double> {
    let total = counts.reduce(0, +)
    guard total > 0 else { return 0...(1 / Self.binsPerStop) }
    let ignored = Int(Double(total) * share)
    func first(_ bins: some Sequence<Int>) -> Int {
      var passed = 0
      for bin in bins {
        passed += counts[bin]
        if passed > ignored { return bin }
      }
      return 0
    }
    let (low, high) = (first(counts.indices), first(counts.indices.reversed()))
    func stops(_ bin: Int) -> Double { Double(bin) / Self.binsPerStop - Self.mostStops }
    return stops(min(low, high))...stops(max(low, high) + 1)
  }
}

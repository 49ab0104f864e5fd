import Foundation

/// A histogram of gains in bins of 1/256 stop over ±32 stops; gains outside are counted in the
/// outermost bins.
struct GainHistogram: Sendable {
  private static let binsPerStop = 256.0
  private static let maxStops = 32.0

  private var counts = [Int](repeating: 0, count: Int(2 * maxStops * binsPerStop))

  /// Counts `stops`; NaN is treated as 0.
  mutating func add(_ stops: Float) { counts[Self.bin(stops, counts.count)] += 1 }

  /// Counts `count` gains that are `step` apart.
  mutating func add(_ stops: UnsafePointer<Float>, step: Int, count: Int) {
    counts.withUnsafeMutableBufferPointer { counts in
      for i in 0..<count { counts[Self.bin(stops[i * step], counts.count)] &+= 1 }
    }
  }

  private static func bin(_ stops: Float, _ count: Int) -> Int {
    let bin = (Double(stops.isNaN ? 0 : stops) + maxStops) * binsPerStop
    return Int(min(max(bin, 0), Double(count - 1)))
  }

  /// Counts the gains that `other` has counted.
  mutating func add(_ other: GainHistogram) {
    for bin in counts.indices where other.counts[bin] > 0 { counts[bin] += other.counts[bin] }
  }

  /// The range of gains without the `fraction` of all at each end, in full bins, at least 1/256
  /// stop wide. 0 to 1/256 when nothing was counted.
  func range(without fraction: Double) -> ClosedRange<Double> {
    let total = counts.reduce(0, +)
    guard total > 0 else { return 0...(1 / Self.binsPerStop) }
    let ignored = Int(Double(total) * fraction)
    func first(_ bins: some Sequence<Int>) -> Int {
      var passed = 0
      for bin in bins {
        passed += counts[bin]
        if passed > ignored { return bin }
      }
      return 0
    }
    let (low, high) = (first(counts.indices), first(counts.indices.reversed()))
    func stops(_ bin: Int) -> Double { Double(bin) / Self.binsPerStop - Self.maxStops }
    return stops(min(low, high))...stops(max(low, high) + 1)
  }
}

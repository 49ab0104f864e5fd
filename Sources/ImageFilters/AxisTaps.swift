import Foundation

/// The taps of a resampling filter along one axis: for each sample of the result, the samples of
/// the source that it is made of, and their weights.
///
/// A result is c + Σ w · (s − c) with c the sample nearest to its position: flat areas keep every
/// bit, and positive weights never exceed the brightest sample by rounding. Weights sum to 1; at
/// the ends the last sample is repeated. Where `bound` is given, the result is clamped to the range
/// of the samples within that distance.
struct AxisTaps: Sendable {
  /// Samples of the result.
  let count: Int
  /// Of each result: its first tap.
  private(set) var first: [Int] = []
  /// Where its weights start; one more entry than results.
  private(set) var start: [Int] = [0]
  /// Of each result: the nearest sample.
  private(set) var center: [Int] = []
  /// Of each result: the samples that bound it; empty where none do.
  private(set) var bound: [Range<Int>] = []
  private(set) var weights: [Float] = []
  let isBounded: Bool

  /// - Parameters:
  ///   - position: the position of a result among the samples, whose centers are 0, 1, 2…
  ///   - radius: the distance, in samples, from which on `kernel` is 0.
  ///   - kernel: the weight of a sample by its distance, up to a factor.
  init(
    count: Int, of samples: Int, radius: Double, bound nearest: Double? = nil,
    position: (Int) -> Double, kernel: (Double) -> Double
  ) {
    self.count = count
    isBounded = nearest != nil
    let last = samples - 1
    for index in 0..<count {
      let source = position(index)
      let middle = min(max(Int(source.rounded()), 0), last)
      // Outside the row, only as far as the kernel reaches.
      let low = min(Int((source - radius).rounded(.up)), middle)
      let high = max(Int((source + radius).rounded(.down)), middle)
      let (from, to) = (min(max(low, 0), last), min(max(high, 0), last))
      var values = [Double](repeating: 0, count: to - from + 1)
      var sum = 0.0
      for sample in low...high {
        let weight = kernel(Double(sample) - source)
        values[min(max(sample, from), to) - from] += weight
        sum += weight
      }
      if !(abs(sum) > 1e-12) {
        values = values.map { _ in 0 }
        values[middle - from] = 1
        sum = 1
      }
      first.append(from)
      center.append(middle)
      weights.append(contentsOf: values.map { Float($0 / sum) })
      start.append(weights.count)
      guard let nearest else { continue }
      let (near, far) = (
        Int((source - nearest).rounded(.down)) + 1, Int((source + nearest).rounded(.up)) - 1
      )
      bound.append(
        min(max(near, from), middle)..<max(min(far, to), middle) + 1)
    }
  }

  /// The range of samples that `results` are made of.
  func samples(of results: Range<Int>) -> Range<Int> {
    var (low, high) = (Int.max, 0)
    for index in results {
      low = min(low, first[index], center[index])
      high = max(high, first[index] + start[index + 1] - start[index], center[index] + 1)
    }
    return low..<max(high, low)
  }
}

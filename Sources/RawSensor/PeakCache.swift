import Synchronization

/// The maximum of each block of ``PeakBounds`` by the last search for the brightest pixel.
///
/// A picture is searched for several exposures of one matrix. Weighted sums scale with their
/// weights, so a second search reads only the block with the maximum again: scaled maxima are
/// subject to rounding, and the result must be exact.
final class PeakCache: Sendable {
  private struct Entry {
    let weights: [SIMD3<Float>]
    /// The largest sum of each block; infinity if not measured.
    let highest: [Float]
  }

  /// Tolerance of weights that are multiples of each other, relative to the largest.
  private static let rounding: Float = 1e-6

  private let last = Mutex<Entry?>(nil)

  /// Stores the results of a search with `weights` in place of the last ones.
  func store(_ highest: [Float], of weights: [SIMD3<Float>]) {
    last.withLock { $0 = Entry(weights: weights, highest: highest) }
  }

  /// The largest sum of each block by `weights`; nil if these are no multiple of the stored ones.
  func highest(of weights: [SIMD3<Float>]) -> [Float]? {
    guard let last = last.withLock({ $0 }), last.weights.count == weights.count else { return nil }
    func largest(_ rows: [SIMD3<Float>]) -> Float {
      rows.map { max($0.max(), -$0.min()) }.max() ?? 0
    }
    let (before, now) = (largest(last.weights), largest(weights))
    guard before > 0, now > 0 else { return nil }
    let factor = now / before
    for (old, new) in zip(last.weights, weights) {
      let difference = new - old * factor
      guard max(difference.max(), -difference.min()) <= Self.rounding * now else { return nil }
    }
    return last.highest.map { $0 * factor }
  }
}

import Synchronization

/// What the blocks of ``PeakBounds`` were found to hold by a search for the brightest pixel.
///
/// One picture is searched for several exposures of one matrix. Weighted sums grow with their
/// weights, so the second search need not read again what the first one read, but for the block
/// that wins: what is known is right but for rounding, and the result must be right to the bit.
final class PeakCache: Sendable {
  private struct Entry {
    let weights: [SIMD3<Float>]
    /// Of each block the largest sum; infinity where it was not looked for.
    let highest: [Float]
  }

  /// Largest difference of weights that are multiples of each other, relative to the largest.
  private static let rounding: Float = 1e-6

  private let last = Mutex<Entry?>(nil)

  /// Keeps what was read by a search with `weights`, and nothing that was kept before.
  func store(_ highest: [Float], of weights: [SIMD3<Float>]) {
    last.withLock { $0 = Entry(weights: weights, highest: highest) }
  }

  /// Of each block the largest sum by `weights`; nil where these are no multiple of the last ones.
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

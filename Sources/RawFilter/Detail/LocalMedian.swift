import CKernels
import Foundation
import ImageCore

/// The detail of a plane of log luminance above a local median.
///
/// Source: the median as an edge-preserving base (Tukey 1977), as an M-estimator with a range
/// weight as in the bilateral filter (Tomasi & Manduchi 1998), but one for each pair of opposite
/// samples. With d = L(sample) − L(center) in stops, over the center and pairs on both sides of it,
/// in a disc of ``radius`` samples,
///
///     Σ w · (ψ(m − d₁) + ψ(m − d₂)) = 0    w = (1 − (max(|d₁|, |d₂|)/reach)²)², 0 above `reach`
///                                          ψ(x) = x / softness, limited to −1…1
///     detail = −m
///
/// A median preserves monotone signals, and since both samples of a pair have the same weight, so
/// does this: steps of any height, sharp or blurred, ramps and stairs have no detail, except for a
/// fraction of `softness` beside a step. A mean – of a bilateral filter or a local Laplacian – has
/// a fraction of the step itself there, a halo, unless it treats all contrasts of that size as
/// edges. Variations within the disc – texture, folds, leaves, clouds – are detail in full, up to
/// contrasts near `reach`; farther away in stops is another surface. Samples lie on a spiral, to
/// avoid aliasing with regular patterns. Finite stops in, −reach…reach out; pairs that the
/// picture's borders cut do not count. Whole planes only, rows on all workers, independent of their
/// number; cost: some 5000 operations per sample. Known failures: the tip of a sharp corner is a
/// minority in its surroundings, and so detail, if the other side is less than `reach` away; near
/// the picture's borders few pairs are left, so less detail is found.
struct LocalMedian {
  static let radius = 24
  /// Difference in stops from which a sample has weight 0.
  static let reach: Float = 1.4
  static let softness: Float = 0.02
  /// Value of samples outside the picture, in stops.
  static let outside: Float = 1e4
  /// 9 halvings of 2.8 stops: 0.005, then a straight line.
  static let steps = 9

  /// One sample of each pair, on a golden-angle spiral that is denser in the middle.
  static let samples: [PixelPoint] = (0..<40).map { index in
    let distance = Double(radius) * pow((Double(index) + 0.5) / 40, 0.7)
    let angle = Double(index) * .pi * (3 - 5.0.squareRoot())
    return PixelPoint(
      x: Int((distance * cos(angle)).rounded()), y: Int((distance * sin(angle)).rounded()))
  }

  /// Writes the detail of `stops` to `out`.
  static func detail(
    of stops: TilePlane, into out: TilePlane, workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) {
    let rect = stops.rect
    try out.reshape(rect)
    guard !rect.isEmpty else { return }
    // Plane 0: padded with `outside`, so that pairs beyond the borders have weight 0; plane 1: the
    // detail.
    let planes = try PlanarBuffer(size: rect.expanded(by: radius).size)
    for y in 0..<planes.size.height {
      let line = planes.row(0, y)
      line.update(repeating: outside, count: planes.size.width)
      guard y >= radius, y < radius + rect.height else { continue }
      line.from(radius).update(from: stops.row(rect.y + y - radius), count: rect.width)
    }
    let offsets = samples.map { Int64($0.y * planes.stride + $0.x) }
    let band = 16
    try Parallel.forEach(count: (rect.height + band - 1) / band, workers: workers) { index, _ in
      offsets.withUnsafeBufferPointer { offsets in
        var median = ck_localMedian(
          offsets: offsets.baseAddress, pairs: Int32(offsets.count), steps: Int32(steps),
          reach: reach, softness: softness)
        for y in index * band..<min((index + 1) * band, rect.height) {
          ck_localMedianRow(
            &median, planes.row(0, y + radius).from(radius).start,
            planes.row(1, y + radius).from(radius).start, Int64(rect.width))
        }
      }
    }
    for y in 0..<rect.height {
      out.row(rect.y + y).update(
        from: planes.row(1, y + radius).from(radius), count: rect.width)
    }
  }
}

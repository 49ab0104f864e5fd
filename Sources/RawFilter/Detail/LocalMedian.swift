import CKernels
import Foundation
import ImageCore

/// What of a plane of log luminance stands out of the median of its surroundings.
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
/// A median leaves all that rises or falls without turning as it is, and since both samples of a
/// pair weigh the same, so does this: steps of any height, sharp or blurred, ramps and stairs have
/// no detail, but for a part of `softness` beside a step. A mean – that of a bilateral filter or a
/// local Laplacian – has a fraction of the step itself there, a halo, unless it calls all contrasts
/// of that size edges. What goes up and down within the disc – texture, folds, leaves, clouds – is
/// detail in full, up to contrasts near `reach`; what is farther away in stops is another surface.
/// Samples lie on a spiral, so that no regular pattern falls between them. Finite stops in,
/// −reach…reach out; pairs that the picture's borders cut do not count. Whole planes only, rows on
/// all workers, independent of their number; cost: some 5000 operations per sample.
/// Known failure: the tip of a sharp corner is a minority in its surroundings, and so detail, where
/// the other side is less than `reach` away; at the picture's borders few pairs are left, so that
/// less detail is found within some samples of them.
struct LocalMedian {
  static let radius = 24
  /// Stops at which a sample does not count any more.
  static let reach: Float = 1.4
  static let softness: Float = 0.02
  /// Stops of what is not in the picture.
  static let outside: Float = 1e4
  /// 9 halvings of 2.8 stops: 0.005, then a straight line.
  static let steps = 9

  /// One sample of each pair: at even fractions of the disc, denser in the middle, turned by the
  /// golden angle from one to the next.
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
    // Plane 0: with borders so far off that pairs beyond them do not count; plane 1: the detail.
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

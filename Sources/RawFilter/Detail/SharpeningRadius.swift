import Foundation
package import ImageCore
package import RawData
import RawSensor

/// The blur of a picture before sharpening, as standard deviation of a Gaussian in pixels.
///
/// Source: own, on the same photosites as RawTherapee's estimate (Weyrich 2019), diagonally
/// adjacent greens, d = √2 apart. Weyrich's uses the largest ratio R of two and a point's profile,
/// σ = √(1 / ln R); on edges, which dominate pictures, it hardly depends on the blur (0.57…0.80 for
/// 0.45…1.2). Here four greens n ≤ l < h ≤ m in a diagonal row are an edge when m − n ≥ 0.05 and 15
/// standard deviations e of their noise. The step between the inner two, as a fraction of m − n, is
/// s = (h − l − e / √2) / (m − n), at most
///
///     s(σ) = erf(x) / erf(3 x),   x = d / (2 √2 σ) = 1 / (2 σ)
///
/// where the edge lies between them and across the diagonal. The 98th percentile of s over all
/// edges estimates that maximum; because noise would raise it, half of the deviation of h − l is
/// subtracted. σ is found by bisection. On scenes of discs of all sizes and contrasts it is
/// accurate to 7 %, up to ISO 3200 of a sensor of 40,000 electrons. Units: linear, 1.0 = saturated;
/// rows sampled. Result 0.4…1.1. Known failures: a picture without sharp edges looks blurred, which
/// the upper limit bounds; strong aliasing looks sharp.
package enum SharpeningRadius {
  /// For files without a mosaic, and patterns without diagonal greens.
  package static let unknown: Float = 0.7
  static let range: ClosedRange<Float> = 0.4...1.1
  /// Minimum height of an edge, and in standard deviations of its noise.
  static let (minStep, minNoises): (Float, Float) = (0.05, 15)
  static let clip: Float = 0.95
  static let quantile = 0.98
  static let minEdges = 400

  /// The blur in pixels of a picture reduced to `scale` (0…1) of the one whose blur is `radius`:
  /// reduction by area adds no blur that sharpening should remove.
  package static func scaled(_ radius: Float, by scale: Float) -> Float { radius * min(scale, 1) }

  /// Measures `data`, a mosaic with greens side by side diagonally, whose greens have `noise`;
  /// anything else is ``unknown``.
  package static func measured(
    _ data: SensorData, noise: LuminanceNoise = .none, workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) -> Float {
    guard case .mosaic(let cfa) = data.layout, cfa.kind == .bayer || cfa.kind == .xTrans,
      data.size.width > 4 * cfa.width, data.size.height > 8
    else { return unknown }
    let levels = try LinearLevels(data, balance: SIMD4(repeating: 1))
    // Five starting rows of every sixteen hold enough edges; of a small picture, of every eight.
    let bandHeight = data.size.height < 1024 ? 8 : 16
    let bands = (data.size.height + bandHeight - 1) / bandHeight
    let found = try Parallel.map(count: bands, workers: workers) { band throws(PixelError) in
      let rect = PixelRect(x: 0, y: band * bandHeight, width: data.size.width, height: 8)
        .intersection(PixelRect(data.size))
      let plane = TilePlane()
      try plane.reshape(rect)
      levels.load(plane)
      return EdgeHistogram(plane, cfa, noise)
    }
    return found.reduce(into: EdgeHistogram()) { $0.add($1) }.radius
  }

  /// The largest fraction of an edge between the inner two of four samples for a blur of `sigma`.
  static func fraction(_ sigma: Double) -> Double {
    erf(1 / (2 * sigma)) / erf(3 / (2 * sigma))
  }
}

/// Histogram of the fraction of an edge's step that lies between two neighbors.
private struct EdgeHistogram {
  private static let bins = 500
  private var counts = [Int](repeating: 0, count: bins + 1)

  init() {}

  mutating func add(_ other: EdgeHistogram) {
    for i in counts.indices { counts[i] += other.counts[i] }
  }

  /// The blur at the quantile.
  var radius: Float {
    let total = counts.reduce(0, +)
    guard total >= SharpeningRadius.minEdges else { return SharpeningRadius.unknown }
    let above = Int(Double(total) * (1 - SharpeningRadius.quantile))
    var (index, seen) = (Self.bins, 0)
    while index > 0, seen + counts[index] <= above {
      seen += counts[index]
      index -= 1
    }
    let fraction = (Double(index) + 0.5) / Double(Self.bins)
    let range = SharpeningRadius.range
    var (sharp, soft) = (Double(range.lowerBound), Double(range.upperBound))
    for _ in 0..<24 {
      let middle = (sharp + soft) / 2
      if SharpeningRadius.fraction(middle) > fraction { sharp = middle } else { soft = middle }
    }
    return Float((sharp + soft) / 2)
  }

  init(_ plane: TilePlane, _ cfa: CFA, _ noise: LuminanceNoise) {
    let rect = plane.rect
    for y in stride(from: rect.y, to: rect.endY - 3, by: 1) {
      for step in [-1, 1] {
        // Two periods from the left edge there are three columns on either side.
        for x in 2 * cfa.width..<3 * cfa.width {
          let isGreen = (0..<4).allSatisfy { cfa.channel(x: x + $0 * step, y: y + $0) == 1 }
          if isGreen { count(plane, from: x, every: cfa.width, y: y, step: step, noise) }
        }
      }
    }
  }

  private mutating func count(
    _ plane: TilePlane, from first: Int, every: Int, y: Int, step: Int, _ noise: LuminanceNoise
  ) {
    let rows = (plane.row(y), plane.row(y + 1), plane.row(y + 2), plane.row(y + 3))
    for x in stride(from: first, to: plane.rect.width - 3, by: every) {
      let (a, d) = (rows.0[x], rows.3[x &+ 3 &* step])
      let height = abs(d - a)
      guard height >= SharpeningRadius.minStep, max(a, d) < SharpeningRadius.clip else {
        continue
      }
      let (b, c) = (rows.1[x &+ step], rows.2[x &+ 2 &* step])
      let isEdge = a < d ? (a <= b && b < c && c <= d) : (a >= b && b > c && c >= d)
      guard isEdge, min(a, d) > 0 else { continue }
      let variance = noise.slope * max(a, d) + noise.offset
      guard height * height >= SharpeningRadius.minNoises * SharpeningRadius.minNoises * variance
      else { continue }
      let fraction = (abs(c - b) - (0.5 * variance).squareRoot()) / height
      counts[min(max(Int(fraction * Float(Self.bins)), 0), Self.bins)] += 1
    }
  }
}

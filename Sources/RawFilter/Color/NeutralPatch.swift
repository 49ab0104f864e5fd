import ImageCore
import RawDecode
import RawSensor

/// The color of the surface around a chosen pixel, independent of other surfaces nearby.
///
/// Every pixel of a surface is a luminance L times one color (r, 1, b), plus noise. So R − r·G and
/// B − b·G have mean 0 and deviation σ·√(L + 0.1·L₀) on it, but not on other surfaces. Mean shift
/// with a flat kernel (Comaniciu & Meer, "Mean shift: a robust approach toward feature space
/// analysis", 2002) finds that color:
/// 1. excluded: saturated pixels and their neighbors, which the demosaic read;
/// 2. start: the medians of the nearest 9 pixels, which lie on the chosen side of an edge; of more
///   if these 9 cannot be distinguished from black;
/// 3. σ: 1.4826 times the median magnitude of differences between pixels two apart, which few edges
///   affect;
/// 4. iterated: members are pixels with (e_r/σ_r)² + (e_b/σ_b)² ≤ 11 (99.6 % of Gaussian noise),
///   and r = ΣR/ΣG, b = ΣB/ΣG of the members, until the members do not change.
/// Residuals are linear in luminance and symmetric around 0, so noise adds no bias, even in deep
/// shadow; a mean of ratios would. L is the median of the eight pixels around, so that the noise of
/// a pixel does not widen its own limits. The patch is a square of native pixels, 1/288 of the
/// diagonal and at least 9 pixels long: 25 for 24 megapixels. Units: balanced camera values. Known
/// failures: surfaces nearer in color than 3 σ count as one; after vignetting correction bright
/// corners may be mistaken for saturated.
struct NeutralPatch: Sendable {
  /// Mean balanced value of the surface.
  let color: SIMD3<Double>
  /// Number of pixels that it is the mean of.
  let memberCount: Int

  /// Why a location is rejected.
  enum Refusal: Error, Hashable { case clipped, black }

  /// Pixels from the center to the edge of the patch in a picture of `native` size.
  static func radius(native: PixelSize) -> Int {
    let (w, h) = (Double(native.width), Double(native.height))
    return max(4, Int((w * w + h * h).squareRoot() / (2 * 288)))
  }

  private static let squaredLimit: Float = 11
  /// Read noise, as luminance added to a pixel's, in fractions of the start's luminance.
  private static let floorFraction: Float = 0.1
  /// Minimum deviation of the residuals, as a fraction of luminance: surfaces are not perfectly
  /// uniform.
  private static let minDeviation: Float = 0.003
  /// Fraction of its saturation from which a channel counts as saturated.
  private static let clippedFraction: Float = 0.97
  /// Values up to this are rounding of the sensor's samples.
  private static let minValue: Float = 1e-4
  /// Standard errors that a mean must lie above black.
  private static let significance = 3.0

  /// The surface at `chosen` in `pixels`; `saturation`: balanced value at which each channel
  /// saturates.
  init(
    _ pixels: PlanarBuffer, chosen: PixelPoint, saturation: SIMD3<Float>
  ) throws(Refusal) {
    let samples = Self.samples(pixels, chosen, saturation * Self.clippedFraction)
    guard !samples.isEmpty else { throw .clipped }
    let start = try Self.start(samples)
    var ratio = SIMD2(start.color.x, start.color.z) / start.color.y
    let floor = Self.floorFraction * start.luminance
    let noise = Self.noise(samples, ratio, floor: floor)
    var members: [Int] = []
    for _ in 0..<30 {
      let found = samples.indices.filter { i in
        let luminance = max(samples[i].luminance, 0)
        let minimum = Self.minDeviation * luminance
        let variance = noise * noise * (luminance + floor) + minimum * minimum
        let residual = samples[i].residual(ratio)
        return (residual * residual / variance).sum() <= Self.squaredLimit
      }
      let sum = found.reduce(into: SIMD3<Double>()) { $0 += SIMD3<Double>(samples[$1].rgb) }
      guard sum.y > 0, found != members else { break }
      members = found
      ratio = SIMD2<Float>(SIMD2(sum.x, sum.z) / sum.y)
    }
    // No members: texture finer than the demosaic resolves.
    if members.isEmpty { members = Array(samples.indices.prefix(start.count)) }
    guard let color = Self.significantMean(members.map { samples[$0].rgb }) else { throw .black }
    self.color = color
    memberCount = members.count
  }

  private struct Sample {
    var x: Int
    var y: Int
    var rgb: SIMD3<Float>
    /// Median of the mean of the channels in the pixels around.
    var luminance: Float

    func residual(_ ratio: SIMD2<Float>) -> SIMD2<Float> { SIMD2(rgb.x, rgb.z) - ratio * rgb.y }
  }

  /// The pixels that are not saturated, nearest first.
  private static func samples(
    _ pixels: PlanarBuffer, _ chosen: PixelPoint, _ limit: SIMD3<Float>
  ) -> [Sample] {
    let area = PixelRect(pixels.size)
    func value(_ x: Int, _ y: Int) -> SIMD3<Float> {
      SIMD3(pixels.row(0, y)[x], pixels.row(1, y)[x], pixels.row(2, y)[x])
    }
    var samples: [Sample] = []
    for y in 0..<area.height {
      for x in 0..<area.width {
        let around = PixelRect(x: x - 1, y: y - 1, width: 3, height: 3).intersection(area)
        var luminances: [Float] = []
        var isUsable = true
        for j in around.y..<around.endY {
          for i in around.x..<around.endX {
            let rgb = value(i, j)
            if !(rgb.x < limit.x && rgb.y < limit.y && rgb.z < limit.z) { isUsable = false }
            if i != x || j != y { luminances.append(rgb.sum() / 3) }
          }
        }
        guard isUsable else { continue }
        let rgb = value(x, y)
        samples.append(Sample(x: x, y: y, rgb: rgb, luminance: median(luminances) ?? rgb.sum() / 3))
      }
    }
    func distance(_ s: Sample) -> Int {
      let (dx, dy) = (s.x - chosen.x, s.y - chosen.y)
      return dx * dx + dy * dy
    }
    return samples.sorted { (distance($0), $0.y, $0.x) < (distance($1), $1.y, $1.x) }
  }

  /// The medians of the smallest set of nearest samples that is significant in every channel.
  /// Medians are of chromaticities, which do not depend on luminance.
  private static func start(
    _ samples: [Sample]
  ) throws(Refusal) -> (color: SIMD3<Float>, luminance: Float, count: Int) {
    for count in [9, 25, 81, samples.count] where count <= samples.count {
      let nearest = samples.prefix(count).map(\.rgb)
      var (color, luminance, isSignificant) = (SIMD3<Float>(), Float(0), true)
      for c in 0..<3 {
        let middle = median(nearest.map { $0[c] }) ?? 0
        let deviation = 1.4826 * (median(nearest.map { abs($0[c] - middle) }) ?? 0)
        let error = 1.2533 * deviation / Float(count).squareRoot()
        color[c] = median(nearest.filter { $0.sum() > 0 }.map { $0[c] / $0.sum() }) ?? 0
        luminance += middle / 3
        isSignificant =
          isSignificant && middle > Float(significance) * error && middle > minValue && color[c] > 0
      }
      if isSignificant { return (color, luminance, count) }
    }
    throw .black
  }

  /// Standard deviation of the two residuals at luminance 1.
  private static func noise(
    _ samples: [Sample], _ ratio: SIMD2<Float>, floor: Float
  ) -> SIMD2<Float> {
    var indices: [PixelPoint: Int] = [:]
    for (i, s) in samples.enumerated() { indices[PixelPoint(x: s.x, y: s.y)] = i }
    var differences: [SIMD2<Float>] = []
    for a in samples {
      for next in [PixelPoint(x: a.x + 2, y: a.y), PixelPoint(x: a.x, y: a.y + 2)] {
        guard let b = indices[next].map({ samples[$0] }) else { continue }
        let luminance = max(a.luminance, 0) + max(b.luminance, 0) + 2 * floor
        let difference = a.residual(ratio) - b.residual(ratio)
        differences.append(difference / max(luminance, .leastNormalMagnitude).squareRoot())
      }
    }
    return SIMD2(
      1.4826 * (median(differences.map { abs($0.x) }) ?? 0),
      1.4826 * (median(differences.map { abs($0.y) }) ?? 0))
  }

  /// The mean; nil where a channel cannot be distinguished from black.
  private static func significantMean(_ values: [SIMD3<Float>]) -> SIMD3<Double>? {
    guard !values.isEmpty else { return nil }
    let count = Double(values.count)
    let mean = values.reduce(SIMD3<Double>()) { $0 + SIMD3<Double>($1) } / count
    let squares = values.reduce(SIMD3<Double>()) { sum, value in
      let d = SIMD3<Double>(value) - mean
      return sum + d * d
    }
    for c in 0..<3 {
      let error = squares[c].squareRoot() / count
      guard mean[c].isFinite, mean[c] > 0, mean[c] > significance * error else { return nil }
    }
    return mean
  }
}

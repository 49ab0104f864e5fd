import ImageCore
import RawData

/// Estimates the noise of a sensor from one picture.
///
/// Source: Foi et al. (2008), simplified. In each block the diagonal Haar detail of 2 × 2
/// photosites of one channel, (p00 − p01 − p10 + p11)/2, has the variance of one photosite's noise
/// and little else; its median magnitude times 1.4826 is the standard deviation (``HaarBlocks``).
/// Structure only adds variance, so the lowest tenth of the blocks of similar mean is used. White
/// noise has the same variance v at twice the scale, texture some four times as much: with r the
/// ratio of the variances, v · clamp((3.5 − r) / 2.2, 0.01, 1) is noise. A line variance = a · x +
/// b, a and b ≥ 0, is fitted with low weight for bins above it. A bin with less than half noise
/// only gives the upper bound v, if other bins remain, so one even sky does not raise the noise of
/// shadows that are measurably quiet. All channels use one line, because they are alike before
/// white balance. Photosites of one channel are one apart where the pattern allows (green of
/// X-Trans), two for Bayer. Files that are demosaiced already are read at every second pixel: their
/// noise is correlated between neighbors, and the result is the noise of pixels. Reads every n-th
/// band of rows, about `sampleCount` photosites. Deterministic. Errors (four scenes, a = 2e-3 and
/// 8e-3): a 0.86 to 1.27 of the true value. Known failures: texture as fine as noise everywhere
/// counts as noise, noise that a camera has smoothed as texture in part; ``NoisePrior`` limits
/// both.
struct NoiseEstimate: Sendable {
  /// Variance per unit of the linear value and at black; linear values 0…1 before white balance.
  let shot: Double
  let read: Double

  static let sampleCount = 2_000_000
  static let binCount = 32
  private static let minBlocks = 16
  /// Ratios of variances from which variance is partly, and entirely, texture.
  private static let texture = 1.3...3.5
  /// Minimum fraction of noise in a bin's variance for the line to be fitted to the bin.
  private static let minNoise = 0.5
  /// Blocks with brighter photosites are skipped: their noise is clipped.
  private static let brightest: Float = 0.93

  /// Nil when the picture has too few blocks that are not clipped.
  init?(_ data: SensorData, workers: Int = Parallel.defaultWorkers) throws(PixelError) {
    let blocks = HaarBlocks(data.layout)
    let levels = try LinearLevels(data, balance: SIMD4(repeating: 1))
    let size = data.size
    let side = blocks.side
    let bands = size.height / side
    let photosites = size.area * data.samplesPerPixel
    let step = max(1, photosites / Self.sampleCount)
    guard bands > 0, size.width >= side else { return nil }
    let chosen = stride(from: (step - 1) / 2 % bands, to: bands, by: step).map { $0 }
    let found = try Parallel.map(count: chosen.count, workers: workers) {
      index throws(PixelError) in
      let plane = TilePlane()
      var bins = [[Float]](repeating: [], count: Self.binCount)
      for sample in 0..<data.samplesPerPixel {
        try plane.reshape(PixelRect(x: 0, y: chosen[index] * side, width: size.width, height: side))
        levels.load(plane, sample: sample)
        for block in 0..<size.width / side {
          blocks.forEachChannel(plane, x: block * side) { found in
            guard found.brightest < Self.brightest, found.deviation > 0 else { return }
            let bin = Int(max(found.mean, 0).squareRoot() * Float(Self.binCount))
            bins[min(bin, Self.binCount - 1)] += [
              found.mean, found.deviation, found.wideDeviation ?? found.deviation,
            ]
          }
        }
      }
      return bins
    }
    var points: [Point] = []
    var entries: [Float] = []
    for bin in 0..<Self.binCount {
      // Small pictures have few blocks of one brightness: neighboring bins are merged.
      entries += found.flatMap { $0[bin] }
      let count = entries.count / 3
      guard count >= Self.minBlocks else { continue }
      defer { entries = [] }
      var mean = 0.0
      for i in 0..<count { mean += Double(entries[3 * i]) }
      let variances = [1, 2].map { kind in
        let sorted = (0..<count).map { entries[3 * $0 + kind] }.sorted()
        let deviation = Double(sorted[Int(Double(count) * HaarBlocks.quantile)])
        return deviation * deviation
      }
      let (from, to) = (Self.texture.lowerBound, Self.texture.upperBound)
      let noise = min(max((to - variances[1] / variances[0]) / (to - from), 0.01), 1)
      points.append(
        Point(
          value: max(mean / Double(count), 0), variance: variances[0], noise: noise,
          weight: Double(min(count, 1000)).squareRoot()))
    }
    guard let line = Self.line(points) else { return nil }
    (shot, read) = line
  }

  /// Linear value of a bin, its variance and the fraction of the variance that is noise.
  struct Point {
    var value: Double
    var variance: Double
    var noise = 1.0
    var weight: Double
  }

  /// The line under the points, by iteratively reweighted least squares.
  static func line(_ points: [Point]) -> (shot: Double, read: Double)? {
    guard !points.isEmpty else { return nil }
    let allAreTexture = points.allSatisfy { $0.noise < minNoise }
    let points = points.map { point in
      let isBound = point.noise < minNoise && !allAreTexture
      return (
        value: point.value, variance: point.variance * (isBound ? 1 : point.noise),
        weight: point.weight, isBound: isBound
      )
    }
    let ratios = points.filter { !$0.isBound }.map { $0.variance / max($0.value, 0.01) }.sorted()
    var shot = max(ratios[ratios.count / 2], 1e-12)
    var read = points.map(\.variance).min() ?? 0
    // Outliers are rejected less at first, so that the first line does not decide which they are.
    var tolerance = 2.0
    for _ in 0..<30 {
      tolerance = max(tolerance * 0.8, 0.15)
      var (sw, sx, sy, sxx, sxy) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for point in points {
        let expected = max(shot * point.value + read, 1e-12)
        let excess = point.variance / expected - 1
        if point.isBound, excess > 0 { continue }
        let penalty = excess > 0 ? 1 + (excess / tolerance) * (excess / tolerance) : 1
        let weight = point.weight / (expected * penalty)
        let w = weight * weight
        (sw, sx, sy) = (sw + w, sx + w * point.value, sy + w * point.variance)
        sxx += w * point.value * point.value
        sxy += w * point.value * point.variance
      }
      let determinant = sw * sxx - sx * sx
      var (a, b) = (0.0, sw > 0 ? sy / sw : 0)
      if determinant > 1e-9 * sw * sxx {
        a = (sw * sxy - sx * sy) / determinant
        b = (sxx * sy - sx * sxy) / determinant
      }
      if b < 0 { (a, b) = (sxx > 0 ? sxy / sxx : 0, 0) }
      if a < 0 { (a, b) = (0, sw > 0 ? sy / sw : 0) }
      (shot, read) = (max(a, 0), max(b, 0))
    }
    // No camera has less than half an electron of read noise.
    read = max(read, 0.25 * shot * shot)
    return shot.isFinite && read.isFinite && shot + read > 0 ? (shot, read) : nil
  }
}

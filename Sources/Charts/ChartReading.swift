import ImageCore

/// The camera values of the patches of a chart, and how evenly it is lit.
///
/// The middle 44 % of both sides of each patch are used, without the lowest and highest tenth of
/// each channel, which may be dust or scratches. Illumination: the neutral patches except black and
/// the next, divided by their reflectances; and the crossings of the border between four patches
/// each, all of one black, to whose logarithms a plane over the chart is fitted. Each gives the
/// ratio of the brightest to the darkest position; the border is omitted where it is narrower than
/// two pixels. Known failure: reflections on a glossy border look like uneven illumination.
package struct ChartReading: Sendable, Hashable {
  /// Linear values of each patch, in units of the picture.
  package let values: [SIMD3<Double>]
  /// The same under even illumination, at the level of the chart's center (``ChartIllumination``).
  package let evenValues: [SIMD3<Double>]
  /// Brightest over darkest illumination on the neutral row.
  package let neutralUnevenness: Double
  /// Brightest over darkest illumination on the border; nil where it could not be measured.
  package let borderUnevenness: Double?

  /// Why a chart cannot be used.
  package enum Refusal: Error, Sendable, Hashable {
    /// It extends outside the picture.
    case outside
    /// Patches are smaller than that many pixels.
    case small(pixels: Int)
    /// These patches are saturated.
    case clipped([String])
    /// These patches are as dark as the black level.
    case black([String])
    /// The illumination differs by this ratio.
    case uneven(neutrals: Double, border: Double?)
  }

  /// The ratio of illumination on the neutral row from which a chart is refused.
  package static let maxUnevenness = 1.5
  /// The same on the border, to which a veil over black adds more than to neutrals.
  package static let maxBorderUnevenness = 1.8
  /// The ratio of illumination from which a warning is given.
  package static let doubtful = 1.15
  /// From here on a value counts as saturated, as a fraction of the saturation.
  private static let clippedFraction: Float = 0.97
  private static let reach = 0.22

  /// The chart at `placement` in `picture`.
  package init(
    _ placement: ChartPlacement, in picture: ChartPicture, reference: ColorChecker
  ) throws(Refusal) {
    var values: [SIMD3<Double>] = []
    var (clipped, black): ([String], [String]) = ([], [])
    let limit = picture.saturation * Self.clippedFraction
    for patch in ColorChecker.names.indices {
      let cell = SIMD2(
        Double(patch % ColorChecker.columns), Double(patch / ColorChecker.columns))
      let points = placement.pixels(around: cell, reach: Self.reach, in: picture.size)
      if points.isEmpty { throw .outside }
      if points.count < 9 { throw .small(pixels: points.count) }
      let colors = points.map { picture[$0.x, $0.y] }
      let full = colors.count { $0.x >= limit.x || $0.y >= limit.y || $0.z >= limit.z }
      if full * 50 > colors.count { clipped.append(ColorChecker.names[patch]) }
      let mean = Self.trimmedMean(colors)
      if mean.min() <= 0 { black.append(ColorChecker.names[patch]) }
      values.append(mean)
    }
    if !clipped.isEmpty { throw .clipped(clipped) }
    if !black.isEmpty { throw .black(black) }
    self.values = values
    evenValues = ChartIllumination.evened(values, reference)
    let white = reference.xyz
    let levels = ColorChecker.neutrals.dropLast(2).map { values[$0].y / white[$0].y }
    neutralUnevenness = (levels.max() ?? 1) / max(levels.min() ?? 1, .leastNormalMagnitude)
    borderUnevenness = Self.border(placement, picture)
    if neutralUnevenness > Self.maxUnevenness || borderUnevenness ?? 1 > Self.maxBorderUnevenness {
      throw .uneven(neutrals: neutralUnevenness, border: borderUnevenness)
    }
  }

  private static func trimmedMean(_ colors: [SIMD3<Float>]) -> SIMD3<Double> {
    var mean = SIMD3<Double>()
    let cut = colors.count / 10
    for c in 0..<3 {
      let used = colors.map { Double($0[c]) }.sorted().dropFirst(cut).dropLast(cut)
      mean[c] = used.reduce(0, +) / Double(used.count)
    }
    return mean
  }

  private static func border(_ placement: ChartPlacement, _ picture: ChartPicture) -> Double? {
    // A seventh of the way from patch to patch is border.
    guard placement.pitch / 7 >= 2 else { return nil }
    var equations: [[Double]] = []
    for row in 0..<ColorChecker.rows - 1 {
      for column in 0..<ColorChecker.columns - 1 {
        let cell = SIMD2(Double(column) + 0.5, Double(row) + 0.5)
        let points = placement.pixels(around: cell, reach: 0.04, in: picture.size)
        guard let level = median(points.map { Double(picture[$0.x, $0.y].y) }), level > 0 else {
          continue
        }
        equations.append([cell.x - 2.5, cell.y - 1.5, 1, logarithm(level)])
      }
    }
    guard equations.count >= 8, let plane = LinearEquations.leastSquares(equations) else {
      return nil
    }
    return exponential(
      abs(plane[0]) * Double(ColorChecker.columns - 1) + abs(plane[1])
        * Double(ColorChecker.rows - 1))
  }
}

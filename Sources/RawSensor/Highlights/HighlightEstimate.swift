import ImageCore

/// Estimates for any photosite in and around saturated areas: its color beside one saturated
/// channel and beside the second, and its value where all channels are saturated.
///
/// Source: own. Three kinds of cells of the dilated ``SaturationMask`` are measured, with the
/// weights of ``HighlightCells``: without a saturated channel for the color beside the first, with
/// one (reconstructed) for the color beside the second, with all but one for the value where all
/// are saturated. ``FilledCells`` extends them over the picture: colors, that is channels divided
/// by their mean, unchanged from level to level, neutral above the coarsest; values with their
/// weight times the cube of their mean relative to the mean saturation level, each coarser level
/// 0.3 whiter and 1.12 times as bright, above the coarsest a neutral in which all channels are
/// saturated. So colors come from the nearest highlights, and are neutral far from any. The colors
/// beside the first channel are added to those beside the second with a twentieth of their weight,
/// in case there are no others. Values beyond all channels are as bright as the brightest at their
/// border, and brighter and whiter away from it, sooner where the border has little weight: few
/// photosites are near saturation where something dark is in front of a highlight far beyond
/// saturation. They are raised until all channels saturate, in their color up to half as much
/// again. Units: balanced for the white in use; 1 in each channel of a color is neutral. Known
/// failures: a bright surface of a strong color beside a saturated neutral area tints its rim; a
/// blue sky beyond all channels is white except at its borders.
struct HighlightEstimate: Sendable {
  /// Weight of the colors beside the first saturated channel among those beside the second.
  private static let firstAmongSecond: Float = 0.05
  /// How much whiter and brighter the value of a coarser level is made for a finer one.
  private static let (whiter, brighter): (Float, Float) = (0.3, 1.12)
  /// Maximum factor by which a value is raised in its color.
  private static let maxRaise: Float = 1.5

  let cells: HighlightCells
  /// Beside one saturated channel and beside the second.
  private(set) var colors: [FilledCells] = []
  /// Values where all channels are saturated; nil before they are measured.
  private(set) var allSaturated: FilledCells?
  /// Levels under the white in use at which channels saturate.
  private let levels: SIMD4<Float>

  /// An estimate without measurements. `levels`: balanced levels at which channels saturate.
  init(_ cells: HighlightCells, levels: SIMD4<Float>) {
    self.cells = cells
    self.levels = levels * cells.gains * cells.channels
  }

  /// Value of a neutral in which all channels are saturated.
  var ceiling: Float { levels.max() }
  /// Mean of the channels of the pattern.
  private func mean(_ value: SIMD4<Float>) -> Float {
    (value * cells.channels).sum() / cells.channels.sum()
  }

  /// Receives the sums of a cell of the mask, the number of its saturated channels, and its
  /// position.
  typealias Adding = @Sendable (HighlightCells.Sums, _ saturated: Int, _ x: Int, _ y: Int) -> Void

  /// Calls `gather` with the numbers of saturated channels of the requested cells, the estimate so
  /// far, and the receiver of their sums.
  mutating func measure(
    _ gather: (ClosedRange<Int>, HighlightEstimate, Adding) throws(PixelError) -> Void
  ) throws(PixelError) {
    let first = try FilledCells(cells.cells)
    try gather(0...0, self) { [self] sums, saturated, x, y in
      guard let (value, weight) = cells.value(sums, saturated: saturated) else { return }
      first.add(value / mean(value), weight: weight, at: cells.index(x: x, y: y))
    }
    let second = try FilledCells(first, part: Self.firstAmongSecond)
    try first.fill(top: cells.channels)
    colors = [first, first]
    let others = Int(cells.channels.sum()) - 1
    guard others > 0 else { return }
    let (found, typical) = (try FilledCells(cells.cells), mean(levels))
    try gather(1...others, self) { [self] sums, saturated, x, y in
      guard let (value, weight) = cells.value(sums, saturated: saturated) else { return }
      let (mean, index) = (mean(value), cells.index(x: x, y: y))
      if saturated == 1 { second.add(value / mean, weight: weight, at: index) }
      let relative = mean / typical
      if saturated == others {
        found.add(value, weight: weight * relative * relative * relative, at: index)
      }
    }
    try second.fill(top: cells.channels)
    colors = [first, second]
    try found.fill(top: cells.channels * ceiling) { value in
      (value + Self.whiter * (mean(value) * cells.channels - value)) * Self.brighter
    }
    found.change { [levels, ceiling] value in
      let raised = value * min(max((levels / value).max(), 1), Self.maxRaise)
      let limit = SIMD4<Float>(repeating: GuidedHighlights.excess * ceiling)
      return pointwiseMin(pointwiseMax(raised, levels), limit)
    }
    allSaturated = found
  }
}

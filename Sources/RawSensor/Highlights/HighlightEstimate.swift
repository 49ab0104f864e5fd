import ImageCore

/// The light in and around saturated areas, for any photosite: its color beside one saturated
/// channel and beside the second, and, where all are saturated, its value.
///
/// Source: own. Those cells of the grown ``SaturationMask`` in which no channel is saturated give
/// the colors beside the first, those in which one is and has been rebuilt the colors beside the
/// second, those in which all but one are the light where all are, each with the weight of
/// ``HighlightCells``. From there ``FilledCells`` fills the picture: with colors, channels divided by
/// their mean, as they are, neutral above the coarsest level; with light, its weight times the cube
/// of its mean relative to that of the levels at which channels saturate, each coarser level 0.3
/// whiter and 1.12 times as bright, a neutral in which all channels are saturated above them.
/// So colors are those of the nearest lights, and neutral far from any. Colors beside a second
/// channel count those beside the first with a twentieth of their weight, for where there are no
/// others. Light beyond all channels is as bright as the brightest at its border, and brighter and
/// whiter away from it, sooner where its border tells little: few photosites are near saturation
/// where something dark stands before light that is far beyond. It is raised to where all channels
/// saturate, in its color up to half as much again.
/// Units: balanced for the white in use; 1 in each channel of a color is neutral.
/// Known failures: a bright surface of a strong color beside a saturated neutral area tints its
/// rim; a blue sky beyond all channels is white but for its borders.
struct HighlightEstimate: Sendable {
  /// Weight of the colors beside the first saturated channel among those beside the second.
  private static let firstAmongSecond: Float = 0.05
  /// Of the light of a cell on that of a finer one: what makes it whiter, and brighter.
  private static let (whiter, brighter): (Float, Float) = (0.3, 1.12)
  /// What light is raised by in its color, at most.
  private static let maxRaise: Float = 1.5

  let cells: HighlightCells
  /// Beside one saturated channel and beside the second.
  private(set) var colors: [FilledCells] = []
  /// Where all channels are saturated; nil before that is known.
  private(set) var allSaturated: FilledCells?
  /// Levels under the white in use at which channels saturate.
  private let levels: SIMD4<Float>

  /// Of cells of which nothing is known yet. `levels`: balanced ones at which channels saturate.
  init(_ cells: HighlightCells, levels: SIMD4<Float>) {
    self.cells = cells
    self.levels = levels * cells.gains * cells.channels
  }

  /// Value of a neutral in which all channels are saturated.
  var ceiling: Float { levels.max() }
  /// Of the channels of the pattern.
  private func mean(_ value: SIMD4<Float>) -> Float {
    (value * cells.channels).sum() / cells.channels.sum()
  }

  /// Takes what a cell of the mask adds up to, how many of its channels are saturated, and where it
  /// is.
  typealias Adding = @Sendable (HighlightCells.Sums, _ saturated: Int, _ x: Int, _ y: Int) -> Void

  /// Calls `gather` with the numbers of saturated channels of the cells that are wanted, the light
  /// as it is known so far, and what takes them.
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

import ImageCore
import RawData

/// ``SensorGains`` prepared for the rows of a mosaic, also beyond its borders, where a photosite
/// has the gain of the nearest one under the same filter.
///
/// Phones have a separate map for each filter of a Bayer mosaic. Saturated photosites were made
/// neutral before, and must stay neutral: from 0.9 of their saturation level, red and blue are
/// blended to the gain of the green beside them. Known failure: red or blue that saturates alone
/// gets that gain, too, and is some percent off in corners.
struct MosaicGains: Sendable {
  private let opcodes: [PointwiseOpcode]
  private let size: PixelSize
  /// Columns and rows after which the filters repeat.
  private let period: PixelSize
  /// For a Bayer mosaic, whether each of its four photosites has another filter than green, row by
  /// row.
  private let isBesideGreen: [Bool]?
  /// Bounds of the gains.
  let range: ClosedRange<Float>

  /// Nil without gains.
  init?(_ gains: SensorGains?, _ size: PixelSize, _ layout: SensorData.Layout) {
    guard let gains else { return nil }
    self.size = size
    if case .mosaic(let cfa) = layout {
      period = PixelSize(width: min(cfa.width, size.width), height: min(cfa.height, size.height))
      let others = [(0, 0), (1, 0), (0, 1), (1, 1)].map { x, y in
        ![1, 3].contains(cfa.channel(x: x, y: y))
      }
      let isBayer = cfa.width == 2 && cfa.height == 2 && size.width > 1
      isBesideGreen =
        isBayer && others[0] != others[1] && others[2] != others[3] ? others : nil
    } else {
      period = PixelSize(width: 1, height: 1)
      isBesideGreen = nil
    }
    range = gains.range
    opcodes = gains.steps.enumerated().compactMap { index, step in
      PointwiseOpcode(step.action, step.frame, width: size.width, before: index)
    }
  }

  /// Multiplies `count` photosites of row `y` from column `x` on, `row` the first of them.
  /// `saturated`: the levels from which they were made neutral; nil if none was.
  func apply(to row: MutableRowView, x: Int, y: Int, count: Int, saturated: MutableRowView? = nil) {
    // Including the neighbor of each.
    let first = max(min(x, size.width - period.width), 0) & ~1
    let end = min(max(x + count, first + period.width) + 1, size.width)
    let line = Self.inside(y, size.height, period.height)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: end - first) { gains in
      gains.initialize(repeating: 1)
      guard let start = gains.baseAddress else { return }
      let run = PixelRun(
        values: MutableRowView(start, count: end - first, before: 0, behind: 0),
        count: end - first, x: first, y: line)
      for opcode in opcodes { opcode.apply(run) }
      guard let saturated, let isBesideGreen else {
        for column in 0..<count {
          row[column] *= gains[Self.inside(x + column, size.width, period.width) - first]
        }
        return
      }
      for column in 0..<count {
        let source = Self.inside(x + column, size.width, period.width)
        var gain = gains[source - first]
        if isBesideGreen[2 * (line & 1) + source & 1], row[column] > 0.9 * saturated[column] {
          let part = min(10 * (row[column] / saturated[column] - 0.9), 1)
          let green = source ^ 1 < size.width ? source ^ 1 : source - 1
          gain += part * part * (3 - 2 * part) * (gains[green - first] - gain)
        }
        row[column] *= gain
      }
    }
  }

  /// The nearest of `count` positions that differs from `position` by a multiple of `period`.
  @inline(__always)
  private static func inside(_ position: Int, _ count: Int, _ period: Int) -> Int {
    if position < 0 { return floorModulo(position, period) }
    return position < count ? position : count - period + floorModulo(position - count, period)
  }
}

import ImageCore
import RawData

/// ``SensorGains`` made ready for the rows of a mosaic, also beyond its borders, where a photosite
/// has the gain of the nearest one under the same filter.
struct MosaicGains: Sendable {
  private let opcodes: [PointwiseOpcode]
  private let size: PixelSize
  /// Columns and rows after which the filters repeat.
  private let period: PixelSize
  /// Bounds of the gains.
  let range: ClosedRange<Float>

  /// Nil where there are none.
  init?(_ gains: SensorGains?, _ size: PixelSize, _ layout: SensorData.Layout) {
    guard let gains else { return nil }
    self.size = size
    if case .mosaic(let cfa) = layout {
      period = PixelSize(width: min(cfa.width, size.width), height: min(cfa.height, size.height))
    } else {
      period = PixelSize(width: 1, height: 1)
    }
    range = gains.range
    opcodes = gains.steps.enumerated().compactMap { index, step in
      PointwiseOpcode(step.action, step.frame, width: size.width, before: index)
    }
  }

  /// Multiplies `count` photosites of row `y` from column `x` on, `row` the first of them.
  func apply(to row: MutableRowView, x: Int, y: Int, count: Int) {
    let first = max(min(x, size.width - period.width), 0)
    let end = min(max(x + count, first + period.width), size.width)
    let line = Self.inside(y, size.height, period.height)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: end - first) { gains in
      gains.initialize(repeating: 1)
      guard let start = gains.baseAddress else { return }
      let run = PixelRun(
        values: MutableRowView(start, count: end - first, before: 0, behind: 0),
        count: end - first, x: first, y: line)
      for opcode in opcodes { opcode.apply(run) }
      for column in 0..<count {
        row[column] *= gains[Self.inside(x + column, size.width, period.width) - first]
      }
    }
  }

  /// The nearest of `count` positions that is `position` but for whole periods.
  @inline(__always)
  private static func inside(_ position: Int, _ count: Int, _ period: Int) -> Int {
    if position < 0 { return floorModulo(position, period) }
    return position < count ? position : count - period + floorModulo(position - count, period)
  }
}

/// The pixels of a row that an interval covers, and the fraction of each: the taps of a box filter.
/// Pixel p lies between positions p and p + 1.
package struct AreaCoverage: Sendable {
  /// The pixels that are covered, at least one.
  package let pixels: Range<Int>
  private let low: Double
  private let high: Double

  /// The interval from `low` to `high` in a row of `count` ≥ 1 pixels. Where it is empty or outside
  /// the row, the pixel at `low`, or the last, is listed.
  package init(from low: Double, to high: Double, of count: Int) {
    (self.low, self.high) = (low, high)
    let first = min(max(Int(low), 0), count - 1)
    pixels = first..<min(max(Int(high.rounded(.up)), first + 1), count)
  }

  /// The covered fraction of `pixel`.
  package subscript(pixel: Int) -> Double {
    min(high, Double(pixel + 1)) - max(low, Double(pixel))
  }
}

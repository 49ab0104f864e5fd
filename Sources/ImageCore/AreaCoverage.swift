/// The pixels of a row that a stretch between two positions covers, and how much of each: the taps
/// of a box filter. Pixel p lies between positions p and p + 1.
package struct AreaCoverage: Sendable {
  /// The pixels that are covered, at least one.
  package let pixels: Range<Int>
  private let low: Double
  private let high: Double

  /// What lies between `low` and `high` in a row of `count` pixels, of which there is one. Where
  /// that is nothing, the pixel at `low` stands for it, or the last.
  package init(from low: Double, to high: Double, of count: Int) {
    (self.low, self.high) = (low, high)
    let first = min(max(Int(low), 0), count - 1)
    pixels = first..<min(max(Int(high.rounded(.up)), first + 1), count)
  }

  /// The part of `pixel` that is covered.
  package subscript(pixel: Int) -> Double {
    min(high, Double(pixel + 1)) - max(low, Double(pixel))
  }
}

import Develop
import Foundation

/// The histogram of an item as SVG: 64 bins of a quarter stop, dark ones on the left; bins above
/// reference white in another color, reference white as a line, fainter lines every four stops.
///
/// Heights are square roots of fractions, so that small highlights are visible next to large
/// shadows; the largest bin within the range fills the height. The first and the last bin, which
/// hold all values beyond the range, do not count for the scale.
enum HistogramDrawing {
  /// Bins of a drawing.
  static let bins = 64
  /// The first bin above reference white.
  static let white = 40
  private static let height = 32.0

  /// The drawing; nil when there are not 64 bins or all are empty.
  static func svg(_ statistics: LuminanceStatistics) -> HTML? {
    guard statistics.histogram.count == bins else { return nil }
    let fractions = statistics.histogram.map { Double(min(max($0, 0), 100_000)) }
    let inner = fractions[1..<bins - 1].max() ?? 0
    let tallest = inner > 0 ? inner : fractions.max() ?? 0
    guard tallest > 0 else { return nil }
    let heights = fractions.map { (min($0 / tallest, 1).squareRoot() * height * 10).rounded() / 10 }
    return """
      <svg class=hist viewBox="0 0 64 32" preserveAspectRatio=none role=img \
      aria-label="\(label(statistics))"><path class=tick d="M8 0V32M24 0V32M56 0V32"/>\
      <path class=sdr d="\(outline(heights, 0..<white))"/>\
      <path class=hdr d="\(outline(heights, white..<bins))"/>\
      <path class=white d="M40 0V32"/></svg>
      """
  }

  private static func outline(_ heights: [Double], _ range: Range<Int>) -> String {
    var path = "M\(range.lowerBound) 32"
    for bin in range { path += "V\(short(height - heights[bin]))h1" }
    return path + "V32z"
  }

  private static func short(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  private static func label(_ statistics: LuminanceStatistics) -> String {
    let total = statistics.histogram.reduce(0.0) { $0 + Double(max($1, 0)) }
    var (sum, median) = (0.0, 0)
    for (bin, count) in statistics.histogram.enumerated() {
      sum += Double(max(count, 0))
      if sum * 2 >= total {
        median = bin
        break
      }
    }
    let stops = (Double(median) + 0.5) / 4 - 10
    return "Histogram: median \(ReportNumber.fixed(stops, 1)) stops from reference white, "
      + "\(ReportNumber.percent(Double(statistics.aboveWhiteShare))) above it"
  }
}

import Testing

@testable import Batch
@testable import Develop

/// Histograms as drawings.
@Suite struct HistogramDrawingTests {
  private func svg(_ histogram: [Int]) -> String? {
    HistogramDrawing.svg(
      .init(histogram: histogram, blackShare: 0, aboveWhiteShare: 0.5, clippedShare: 0))?.text
  }

  /// Heights of the bins, from the drawing.
  private func heights(_ svg: String) -> [Double] {
    svg.matches(of: #/V([0-9.]+)h1/#).compactMap { Double($0.output.1).map { 32 - $0 } }
  }

  @Test(arguments: 0..<30) func heightsAreRootsOfFractions(seed: UInt64) throws {
    var chance = SampleReports(seed: seed)
    let histogram = (0..<64).map { _ in Int.random(in: 0...5000, using: &chance) }
    let heights = heights(try #require(svg(histogram)))
    let tallest = Double(histogram[1..<63].max() ?? 0)
    #expect(heights.count == 64)
    for (height, count) in zip(heights, histogram) {
      #expect(abs(height - 32 * min(Double(count) / tallest, 1).squareRoot()) <= 0.051)
    }
  }

  @Test func nothingToDraw() {
    for histogram in [
      [], [1], Array(repeating: 1, count: 63), Array(repeating: 0, count: 64),
      Array(repeating: -7, count: 64), Array(repeating: 1, count: 100_000),
    ] {
      #expect(svg(histogram) == nil)
    }
  }

  @Test func extremes() throws {
    let only = try #require(svg([.max] + Array(repeating: .min, count: 62) + [1]))
    #expect(heights(only).max() == 32 && heights(only)[1...62].allSatisfy { $0 == 0 })
    #expect(only.contains("stops from reference white, 50.0 % above it"))
  }
}

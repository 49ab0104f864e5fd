import Testing

@testable import ImageCore

@Suite struct AreaCoverageTests {
  /// Adjacent intervals cover every pixel once.
  @Test(arguments: [(7, 3), (100, 7), (5, 5), (3, 8), (1, 1)])
  func aPartitionCoversEveryPixelOnce(pixels: Int, stretches: Int) {
    var sums = [Double](repeating: 0, count: pixels)
    for index in 0..<stretches {
      let low = Double(index * pixels) / Double(stretches)
      let high = Double((index + 1) * pixels) / Double(stretches)
      let cover = AreaCoverage(from: low, to: high, of: pixels)
      for pixel in cover.pixels { sums[pixel] += cover[pixel] }
      let all = cover.pixels.reduce(0) { $0 + cover[$1] }
      #expect(abs(all - (high - low)) < 1e-12)
    }
    for sum in sums { #expect(abs(sum - 1) < 1e-12) }
  }

  @Test func anEmptyIntervalIsThePixelAtItsPosition() {
    #expect(AreaCoverage(from: 2, to: 2, of: 4).pixels == 2..<3)
    #expect(AreaCoverage(from: 4, to: 4, of: 4).pixels == 3..<4)
    #expect(AreaCoverage(from: 0, to: 0, of: 1).pixels == 0..<1)
  }
}

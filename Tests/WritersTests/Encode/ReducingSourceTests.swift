import ImageCore
import Testing

@testable import Writers

@Suite("A reduced picture from the pixels that are read")
struct ReducingSourceTests {
  private let picture = AnalyticPicture(301, 211, headroom: 9) { x, y in
    SIMD3(Float(x) / 300, Float(y % 7), x == 150 && y == 100 ? 9 : -0.25)
  }

  /// Reads `source` in tiles that look back by `overlap`, as encoders do.
  private func small<S>(
    _ source: ReducingSource<S>, tile: Int, overlap: Int, workers: Int = 1
  ) throws -> Image<DisplayReferred> {
    let size = source.size
    let columns = (size.width + tile - 1) / tile
    let rows = (size.height + tile - 1) / tile
    try Parallel.forEach(count: columns * rows, workers: workers) { index, _ throws(PixelError) in
      let (x, y) = (index % columns * tile, index / columns * tile)
      let (left, above) = (min(x, overlap), min(y, overlap))
      let rect = PixelRect(
        x: x - left, y: y - above, width: min(tile, size.width - x) + left,
        height: min(tile, size.height - y) + above)
      try source.read(rect, into: try PlanarBuffer(size: rect.size))
    }
    return try source.image()
  }

  /// The mean over the area of every small pixel, computed the slow way.
  @Test(arguments: [(1, 0), (64, 0), (64, 1), (512, 1)])
  func areaMeans(tile: Int, overlap: Int) throws {
    let source = try #require(
      ReducingSource(picture, longerSide: 40, overlap: PixelPoint(x: overlap, y: overlap)))
    let small = try small(source, tile: tile, overlap: overlap)
    #expect(small.size == PixelSize(width: 40, height: 28))
    for (column, row) in [(0, 0), (7, 13), (19, 13), (20, 13), (39, 27)] {
      let (w, h) = (301.0 / 40, 211.0 / 28)
      var (sum, area) = (SIMD3<Double>(), 0.0)
      for y in 0..<211 {
        for x in 0..<301 {
          func fraction(_ pixel: Int, _ cell: Int, _ length: Double) -> Double {
            max(
              min(Double(pixel + 1), Double(cell + 1) * length)
                - max(Double(pixel), Double(cell) * length), 0)
          }
          let fraction = fraction(x, column, w) * fraction(y, row, h)
          sum += fraction * SIMD3<Double>(picture.linear(x, y))
          area += fraction
        }
      }
      let difference = SIMD3<Double>(small[column, row]) - sum / area
      #expect(max(difference.max(), -difference.min()) < 1e-5, "\(column) \(row) \(difference)")
    }
  }

  @Test func threadsDoNotChangeABit() throws {
    let images = try [1, 4].map { workers in
      let source = try #require(
        ReducingSource(picture, longerSide: 33, overlap: PixelPoint(x: 1, y: 1)))
      return try small(source, tile: 32, overlap: 1, workers: workers)
    }
    for y in 0..<images[0].size.height {
      for x in 0..<images[0].size.width { #expect(images[0][x, y] == images[1][x, y]) }
    }
  }

  @Test func smallPicturesHaveNone() {
    #expect(ReducingSource(picture, longerSide: 301, overlap: PixelPoint(x: 0, y: 0)) == nil)
    #expect(ReducingSource(picture, longerSide: 0, overlap: PixelPoint(x: 0, y: 0)) == nil)
  }
}

import ImageCore
import Testing

@Suite struct ContentLightStatisticsTests {
  @Test func countsTheLargestChannel() throws {
    let buffer = try PlanarBuffer(size: PixelSize(width: 11, height: 2))
    for y in 0..<2 {
      for x in 0..<11 {
        for plane in 0..<3 { buffer.withRow(plane, y) { $0[x] = plane == x % 3 ? 2 : -1 } }
      }
    }
    buffer.withRow(2, 1) { $0[10] = 4.5 }
    var statistics = ContentLightStatistics()
    #expect(statistics.contentHeadroom == 0 && statistics.contentAverageLightLevel == 0)
    statistics.add(buffer)
    #expect(statistics.contentHeadroom == 4.5)
    #expect(abs(statistics.contentAverageLightLevel - (21 * 2 + 4.5) / 22) < 1e-6)
    #expect(statistics.maximumContentNits == 914)
    var twice = statistics
    twice.add(statistics)
    #expect(twice.contentAverageLightLevel == statistics.contentAverageLightLevel)
  }

  @Test func negativePixelsCountAsZero() throws {
    let buffer = try PlanarBuffer(size: PixelSize(width: 9, height: 1))
    for plane in 0..<3 { buffer.withRow(plane, 0) { row in for x in 0..<9 { row[x] = -0.5 } } }
    var statistics = ContentLightStatistics()
    statistics.add(buffer)
    #expect(statistics.contentHeadroom == 0 && statistics.averageNits == 0)
  }
}

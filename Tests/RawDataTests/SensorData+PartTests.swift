import ImageCore
import RawData
import Testing

@Suite struct SensorDataPartTests {
  /// Samples equal to their position, with black levels of every kind.
  private func data(_ layout: SensorData.Layout) throws -> SensorData {
    let perPixel = layout == .linear ? 3 : 1
    let samples = try RawSamples(of: UInt16.self, stride: 8 * perPixel, rows: 6) { row in
      for index in 0..<row.count { row[index] = UInt16(index) }
    }
    var levels = SensorLevels(
      patternWidth: 3, patternHeight: 2, black: (0..<6 * perPixel).map(Float.init),
      scale: SIMD4(repeating: 1))
    levels.deltaColumn = (0..<8).map { Float($0) * 10 }
    levels.deltaRow = (0..<6).map { Float($0) * 100 }
    return SensorData(
      size: PixelSize(width: 8, height: 6), layout: layout, samples: samples, levels: levels)
  }

  /// Black of sample `s` at (x, y).
  private func black(_ data: SensorData, _ x: Int, _ y: Int, _ s: Int) -> Float {
    let levels = data.levels
    let index = y % levels.patternHeight * levels.patternWidth + x % levels.patternWidth
    return levels.black[index * data.samplesPerPixel + s] + levels.deltaColumn[x]
      + levels.deltaRow[y]
  }

  @Test(arguments: [
    SensorData.Layout.linear, .mosaic(CFA(width: 2, height: 2, channels: [0, 1, 1, 2])),
  ])
  func samplesLevelsAndFiltersStayTogether(_ layout: SensorData.Layout) throws {
    let full = try data(layout)
    let rect = PixelRect(x: 1, y: 3, width: 5, height: 2)
    let part = try full.part(rect)
    #expect(part.size == rect.size)
    for y in 0..<rect.height {
      for x in 0..<rect.width {
        for s in 0..<full.samplesPerPixel {
          let (px, py) = (x + rect.x, y + rect.y)
          let own = unsafe part.samples.counts(row: y)[x * full.samplesPerPixel + s]
          let its = unsafe full.samples.counts(row: py)[px * full.samplesPerPixel + s]
          #expect(own == its && black(part, x, y, s) == black(full, px, py, s))
        }
        if case .mosaic(let cfa) = part.layout, case .mosaic(let all) = full.layout {
          #expect(cfa.channel(x: x, y: y) == all.channel(x: x + rect.x, y: y + rect.y))
        }
      }
    }
  }
}

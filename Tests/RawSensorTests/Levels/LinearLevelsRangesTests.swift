import ImageCore
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct LinearLevelsRangesTests {
  static func data(_ size: PixelSize, deltas: Bool = false) throws -> SensorData {
    let samples = try RawSamples(of: UInt16.self, stride: size.width * 3, rows: size.height) {
      values in
      var state: UInt64 = 7
      for i in 0..<size.area * 3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        values[i] = UInt16(truncatingIfNeeded: state >> 44)
      }
    }
    return SensorData(
      size: size, layout: .linear, samples: samples,
      levels: SensorLevels(
        patternWidth: 1, patternHeight: 1, black: [100, 0, 12.5],
        deltaColumn: deltas ? [Float](repeating: 1, count: size.width) : [],
        scale: SIMD4(1.0 / 60000, 1.0 / 65000, 1.0 / 65535, 1)))
  }

  /// Ranges and counts equal the ones of the linear values, for widths beside and within vectors.
  @Test(arguments: [(5, 3), (192, 96), (411, 203)]) func storedRangesEqualThoseOfTheValues(
    width: Int, height: Int
  ) throws {
    let size = PixelSize(width: width, height: height)
    let levels = try LinearLevels(Self.data(size), balance: SIMD4(2, 1, 1.5, 1))
    let clip = SIMD4<Float>(1.9, 0.95, 1.4, 1)
    let filter = CFA(width: 3, height: 1, channels: [0, 1, 2])
    let bounds = try BlockExtrema(size, filter)
    let found = try #require(try levels.storedRanges(reaching: clip, bounds, workers: 2))
    let wanted = try BlockExtrema(size, filter)
    let plane = TilePlane()
    try plane.reshape(PixelRect(size))
    for c in 0..<3 {
      levels.load(plane, sample: c)
      var count = 0
      for y in 0..<height {
        wanted.add(plane.row(y), channel: c, y: y)
        for x in 0..<width where plane.row(y)[x] >= clip[c] { count += 1 }
      }
      #expect(found[c] == count)
    }
    for y in 0..<bounds.count.height {
      for x in 0..<bounds.count.width {
        let (a, b) = (bounds.block(x: x, y: y), wanted.block(x: x, y: y))
        for c in 0..<3 { #expect(a.low[c] == b.low[c] && a.high[c] == b.high[c]) }
      }
    }
  }

  /// Ranges of the four photosites of a mosaic, with any black of each.
  @Test(arguments: [(2, 2), (192, 96), (410, 202)]) func siteRangesEqualThoseOfTheValues(
    width: Int, height: Int
  ) throws {
    let size = PixelSize(width: width, height: height)
    let samples = try RawSamples(of: UInt16.self, stride: width, rows: height) { values in
      var state: UInt64 = 9
      for i in 0..<size.area {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        values[i] = UInt16(truncatingIfNeeded: state >> 44)
      }
    }
    func levels(deltas: Bool) throws -> LinearLevels {
      try LinearLevels(
        SensorData(
          size: size, layout: .mosaic(CFA(width: 2, height: 2, channels: [0, 1, 1, 2])),
          samples: samples,
          levels: SensorLevels(
            patternWidth: 2, patternHeight: 2, black: [100, 0, 12.5, 300],
            deltaColumn: deltas ? [Float](repeating: 1, count: width) : [],
            scale: SIMD4(1.0 / 60000, 1.0 / 65000, 1.0 / 65535, 1))),
        balance: SIMD4(2, 1, 1.5, 1))
    }
    #expect(try !levels(deltas: true).hasSiteRanges)
    let levels = try levels(deltas: false)
    #expect(levels.hasSiteRanges)
    let plane = TilePlane()
    try plane.reshape(PixelRect(size))
    levels.load(plane)
    let part = PixelRect(x: width / 4 * 2, y: 0, width: width - width / 4 * 2, height: height)
    for (site, range) in levels.siteRanges(in: part).enumerated() {
      var values: [Float] = []
      for y in stride(from: part.y + site >> 1, to: part.endY, by: 2) {
        for x in stride(from: part.x + site & 1, to: part.endX, by: 2) {
          values.append(plane.row(y)[x])
        }
      }
      #expect(range.low == values.min() && range.high == values.max())
    }
  }

  @Test func positionDependentBlackHasNoStoredRanges() throws {
    let size = PixelSize(width: 16, height: 8)
    let levels = try LinearLevels(Self.data(size, deltas: true), balance: SIMD4(1, 1, 1, 1))
    let bounds = try BlockExtrema(size, CFA(width: 3, height: 1, channels: [0, 1, 2]))
    #expect(try levels.storedRanges(reaching: SIMD4(1, 1, 1, 1), bounds, workers: 1) == nil)
  }
}

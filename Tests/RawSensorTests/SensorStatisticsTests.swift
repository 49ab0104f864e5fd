import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct SensorStatisticsTests {
  @Test(arguments: [SensorFixture.bayers[2], SensorFixture.xTrans()])
  func proxyIsTheMeanOfMiddleRowsAndPeakTheMaximum(cfa: CFA) throws {
    let data = SensorFixture.sensor(330, 252, cfa) { x, y, c in
      SensorFixture.busy(x, y, c)
    }
    let balance = SIMD4<Float>(1.8, 1, 1.3, 1)
    let full = try SensorPipeline(data, balance: balance, settings: SensorSettings())
    let reduced = try SensorFixture.picture(
      data, balance: balance, SensorSettings(resolution: .reduced))
    let matrix = Matrix3([1.5, -0.3, -0.2, -0.1, 1.3, -0.2, 0, -0.4, 1.4])
    var highest = -Double.infinity
    for y in 0..<reduced.size.height {
      for x in 0..<reduced.size.width {
        highest = max(highest, (matrix * SIMD3<Double>(reduced[x, y])).max())
      }
    }
    #expect(try abs(Double(full.peak(of: matrix, workers: 2)) - highest) < 1e-5)
    #expect(try full.peak(of: matrix, workers: 1) == full.peak(of: matrix, workers: 2))

    let proxy = try full.proxy(reduction: 12, workers: 2)
    let box = 12 / (cfa.kind == .bayer ? 2 : 3)
    #expect(proxy.size == PixelSize(width: reduced.size.width / box, height: 21))
    for (px, py) in [(0, 0), (7, 11), (26, 20)] {
      var sum = SIMD3<Float>()
      let middle = py * box + (box - 1) / 2
      for x in px * box..<(px + 1) * box { sum += reduced[x, middle] }
      let d = sum / Float(box) - proxy[px, py]
      #expect(abs(d.x) < 1e-5 && abs(d.y) < 1e-5 && abs(d.z) < 1e-5)
    }
  }

  /// The results of one search are reused for other exposures, and change no bit of theirs.
  @Test(arguments: [SensorSettings.Highlights.guided, .clipped])
  func aSecondSearchFindsTheSame(highlights: SensorSettings.Highlights) throws {
    let cfa = SensorFixture.bayers[0]
    let data = SensorFixture.sensor(800, 600, cfa) { x, y, c in
      min(1.3 * SensorFixture.busy(x, y, c) * Float(x + y) / 1400, 1)
    }
    func pipeline() throws -> SensorPipeline {
      try SensorPipeline(
        data, balance: SIMD4(1.8, 1, 1.3, 1), settings: SensorSettings(highlights: highlights))
    }
    let matrix = Matrix3([1.5, -0.3, -0.2, -0.1, 1.3, -0.2, 0, -0.4, 1.4])
    let searched = try pipeline()
    _ = try searched.peak(of: matrix, workers: 2)
    let others = [matrix, Matrix3([1, 0, 0, 0, 1, 0, 0, 0, 1])]
    for other in others + [0.013, 0.7, 1.1, 3.7, 190].map({ matrix * $0 }) {
      #expect(
        try searched.peak(of: other, workers: 2) == (try pipeline()).peak(of: other, workers: 2))
    }
    #expect(searched.peakCache.highest(of: [SIMD3(1, 0, 0)]) == nil)
  }
}

import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct MoireReductionTests {
  static let model = NoiseModel(shot: 1e-4, read: 1e-7, balance: NoiseFixture.even)

  /// Gray stripes finer than the raster of red and blue on the left, a colored edge on the right.
  static func stripes(_ x: Int, _ y: Int, _ c: Int) -> Float {
    if x < 100 { return 0.3 + 0.25 * cosf(Float(x) * 2.75 + Float(y) * 0.4) }
    return x < 130 ? 0.3 : [0.6, 0.2, 0.1][min(c, 2)]
  }

  static let picture = Result {
    try SensorFixture.bilinear(
      SensorFixture.sensor(160, 100, NoiseFixture.bayer, scene: stripes))
  }

  private static func color(_ picture: Image<CameraRGB>, _ columns: Range<Int>) -> Double {
    var sum = 0.0
    for y in 10..<90 {
      for x in columns {
        let rgb = picture[x, y]
        sum += Double(abs(rgb.x - rgb.y) + abs(rgb.z - rgb.y))
      }
    }
    return sum / Double(80 * columns.count)
  }

  @Test func amountZeroReturnsTheSourceBitForBit() throws {
    let source = try Self.picture.get()
    let reduction = try MoireReduction(source, model: Self.model, amount: 0)
    #expect(try NoiseFixture.differences(NoiseFixture.rendered(reduction), source) == 0)
  }

  @Test func falseColorShrinksWithTheAmount() throws {
    let source = try Self.picture.get()
    let before = Self.color(source, 16..<80)
    var last = before
    for amount: Float in [0.25, 0.5, 1] {
      let result = try NoiseFixture.rendered(
        try MoireReduction(source, model: Self.model, amount: amount))
      let now = Self.color(result, 16..<80)
      #expect(now < last, "\(amount)")
      last = now
    }
    #expect(last < 0.4 * before, "\(before) to \(last)")
  }

  @Test func edgesAndFlatAreasStayBitForBit() throws {
    let source = try SensorFixture.picture(
      SensorFixture.sensor(160, 100, NoiseFixture.bayer, scene: Self.stripes))
    let result = try NoiseFixture.rendered(try MoireReduction(source, model: Self.model, amount: 1))
    var changed = 0
    for y in 0..<100 {
      for x in 112..<160 where result[x, y] != source[x, y] { changed += 1 }
    }
    #expect(changed == 0)
  }

  @Test func noiseAloneStaysBitForBit() throws {
    let source = try SensorFixture.picture(
      NoiseFixture.sensor(96, 96, shot: 8e-3, read: 1e-4) { _, _, _ in 0.2 })
    let result = try NoiseFixture.rendered(
      try MoireReduction(source, model: NoiseFixture.model, amount: 1))
    #expect(NoiseFixture.differences(result, source) < 3 * 96 * 96 / 100)
  }

  @Test func anyRectangleHoldsTheSamePixels() throws {
    let reduction = try MoireReduction(Self.picture.get(), model: Self.model, amount: 1)
    #expect(try NoiseFixture.differences(reduction, in: NoiseFixture.cuts(reduction.size)) == 0)
  }

  @Test func extremeValuesGiveFiniteResults() throws {
    let values: [Float] = [.nan, .infinity, -.infinity, 1e38, -1e38, 65536, 0, 0.5]
    let source = try NoiseFixture.picture(64, 48) { x, y, c in values[(x * 5 + y * 3 + c) % 8] }
    let result = try NoiseFixture.rendered(try MoireReduction(source, model: Self.model, amount: 1))
    var made = 0
    for y in 0..<48 {
      for x in 0..<64 {
        for c in 0..<3 where result[x, y][c].isNaN && !source[x, y][c].isNaN { made += 1 }
      }
    }
    #expect(made == 0)
  }

  @Test func readsNoFurtherThanTheHalo() throws {
    let watched = WatchedPicture(try NoiseFixture.picture(300, 300) { _, _, _ in 0.2 })
    let buffer = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
    for offset in 0..<16 {
      let reduction = try MoireReduction(watched, model: Self.model, amount: 1)
      let rect = PixelRect(x: 120 + offset, y: 140 - offset, width: 1 + offset % 5, height: 3)
      watched.read = []
      try reduction.read(rect, into: buffer)
      #expect(!watched.read.isEmpty)
      for read in watched.read {
        #expect(rect.expanded(by: MoireReduction.halo).contains(read), "\(rect): \(read)")
      }
    }
  }
}

import Foundation
import TestSupport
import Testing

@testable import RawFilter

/// The rule, on a model of a picture: lightnesses that each value moves in its direction.
@Suite struct AutoAdjustmentTests {
  /// Relative luminances.
  struct Model {
    var luminances: [Double]
    var chroma = 15.0

    /// Of lightnesses without adjustment.
    init(lightness: [Double]) { luminances = lightness.map { pow($0 / 100, 3) } }

    /// `count` lightnesses at which the quantiles through `knots` are reached.
    init(quantiles knots: [(Double, Double)], count: Int = 2000) {
      self.init(
        lightness: (0..<count).map { index in
          let part = Double(index) / Double(count - 1)
          let next = max(knots.firstIndex { $0.0 >= part } ?? 1, 1)
          let (a, b) = (knots[next - 1], knots[next])
          return a.1 + (b.1 - a.1) * (part - a.0) / (b.0 - a.0)
        })
    }

    func measured(_ values: AutoAdjustment, _ coverage: Double?) -> LightnessStatistics {
      let gain = exp2(Double(values.exposure))
      let lightness = luminances.map { luminance -> Double in
        var level = cbrt(min(luminance * gain, 1))
        level += 0.1 * Double(values.highlights) * level * level
        level += 0.1 * Double(values.shadows) * (1 - level) * (1 - level)
        level = 0.5 + (level - 0.5) * (1 + 0.2 * Double(values.contrast))
        level += 0.15 * Double(values.blacks) * pow(1 - level, 4)
        level += 0.15 * Double(values.whites) * pow(level, 4)
        return 100 * min(max(level, 0), 1)
      }
      return LightnessStatistics(
        lightness: lightness, chroma: chroma * (1 + Double(values.vibrance)), coverage: coverage)
    }

    func found(
      from start: AutoAdjustment = AutoAdjustment(), keeping kept: Set<String> = []
    ) throws -> AutoAdjustment {
      try AutoAdjustment.found(from: start, keeping: kept, measuring: measured)
    }
  }

  /// A photograph that is as it should be.
  private static let good: [(Double, Double)] = [
    (0, 3.4), (0.012, 3.6), (0.1, 20), (0.5, 49), (0.9, 78), (0.97, 90), (0.994, 95.9), (1, 96.1),
  ]

  @Test func aGoodPictureStays() throws {
    var model = Model(quantiles: Self.good)
    model.chroma = 26
    let found = try model.found()
    #expect(found.exposure == 0 && found.highlights == 0 && found.shadows == 0)
    #expect(found.vibrance == 0)
    for value in [found.contrast, found.blacks, found.whites] { #expect(abs(value) <= 0.06) }
  }

  @Test(arguments: 0..<40) func noValueIsBeyondHalfOfItsRange(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let gamma = Double.random(in: 0.1...6, using: &random)
    let top = Double.random(in: 1...100, using: &random)
    var model = Model(
      lightness: (0..<500).map { _ in top * pow(Double.random(in: 0...1, using: &random), gamma) })
    model.chroma = Double.random(in: 0...60, using: &random)
    let found = try model.found()
    for row in AutoAdjustment.rows {
      let property = try #require(RAWProperty.named(row.name))
      let limit = try min(-#require(property.minimum), #require(property.maximum)) / 2
      #expect(abs(found[keyPath: row.value]) <= limit, "\(row.name)")
      // Two decimals, as pages show and sidecars hold them.
      let hundreds = Double(found[keyPath: row.value]) * 100
      #expect(abs(hundreds - hundreds.rounded()) < 1e-3, "\(row.name)")
    }
    #expect(try model.found() == found)
  }

  @Test func darkerPicturesGetMoreExposure() throws {
    let lightness = Model(quantiles: Self.good).luminances.map { 100 * cbrt($0) }
    var last = Float.infinity
    for scale in [0.3, 0.45, 0.6, 0.75, 0.9, 1, 1.2] {
      let exposure = try Model(lightness: lightness.map { min($0 * scale, 100) }).found().exposure
      #expect(exposure <= last + 0.02, "at \(scale)")
      last = exposure
    }
    #expect(last <= 0)
    let dark = try Model(lightness: lightness.map { $0 * 0.3 }).found()
    #expect(dark.exposure > 1)
  }

  /// Lamps say that it is night; a frame without anything bright was exposed too little.
  @Test func aNightSceneStaysNight() throws {
    let room = (0..<1000).map { 2 + 6 * Double($0) / 1000 }
    let dim = try Model(lightness: room).found()
    let night = try Model(lightness: room + [Double](repeating: 95, count: 30)).found()
    #expect(dim.exposure == 2.5 && night.exposure == 1.5)
  }

  @Test func anOverexposedFrameMayComeFurtherDown() {
    func stops(_ lightness: [Double]) -> ClosedRange<Double> {
      AutoAdjustment.stops(for: LightnessStatistics(lightness: lightness, chroma: 9))
    }
    let pale = (0..<1000).map { 88 + 12 * Double($0) / 1000 }
    #expect(stops(pale) == -2.5...1.5)
    #expect(stops(pale + [Double](repeating: 10, count: 200)) == -1.5...1.5)
  }

  @Test func aFrameWithoutAPictureStays() throws {
    for lightness in [[], [0], [Double](repeating: 0.3, count: 400)] {
      #expect(try Model(lightness: lightness).found() == AutoAdjustment())
    }
  }

  @Test func theSizeOfABlackFrameDoesNotCount() throws {
    let model = Model(lightness: (0..<900).map { 20 + 60 * Double($0) / 900 })
    var framed = model
    framed.luminances += [Double](repeating: 0, count: 600)
    let (own, other) = (try model.found(), try framed.found())
    #expect(own.exposure == other.exposure && own.shadows == other.shadows)
    #expect(own.contrast == other.contrast && other.blacks == 0)
  }

  @Test func grayPicturesGetNoVibrance() throws {
    var model = Model(quantiles: Self.good)
    model.chroma = 0.2
    #expect(try model.found().vibrance == 0)
    model.chroma = 16
    #expect(try model.found().vibrance == 0.15)
  }

  @Test func whatIsKeptStays() throws {
    let model = Model(lightness: (0..<500).map { 30 * Double($0) / 500 })
    var start = AutoAdjustment()
    (start.exposure, start.blacks) = (-0.7, 0.9)
    let found = try model.found(from: start, keeping: ["exposure", "blacks"])
    #expect(found.exposure == -0.7 && found.blacks == 0.9 && found.whites != 0)
    #expect(try model.found(from: start, keeping: Set(AutoAdjustment.names)) == start)
  }

  @Test func valuesAreAppliedByName() throws {
    var (values, settings) = (AutoAdjustment(), RAWSettings())
    for (number, row) in AutoAdjustment.rows.enumerated() {
      values[keyPath: row.value] = Float(number + 1) / 10
    }
    values.apply(to: &settings)
    #expect(AutoAdjustment(settings) == values)
    #expect(settings.look.vibrance == 0.7 && settings.exposure == 0.1)
    #expect(Set(values.values.keys) == Set(AutoAdjustment.names))
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(settings))
    let document = try #require(json as? [String: Any])
    for (name, value) in values.values {
      #expect((document[name] as? Double).map { Float($0) } == value, "\(name)")
    }
  }
}

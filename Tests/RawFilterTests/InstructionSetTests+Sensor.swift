import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import RawDecode
@testable import RawSensor

/// The stages of the sensor half, each with every set of instructions, in pictures whose sides are
/// no multiples of eight.
extension InstructionSetTests {
  private static let balance = SIMD4<Float>(2, 1, 1.5, 1.2)
  private static let model = NoiseModel(shot: 8e-3, read: 1e-4, balance: balance)

  /// Whether all sets make the same bits, more than one value among them.
  private static func areSame(_ make: () throws -> any PixelSource<CameraRGB>) throws -> Bool {
    let bits = try InstructionSets.results {
      let source = try make()
      let buffer = try PlanarBuffer(size: source.size)
      try source.read(PixelRect(source.size), into: buffer)
      return (0..<3).flatMap { c in
        (0..<source.size.height).flatMap { y in
          (0..<source.size.width).map { buffer.row(c, y)[$0].bitPattern }
        }
      }
    }
    return bits.baseline == bits.best && Set(bits.baseline).count > 100
  }

  /// Filters over a sensor with linear values 0…1, `isCounted` in 14 bits, with defects.
  private static func sensor(_ cfa: CFA, _ size: PixelSize, isCounted: Bool) throws -> SensorData {
    func value(_ x: Int, _ y: Int) -> Float {
      if x % 31 == 7 && y % 29 == 11 { return 0.97 }
      return SensorFixture.busy(x, y, cfa.channel(x: x, y: y))
    }
    func samples<Sample: RawSample>(_ stored: (Float) -> Sample) throws -> RawSamples {
      try RawSamples(of: Sample.self, stride: size.width, rows: size.height) { out in
        for y in 0..<size.height {
          for x in 0..<size.width { out[y * size.width + x] = stored(value(x, y)) }
        }
      }
    }
    let scale: Float = isCounted ? 1 / 15_871 : 1
    return SensorData(
      size: size, layout: cfa.channelCount == 1 ? .monochrome : .mosaic(cfa),
      samples: isCounted
        ? try samples { UInt16(max($0 * 15_871 + 512, 0)) } : try samples { $0 },
      levels: SensorLevels(
        patternWidth: 1, patternHeight: 1, black: [isCounted ? 512 : 0],
        scale: SIMD4(repeating: scale)))
  }

  static let patterns: [CFA] =
    SensorFixture.bayers + [
      SensorFixture.xTrans(x: 4, y: 1), CFA(width: 2, height: 2, channels: [0, 3, 1, 2]),
      CFA(width: 2, height: 2, channels: [0, 1, 3, 2]), CFA(width: 1, height: 1, channels: [0]),
    ]
  static let sizes = [
    PixelSize(width: 203, height: 137), PixelSize(width: 61, height: 45),
    PixelSize(width: 785, height: 30),
  ]

  @Test("Demosaic of every pattern by every method", arguments: patterns, DemosaicMethod.allCases)
  func sameDemosaic(cfa: CFA, method: DemosaicMethod) throws {
    for (index, size) in Self.sizes.enumerated() {
      let data = try Self.sensor(cfa, size, isCounted: index % 2 == 0)
      for domain in [SensorSettings.DemosaicDomain.squareRoot, .linear] {
        let settings = SensorSettings(domain: domain, method: method, noise: Self.model)
        #expect(
          try Self.areSame {
            try SensorPipeline(data, balance: Self.balance, settings: settings)
          }, "\(size)")
      }
    }
  }

  @Test(
    "Highlights and reduced pictures of every pattern", arguments: patterns,
    [SensorSettings.Highlights.guided, .clipped, .kept])
  func sameHighlights(cfa: CFA, highlights: SensorSettings.Highlights) throws {
    for resolution in [SensorSettings.Resolution.full, .reduced] {
      let settings = SensorSettings(highlights: highlights, resolution: resolution)
      for isCounted in [false, true] {
        let data = try Self.sensor(cfa, PixelSize(width: 203, height: 137), isCounted: isCounted)
        #expect(
          try Self.areSame {
            try SensorPipeline(data, balance: Self.balance, settings: settings)
          })
      }
    }
  }

  @Test(
    "Pixels of three samples, by levels and by curves",
    arguments: [SensorSettings.Highlights.guided, .clipped], [false, true])
  func sameLinearPixels(highlights: SensorSettings.Highlights, hasCurves: Bool) throws {
    let size = PixelSize(width: 101, height: 47)
    let samples = try RawSamples(of: UInt16.self, stride: 3 * size.width, rows: size.height) {
      out in
      for y in 0..<size.height {
        for x in 0..<3 * size.width {
          out[3 * y * size.width + x] = UInt16(
            max(SensorFixture.busy(x / 3, y, x % 3) * 60_000 + 2000, 0))
        }
      }
    }
    var levels = SensorLevels(
      patternWidth: 1, patternHeight: 1, black: [2000, 2010, 1990],
      scale: SIMD4(repeating: 1 / 60_000))
    if hasCurves {
      let curve = (0...65_535).map { (Float($0) / 65_535).squareRoot() }
      levels.curves = [curve, curve, curve]
    }
    let data = SensorData(size: size, layout: .linear, samples: samples, levels: levels)
    #expect(
      try Self.areSame {
        try SensorPipeline(
          data, balance: Self.balance, settings: SensorSettings(highlights: highlights))
      })
  }

  @Test("Noise reduction, moiré reduction and despeckling", arguments: sizes)
  func sameDenoising(size: PixelSize) throws {
    let picture = try Image<CameraRGB>(size: size, info: .init()) { planes in
      for c in 0..<3 {
        for y in 0..<size.height {
          for x in 0..<size.width {
            let value = SensorFixture.busy(x, y, c)
            planes.row(c, y)[x] = value + 0.05 * SensorFixture.noise(x, y, c)
          }
        }
      }
    }
    #expect(
      try Self.areSame {
        let spectrum = try NoiseSpectrum(
          layout: .mosaic(SensorFixture.bayers[0]), settings: SensorSettings(), model: Self.model)
        return try NoiseReduction(
          picture, model: Self.model, spectrum: spectrum,
          amounts: NoiseAmounts(luminance: 0.9, color: 0.8))
      })
    #expect(try Self.areSame { try MoireReduction(picture, model: Self.model, amount: 1) })
    #expect(try Self.areSame { try Despeckle(picture, model: Self.model, amount: 1) })
  }
}

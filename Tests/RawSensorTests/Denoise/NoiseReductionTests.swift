import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct NoiseReductionTests {
  static let methods: [NoiseReduction.Method] = [.shrinkage, .xTransShrinkage]
  static let noisy = Result {
    try SensorFixture.picture(
      NoiseFixture.sensor(203, 137, shot: 8e-3, read: 1e-4, scene: NoiseFixture.scene),
      SensorSettings(highlights: .kept))
  }

  @Test func amountsOfZeroReturnTheSourceBitForBit() throws {
    let source = try Self.noisy.get()
    let reduction = try NoiseFixture.reduction(source, luminance: 0, color: 0)
    #expect(try NoiseFixture.differences(NoiseFixture.rendered(reduction), source) == 0)
  }

  @Test(arguments: [(1, 1), (1, 0), (0, 1)], methods)
  func anyRectangleHoldsTheSamePixels(
    amounts: (Int, Int), method: NoiseReduction.Method
  ) throws {
    let reduction = try NoiseFixture.reduction(
      Self.noisy.get(), luminance: Float(amounts.0), color: Float(amounts.1), method: method)
    let cuts = NoiseFixture.cuts(reduction.size)
    #expect(try NoiseFixture.differences(reduction, in: cuts) == 0)
  }

  /// Rows reused from the rectangle above change nothing, with any heights.
  @Test(arguments: [(1, 1), (1, 0), (0, 1)], methods)
  func aLaneHoldsTheSamePixels(amounts: (Int, Int), method: NoiseReduction.Method) throws {
    let reduction = try NoiseFixture.reduction(
      Self.noisy.get(), luminance: Float(amounts.0), color: Float(amounts.1), method: method)
    let size = reduction.size
    for heights in [[1], [8], [13, 40, 3], [size.height - 5, 5]] {
      for columns in [0..<size.width, 5..<size.width / 2] {
        #expect(try NoiseFixture.differences(reduction, inLaneOf: heights, columns) == 0)
      }
    }
  }

  @Test(arguments: methods)
  func picturesSmallerThanTheHaloWork(method: NoiseReduction.Method) throws {
    for (width, height) in [(1, 1), (2, 3), (9, 5), (40, 3)] {
      let source = try NoiseFixture.picture(width, height) { x, y, c in
        NoiseFixture.scene(x, y, c)
      }
      let reduction = try NoiseFixture.reduction(source, method: method)
      #expect(try NoiseFixture.differences(reduction, in: [PixelRect(reduction.size)]) == 0)
      let mean = NoiseFixture.mean(try NoiseFixture.rendered(reduction))
      #expect((0..<3).allSatisfy { mean[$0].isFinite })
    }
  }

  @Test(arguments: methods)
  func readsNoFurtherThanTheHalo(method: NoiseReduction.Method) throws {
    let watched = WatchedPicture(try NoiseFixture.picture(400, 400) { _, _, _ in 0.2 })
    let buffer = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
    for offset in 0..<16 {
      let reduction = try NoiseFixture.reduction(watched, method: method)
      let rect = PixelRect(x: 180 + offset, y: 200 - offset, width: 1 + offset % 5, height: 3)
      watched.read = []
      try reduction.read(rect, into: buffer)
      #expect(!watched.read.isEmpty)
      for read in watched.read {
        #expect(rect.expanded(by: NoiseReduction.halo).contains(read), "\(rect): \(read)")
      }
    }
  }

  @Test(arguments: [NoiseFixture.bayer, SensorFixture.xTrans(x: 2, y: 1)])
  func gainsOnSimulatedNoise(cfa: CFA) throws {
    let data = NoiseFixture.sensor(203, 137, cfa, shot: 8e-3, read: 1e-4, scene: NoiseFixture.scene)
    let settings = SensorSettings(highlights: .kept)
    let source = try SensorFixture.picture(data, settings)
    let model = try NoiseModel(data, profile: [], iso: nil, balance: NoiseFixture.even)
    let spectrum = try NoiseSpectrum(layout: .mosaic(cfa), settings: settings, model: model)
    let reduction = try NoiseReduction(
      source, model: model, spectrum: spectrum, amounts: NoiseAmounts(for: model),
      method: cfa.kind == .xTrans ? .xTransShrinkage : .shrinkage)
    let before = NoiseFixture.error(source, NoiseFixture.scene)
    let after = NoiseFixture.error(try NoiseFixture.rendered(reduction), NoiseFixture.scene)
    let gain = 10 * log10(before / after)
    #expect(gain > 4.2, "\(cfa.kind): \(gain) dB")
  }

  /// Texture of 12 and 8 % at the noise of a small sensor at its lowest speed: of the common
  /// structure of truth and result between the sizes of 3 and 16 pixels, at most 0.3 dB are lost.
  /// At high speed the amounts follow from the noise alone.
  @Test(
    arguments: [0.3, 0.2] as [Float], [NoiseFixture.bayer, SensorFixture.xTrans(x: 2, y: 1)])
  func textureStaysAtLowSpeed(contrast: Float, cfa: CFA) throws {
    let (width, height) = (320, 240)
    func octave(_ x: Int, _ y: Int, _ size: Int) -> Float {
      let (column, row) = (x / size, y / size)
      func smooth(_ t: Float) -> Float { t * t * (3 - 2 * t) }
      let (u, v) = (
        smooth(Float(x % size) / Float(size)), smooth(Float(y % size) / Float(size))
      )
      func corner(_ i: Int, _ j: Int) -> Float {
        SensorFixture.hash(column + i, row + j, size) - 0.5
      }
      return (corner(0, 0) * (1 - u) + corner(1, 0) * u) * (1 - v)
        + (corner(0, 1) * (1 - u) + corner(1, 1) * u) * v
    }
    func texture(_ x: Int, _ y: Int, _ c: Int) -> Float {
      let sum = octave(x, y, 3) + octave(x, y, 6) + octave(x, y, 12)
      return 0.12 * exp(contrast * sum)
    }
    /// Root of green minus its mean of 9 × 9 pixels.
    func structure(_ picture: Image<CameraRGB>) -> [Double] {
      func root(_ x: Int, _ y: Int) -> Double { Double(max(picture[x, y].y, 0).squareRoot()) }
      return (12..<height - 12).flatMap { y in
        (12..<width - 12).map { x in
          var sum = 0.0
          for dy in -4...4 { for dx in -4...4 { sum += root(x + dx, y + dy) } }
          return root(x, y) - sum / 81
        }
      }
    }
    let model = NoiseModel(shot: 2e-4, read: 1e-6, balance: NoiseFixture.even)
    let settings = SensorSettings(highlights: .kept, defects: .kept)
    func picture(_ shot: Float, _ read: Float) throws -> Image<CameraRGB> {
      try SensorFixture.picture(
        NoiseFixture.sensor(width, height, cfa, shot: shot, read: read, scene: texture), settings)
    }
    let spectrum = try NoiseSpectrum(layout: .mosaic(cfa), settings: settings, model: model)
    let truth = structure(try picture(0, 0))
    let noisy = try picture(2e-4, 1e-6)
    func shared(_ amount: Float) throws -> Double {
      let result = structure(
        try NoiseFixture.rendered(
          try NoiseReduction(
            noisy, model: model, spectrum: spectrum,
            amounts: NoiseAmounts(luminance: amount, color: 0),
            method: cfa.kind == .xTrans ? .xTransShrinkage : .shrinkage)))
      return zip(result, truth).reduce(0) { $0 + $1.0 * $1.1 }
    }
    let limited = NoiseAmounts(luminance: 1, color: 1).limited(toSpeed: 200)
    let loss = 20 * log10(try shared(0) / shared(limited.luminance))
    #expect(loss < 0.3, "\(loss) dB")
    #expect(20 * log10(try shared(0) / shared(0.8)) > 0.6)
  }

  /// More of an amount changes the picture more, and leaves less noise in flat areas.
  @Test(arguments: [true, false])
  func amountsAreMonotone(isLuminance: Bool) throws {
    let source = try SensorFixture.picture(
      NoiseFixture.sensor(96, 96, shot: 8e-3, read: 1e-4) { _, _, _ in 0.2 })
    let mean = NoiseFixture.mean(source)
    var (lastChange, lastNoise) = (0.0, Double.infinity)
    for amount: Float in [0, 0.25, 0.5, 0.75, 1] {
      let result = try NoiseFixture.rendered(
        try NoiseFixture.reduction(
          source, luminance: isLuminance ? amount : 0, color: isLuminance ? 0 : amount))
      var (change, noise) = (0.0, 0.0)
      for y in 0..<96 {
        for x in 0..<96 {
          let d = SIMD3<Double>(result[x, y] - source[x, y])
          change += (d * d).sum()
          let e = SIMD3<Double>(result[x, y]) - mean
          noise += (e * e).sum()
        }
      }
      #expect(change >= lastChange && noise <= lastNoise, "\(amount)")
      (lastChange, lastNoise) = (change, noise)
    }
  }

  /// The mean of flat areas is preserved to 0.2 % and a hundredth of the noise of black.
  @Test(arguments: [Float(0), 0.0005, 0.003, 0.01, 0.05, 0.2, 0.6])
  func flatAreasKeepTheirMean(level: Float) throws {
    let source = try SensorFixture.picture(
      NoiseFixture.sensor(160, 160, shot: 8e-3, read: 1e-4) { _, _, _ in level },
      SensorSettings(highlights: .kept))
    let (before, after) = (
      NoiseFixture.mean(source, border: 8),
      NoiseFixture.mean(try NoiseFixture.rendered(try NoiseFixture.reduction(source)), border: 8)
    )
    for c in 0..<3 {
      let change = after[c] - before[c]
      #expect(abs(change) <= 0.002 * Double(level) + 1e-4, "\(level) channel \(c): \(change)")
    }
  }

  @Test func saturatedPixelsStayBitForBit() throws {
    let source = try NoiseFixture.picture(80, 60) { x, y, c in
      x < 40 ? 1.3 + 0.1 * SensorFixture.noise(x, y, c) : 0.2
    }
    let result = try NoiseFixture.rendered(try NoiseFixture.reduction(source))
    var changed = 0
    for y in 0..<60 {
      for x in 0..<32 where result[x, y] != source[x, y] { changed += 1 }
    }
    #expect(changed == 0)
  }

  @Test func noiseFreePicturesLoseNothingVisible() throws {
    let data = SensorFixture.sensor(203, 137, NoiseFixture.bayer, scene: NoiseFixture.scene)
    let source = try SensorFixture.picture(data)
    let model = try NoiseModel(data, profile: [], iso: nil, balance: NoiseFixture.even)
    let amounts = NoiseAmounts(for: model)
    let result = try NoiseFixture.rendered(
      try NoiseFixture.reduction(
        source, luminance: amounts.luminance, color: amounts.color, model: model))
    let loss =
      10
      * log10(
        NoiseFixture.error(result, NoiseFixture.scene)
          / NoiseFixture.error(source, NoiseFixture.scene))
    #expect(loss < 0.1, "\(loss) dB with \(amounts)")
  }

  @Test(arguments: methods)
  func extremeValuesGiveFiniteResults(method: NoiseReduction.Method) throws {
    let values: [Float] = [
      .nan, .infinity, -.infinity, 1e38, -1e38, 65536, 1e-37, 0, -0.0, 0.5,
    ]
    let source = try NoiseFixture.picture(64, 48) { x, y, c in values[(x * 7 + y * 3 + c) % 10] }
    for model in [
      NoiseFixture.model, NoiseModel(shot: 0, read: 0, balance: NoiseFixture.even),
      NoiseModel(shot: 1e9, read: 1e9, balance: SIMD4(1e9, 1, 1e-9, 1)),
    ] {
      let result = try NoiseFixture.rendered(
        try NoiseFixture.reduction(source, model: model, method: method))
      var notNumbers = 0
      for y in 0..<48 {
        for x in 0..<64 { for c in 0..<3 where result[x, y][c].isNaN { notNumbers += 1 } }
      }
      #expect(notNumbers == 0)
    }
  }

  @Test func amountsOutsideTheirRangeAreRefused() throws {
    let source = try NoiseFixture.picture(8, 8) { _, _, _ in 0 }
    for amount: Float in [-0.1, 1.01, .nan, .infinity] {
      #expect(throws: RAWError.self) {
        try NoiseFixture.reduction(source, luminance: amount, color: 0)
      }
      #expect(throws: RAWError.self) {
        try NoiseFixture.reduction(source, luminance: 0, color: amount)
      }
    }
  }
}

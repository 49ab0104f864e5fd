import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

/// Noise, sharpness and local tone by the names of the façade.
@Suite struct RAWFilterDetailTests {
  static let size = PixelSize(width: 256, height: 192)

  /// Cloth, edges, specks, fine stripes and a ramp over six stops, with noise.
  static func file(shotNoise: Float = 2e-3) throws -> Data {
    var sensor = SimulatedSensor()
    (sensor.shotNoise, sensor.readNoise, sensor.defectCount) = (shotNoise, shotNoise * 1e-3, 0)
    let writer = sensor.expose(size: size) { x, y in
      let luminance = exp2(Float(x) / 40 - 4)
      let cloth = 1 + 0.3 * sin(Float(x)) * sin(Float(y) * 0.9)
      let stripes = y > 150 ? 1 + 0.8 * sin(Float(x) * 2.9) : 1
      let edge: Float = (x / 24 + y / 24) % 2 == 0 ? 1 : 0.6
      let speck: Float = x % 61 == 30 && y % 53 == 20 ? 4 : 1
      return SIMD3(luminance, luminance * 0.8, luminance * 0.7) * cloth * edge * speck * stripes
    }
    return Data(try writer.bytes)
  }

  static func neutral(_ data: Data) throws -> RAWFilter {
    var filter = try RAWFilter(data: data)
    filter.luminanceNoiseReductionAmount = 0
    filter.colorNoiseReductionAmount = 0
    filter.sharpnessAmount = 0
    filter.outputSharpening = .none
    filter.demosaicMethod = .fast
    filter.extendedDynamicRangeAmount = 1
    return filter
  }

  static let amounts: [String] = [
    "luminanceNoiseReductionAmount", "colorNoiseReductionAmount", "despeckleAmount",
    "moireReductionAmount", "sharpnessAmount", "detailAmount", "contrastAmount",
    "dehazeAmount", "localToneMapAmount",
  ]

  static func path(_ name: String) throws -> WritableKeyPath<RAWFilter, Float> {
    guard case .number(let path)? = Adjustment.named(name)?.accessor else {
      throw RAWError(.badSetting, .settings, "\(name) is no number", setting: name)
    }
    return path
  }

  static func pixels(_ filter: RAWFilter) throws -> [SIMD3<Float>] {
    let image = try filter.outputImage().image
    return (0..<image.size.area).map { image[$0 % image.size.width, $0 / image.size.width] }
  }

  /// Root of the mean squared change in the logarithm of green.
  static func change(_ a: [SIMD3<Float>], _ b: [SIMD3<Float>]) -> Double {
    let sum = zip(a, b).reduce(0.0) {
      let stops = log2(Double(max($1.0.y, 1e-3)) / Double(max($1.1.y, 1e-3)))
      return $0 + stops * stops
    }
    return (sum / Double(a.count)).squareRoot()
  }

  @Test(arguments: amounts) func theEffectGrowsWithTheAmount(_ name: String) throws {
    var filter = try Self.neutral(Self.file())
    let path = try Self.path(name)
    let limit = try #require(RAWProperty.named(name)?.maximum)
    let neutral = try Self.pixels(filter)
    var last = 0.0
    for fraction in [Float(0.25), 0.5, 0.75, 1] {
      filter[keyPath: path] = fraction * limit
      #expect(filter[keyPath: path] == fraction * limit)
      let change = try Self.change(neutral, Self.pixels(filter))
      #expect(change >= last, "\(name) at \(fraction * limit)")
      last = change
    }
    #expect(last > 1e-3)
    filter[keyPath: path] = .nan
    #expect(filter[keyPath: path] == limit)
    filter[keyPath: path] = -2
    #expect(filter[keyPath: path] == RAWProperty.named(name)?.minimum)
    filter[keyPath: path] = 0
    #expect(try Self.pixels(filter) == neutral)
  }

  @Test func defaultsFollowTheNoise() throws {
    let clean = try RAWFilter(data: Self.file(shotNoise: 1e-5))
    let noisy = try RAWFilter(data: Self.file(shotNoise: 8e-3))
    #expect(clean.luminanceNoiseReductionAmount < 0.05)
    #expect(noisy.luminanceNoiseReductionAmount == 1 && noisy.colorNoiseReductionAmount == 1)
    let (before, after) = (try Self.neutral(Self.file(shotNoise: 8e-3)), noisy)
    #expect(try Self.change(Self.pixels(before), Self.pixels(after)) > 0.1)
    #expect(clean.sharpnessAmount == 0.8)
  }

  @Test func withoutColorItsNoiseAndMoireAreNotSupported() throws {
    let samples = (0..<Self.size.area).map { UInt16(2000 + $0 * 7919 % 3000) }
    let writer = DNGWriter(size: Self.size, layout: .monochrome, samples: samples)
    var filter = try RAWFilter(data: Data(try writer.bytes))
    #expect(!filter.isColorNoiseReductionSupported && !filter.isMoireReductionSupported)
    #expect(!filter.supportedAdjustments.contains("colorNoiseReductionAmount"))
    let before = try Self.pixels(filter)
    filter.colorNoiseReductionAmount = 1
    filter.moireReductionAmount = 1
    #expect(try Self.pixels(filter) == before)
  }

  @Test func localContrastIsMeasuredOnce() throws {
    var filter = try Self.neutral(Self.file())
    for amount: Float in [0.2, 1] {
      (filter.contrastAmount, filter.localToneMapAmount) = (amount, amount)
      filter.dehazeAmount = amount
      _ = try filter.plan()
    }
    #expect(filter.picture.cache.found(.sceneLuminance) == 1)
    #expect(filter.picture.cache.found(.localContrast) == 1)
    #expect(filter.picture.cache.found(.haze) == 1)
  }

  @Test func localToneKeepsBrightnessAndHeadroom() throws {
    var filter = try Self.neutral(Self.file(shotNoise: 1e-5))
    filter.boostAmount = 0
    let (before, plain) = (try filter.outputImage(), try Self.pixels(filter))
    filter.localToneMapAmount = 1
    let (after, mapped) = (try filter.outputImage(), try Self.pixels(filter))
    func mean(_ pixels: [SIMD3<Float>]) -> Double {
      pixels.reduce(0) {
        $0 + log2(max(Double(($1 * SIMD3(0.2627, 0.678, 0.0593)).sum()), exp2(-12)))
      } / Double(pixels.count)
    }
    #expect(abs(mean(plain) - mean(mapped)) < 0.05)
    #expect(abs(after.contentHeadroom / before.contentHeadroom - 1) < 0.02)
    #expect(Self.change(plain, mapped) > 0.1)
  }

  @Test func everythingAtOnceIsTheSameHoweverItIsCut() throws {
    var filter = try RAWFilter(data: Self.file())
    for name in Self.amounts { filter[keyPath: try Self.path(name)] = 0.7 }
    for (orientation, scale) in [(Orientation.up, Float(1)), (.left, 0.7), (.down, 0.4)] {
      filter.orientation = orientation
      filter.scaleFactor = scale
      let whole = try filter.outputImage().image
      let rendition = try filter.rendition()
      let part = PlanarBuffer()
      for rect in [
        PixelRect(x: 13, y: 27, width: 41, height: 30),
        PixelRect(x: 0, y: 40, width: 60, height: 9),
      ] {
        try rendition.read(rect, into: part)
        for y in 0..<rect.height {
          for x in 0..<rect.width {
            let pixel = SIMD3(part.row(0, y)[x], part.row(1, y)[x], part.row(2, y)[x])
            #expect(pixel == whole[rect.x + x, rect.y + y])
          }
        }
      }
    }
  }

  @Test func noneOfItMovesTheHeadroomOfTheFile() throws {
    let data = try Self.file()
    let before = try Self.neutral(data).rendition().fileHeadroom
    var filter = try Self.neutral(data)
    for name in Self.amounts { filter[keyPath: try Self.path(name)] = 1 }
    #expect(try filter.rendition().fileHeadroom == before)
  }

  @Test func everyNumberAndToggleHasAValue() throws {
    let adjustments = try RAWFilter(data: Self.file()).adjustments
    #expect(adjustments.map(\.name) == RAWProperty.all.map(\.name))
    for property in RAWProperty.all {
      let adjustment = try #require(adjustments.first { $0.name == property.name })
      let isNumber = property.kind == .number || property.kind == .toggle
      #expect((adjustment.value != nil) == isNumber, "\(property.name)")
      if let value = adjustment.value, let minimum = property.minimum { #expect(value >= minimum) }
    }
  }
}

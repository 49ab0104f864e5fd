import Foundation
import ImageCore
import Synchronization
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

/// The façade on a small simulated raw whose scene values are known.
@Suite struct RAWFilterTests {
  static let sensor: SimulatedSensor = {
    var sensor = SimulatedSensor()
    (sensor.shotNoise, sensor.readNoise, sensor.defectCount) = (0, 0, 0)
    return sensor
  }()

  /// A neutral ramp along x with three bands: gray, reddish, bluish; up to `peak`.
  static func file(
    peak: Float = 2, orientation: Orientation = .up, fields: [UInt16: TIFFValue] = [:]
  ) throws -> Data {
    var writer = sensor.expose(size: PixelSize(width: 200, height: 120)) { x, y in
      let level = peak * Float(x) / 200
      switch Int(y / 44) {
      case 0: return SIMD3(repeating: level)
      case 1: return SIMD3(level, level * 0.6, level * 0.5)
      default: return SIMD3(level * 0.5, level * 0.6, level)
      }
    }
    writer.orientation = orientation
    writer.additionalFields.merge(fields) { $1 }
    return Data(try writer.bytes)
  }

  static func filter(peak: Float = 2) throws -> RAWFilter { try RAWFilter(data: file(peak: peak)) }

  @Test func opensWithoutDecoding() throws {
    let filter = try Self.filter()
    #expect(filter.nativeSize == filter.outputSize)
    #expect(filter.nativeSize.width < 200 && filter.nativeSize.width > 150)
    #expect(filter.warnings.isEmpty)
    #expect(filter.picture.counts.decodes == 0)
    #expect(filter.supportedDecoderVersions == [.version1])
    #expect(filter.supportedAdjustments.contains("exposure"))
  }

  @Test func changingTheLookNeverDemosaicsAgain() throws {
    var filter = try Self.filter()
    _ = try filter.outputImage()
    filter.exposure = 1
    filter.neutralTemperature = 4000
    filter.extendedDynamicRangeAmount = 0.5
    filter.boostAmount = 0.3
    filter.orientation = .right
    filter.isGamutMappingEnabled = false
    _ = try filter.outputImage()
    var copy = filter
    copy.exposure = -1
    _ = try copy.outputImage()
    #expect(filter.picture.counts.decodes == 1)
    #expect(filter.picture.counts.demosaics == 1)
  }

  @Test func keptAndStreamedPicturesAreTheSame() throws {
    var filter = try Self.filter()
    filter.extendedDynamicRangeAmount = 0.7
    let streamed = try Image(rendering: try filter.rendition(), bandHeight: 13)
    let cached = try filter.outputImage().image
    filter.workers = 1
    let again = try filter.outputImage().image
    for y in 0..<cached.size.height {
      for x in 0..<cached.size.width {
        #expect(cached[x, y] == streamed[x, y] && cached[x, y] == again[x, y])
      }
    }
  }

  @Test func linearSettingsGiveSceneLinearValues() throws {
    var filter = try Self.filter(peak: 2)
    filter.boostAmount = 0
    let image = try filter.outputImage().image
    // Gray band: R = G = B, and values grow linearly along x.
    let (a, b) = (image[40, 12], image[120, 12])
    for c in [a, b] { #expect(c.max() / c.min() < 1.01) }
    let step = (b - a) / 80
    let c = image[160, 12]
    let expected = b + step * 40
    #expect(abs(c.y / expected.y - 1) < 0.01)
    filter.exposure = 1
    let brighter = try filter.outputImage().image
    #expect(abs(brighter[120, 12].y / b.y - 2) < 1e-5)
  }

  @Test func statisticsAreThoseOfThePixels() throws {
    for amount in [Float(0), 0.5, 1] {
      var filter = try Self.filter(peak: 2.5)
      filter.extendedDynamicRangeAmount = amount
      let result = try filter.outputImage()
      var (peak, sum) = (Float(0), 0.0)
      for y in 0..<result.image.size.height {
        for x in 0..<result.image.size.width {
          let m = max(0, result.image[x, y].max())
          peak = max(peak, m)
          sum += Double(m)
        }
      }
      #expect(result.contentHeadroom == peak)
      let mean = Float(sum / Double(result.image.size.area))
      #expect(abs(result.contentAverageLightLevel / mean - 1) < 1e-4)
      // The brightest scene value reaches the headroom at amount 1 (a cell of the sensor is 1 % of
      // it), and white nearly at 0, where white is that of every scene.
      #expect(peak / pow(result.fileHeadroom, amount) > (amount == 1 ? 0.9875 : 0.95))
      #expect(peak <= pow(result.fileHeadroom, amount) * 1.000_01)
    }
  }

  @Test func fourViewsOfOneWhite() throws {
    var filter = try Self.filter()
    let (kelvin, tint) = (filter.neutralTemperature, filter.neutralTint)
    filter.neutralTemperature = kelvin + 1000
    #expect(abs(filter.neutralTemperature - kelvin - 1000) < 2)
    #expect(abs(filter.neutralTint - tint) < 0.1)
    let xy = filter.neutralChromaticity
    filter.neutralTint = 20
    #expect(filter.neutralChromaticity != xy)
    filter.neutralChromaticity = xy
    #expect(abs(filter.neutralTint - tint) < 0.1)
    #expect(filter.neutralLocation == nil)
    // A reddish area made neutral: the illuminant is taken to be redder, so cooler in kelvin.
    filter.neutralLocation = PixelPoint(x: 60, y: 52)
    #expect(filter.neutralTemperature < kelvin)
    let image = try filter.outputImage().image
    let c = image[60, 52]
    #expect(c.max() / c.min() < 1.02)
    filter.neutralLocation = nil
    #expect(abs(filter.neutralTemperature - kelvin) < 1e-3)
  }

  @Test func higherTemperatureIsWarmer() throws {
    var filter = try Self.filter()
    let before = try filter.outputImage().image[80, 12]
    filter.neutralTemperature = 9000
    let after = try filter.outputImage().image[80, 12]
    #expect(after.x / after.z > before.x / before.z * 1.1)
  }

  @Test(arguments: Orientation.allCases) func turnsUpright(orientation: Orientation) throws {
    let plain = try RAWFilter(data: Self.file())
    let turned = try RAWFilter(data: Self.file(orientation: orientation))
    #expect(turned.orientation == orientation)
    #expect(turned.nativeSize == plain.nativeSize)
    let (a, b) = (try plain.outputImage().image, try turned.outputImage().image)
    #expect(b.size == orientation.upright(a.size))
    for y in stride(from: 0, to: b.size.height, by: 7) {
      for x in stride(from: 0, to: b.size.width, by: 5) {
        let p = orientation.storedPoint(of: PixelPoint(x: x, y: y), stored: a.size)
        #expect(b[x, y] == a[p.x, p.y])
      }
    }
  }

  @Test(arguments: [Float(1), 0.75, 0.5, 0.31, 0.1, 0.001]) func scales(scale: Float) throws {
    var filter = try Self.filter()
    filter.boostAmount = 0
    let full = try filter.outputImage().image
    filter.scaleFactor = scale
    let small = try filter.outputImage().image
    #expect(small.size == filter.outputSize)
    let width = max(1, Int((Double(full.size.width) * Double(scale)).rounded()))
    #expect(small.size.width == width)
    func mean(_ image: Image<DisplayReferred>) -> Float {
      var sum = 0.0
      for y in 0..<image.size.height {
        for x in 0..<image.size.width { sum += Double(image[x, y].y) }
      }
      return Float(sum / Double(image.size.area))
    }
    #expect(abs(mean(small) / mean(full) - 1) < 0.01)
  }

  @Test func draftIsCloseToFull() throws {
    var filter = try Self.filter()
    let full = try filter.outputImage().image
    filter.isDraftModeEnabled = true
    let draft = try filter.outputImage().image
    #expect(draft.size == full.size)
    #expect(abs(draft[80, 12].y / full[80, 12].y - 1) < 0.03)
  }

  @Test func numbersAreClampedAndNonsenseIsIgnored() throws {
    var filter = try Self.filter()
    filter.exposure = 99
    #expect(filter.exposure == 20)
    filter.exposure = .nan
    #expect(filter.exposure == 20)
    filter.extendedDynamicRangeAmount = 3
    #expect(filter.extendedDynamicRangeAmount == 1)
    filter.boostShadowAmount = -.infinity
    #expect(filter.boostShadowAmount == 1)
    filter.scaleFactor = 0
    #expect(filter.scaleFactor == 0.001)
    filter.neutralTemperature = 1
    #expect(abs(filter.neutralTemperature - 2000) < 1)
    filter.neutralChromaticity = Chromaticity(x: 7, y: 7)
    #expect(filter.neutralChromaticity.x + filter.neutralChromaticity.y < 1)
    filter.neutralLocation = PixelPoint(x: -5, y: 1_000_000)
    #expect(filter.neutralLocation == PixelPoint(x: 0, y: filter.nativeSize.height - 1))
    _ = try? filter.outputImage()
  }

  @Test func badSettingsAreErrors() throws {
    let filter = try Self.filter()
    var broken: [RAWFilter] = Array(repeating: filter, count: 5)
    broken[0].settings.exposure = .nan
    broken[1].settings.boostAmount = 2
    broken[2].settings.scaleFactor = -1
    broken[3].settings.neutral = .temperature(kelvin: 10, tint: nil)
    broken[4].decoderVersion = DecoderVersion(rawValue: "2")
    for filter in broken {
      let error = #expect(throws: RAWError.self) { try filter.outputImage() }
      #expect(error?.code == .badSetting)
    }
  }

  @Test func settingsSurviveJSON() throws {
    var settings = RAWSettings()
    settings.exposure = 0.5
    settings.sharpnessAmount = 0.25
    settings.detailAmount = 2
    settings.orientation = .left
    for neutral in [
      WhiteBalance.asShot, .automatic, .temperature(kelvin: 4500, tint: nil),
      .temperature(kelvin: nil, tint: -7), .chromaticity(Chromaticity(x: 0.3, y: 0.32)),
      .location(PixelPoint(x: 3, y: 4)),
    ] {
      settings.neutral = neutral
      let data = try JSONEncoder().encode(settings)
      #expect(try JSONDecoder().decode(RAWSettings.self, from: data) == settings)
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        RAWSettings.self, from: Data(#"{"neutralTint": 3, "neutralLocation": [1, 2]}"#.utf8))
    }
    #expect(try JSONDecoder().decode(RAWSettings.self, from: Data("{}".utf8)) == RAWSettings())
  }

  @Test func linearSpaceFilterSeesTheScene() throws {
    var filter = try Self.filter()
    filter.boostAmount = 0
    let plain = try filter.outputImage()
    filter.linearSpaceFilter = { $0 * 3 }
    let tripled = try filter.outputImage()
    #expect(abs(tripled.image[100, 12].y / plain.image[100, 12].y - 3) < 1e-5)
    #expect(abs(tripled.contentHeadroom / plain.contentHeadroom - 3) < 1e-4)
    filter.boostAmount = 1
    #expect(try filter.outputImage().contentHeadroom <= 1)
  }

  @Test func rendersOnManyThreadsAtOnce() async throws {
    let filter = try Self.filter()
    let expected = try await filter.outputImage().image[90, 50]
    try await withThrowingTaskGroup(of: SIMD3<Float>.self) { group in
      for _ in 0..<8 { group.addTask { try filter.outputImage().image[90, 50] } }
      for try await value in group { #expect(value == expected) }
    }
  }

  @Test func tellsItsProgress() async throws {
    let filter = try Self.filter()
    let reported = Mutex<[Double]>([])
    _ = try await filter.outputImage { fraction in reported.withLock { $0.append(fraction) } }
    reported.withLock {
      #expect($0.max() == 1 && $0.min().map { $0 > 0 } == true)
      #expect(Set($0).count == $0.count)
    }
  }

  /// It is whiter than the illuminant's color, which is neutral under the white as shot.
  @Test func clippedHighlightsAreWhiterUnderAnyWhite() throws {
    var filter = try Self.filter(peak: 8)
    for kelvin in [Float(3500), 9000] {
      filter.neutralTemperature = kelvin
      let c = try filter.outputImage().image[filter.nativeSize.width - 4, 12]
      #expect(c.max() / c.min() < 1.2, "\(kelvin) K: \(c)")
    }
  }
}

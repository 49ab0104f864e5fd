import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct GuidedHighlightsTests {
  static let patterns = [
    SensorFixture.bayers[0], SensorFixture.bayers[2], SensorFixture.xTrans(x: 1, y: 3),
    CFA(width: 2, height: 2, channels: [0, 1, 3, 2]),
  ]
  static let side = 192
  /// The sensor's response to a white of 5500 K, largest channel 1.
  static let response = SIMD4<Float>(0.5, 1, 0.625, 0.9)

  /// Radiance of a black body relative to one of 5500 K, at the wavelengths of the channels.
  static func illuminant(_ kelvin: Double) -> SIMD4<Float> {
    let bands = [600e-9, 540e-9, 460e-9, 510e-9].map { band in
      let c = 1.4388e-2
      return (exp(c / (band * 5500)) - 1) / (exp(c / (band * kelvin)) - 1)
    }
    return SIMD4(bands.map { Float($0 / bands[1]) })
  }

  /// Gains that make this illuminant gray, the smallest 1.
  static func balance(_ kelvin: Double) -> SIMD4<Float> {
    let neutral = response * illuminant(kelvin)
    return neutral.max() / neutral
  }

  /// A scene under a neutral illuminant of 1: reflectance and illumination of every pixel.
  struct Scene: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let pixel: @Sendable (Float, Float) -> SIMD4<Float>
  }

  static func glow(_ x: Float, _ y: Float, _ cx: Float, _ cy: Float, _ r: Float) -> Float {
    exp(-((x - cx) * (x - cx) + (y - cy) * (y - cy)) / (2 * r * r))
  }

  static let scenes = [
    Scene(testDescription: "lamps") { x, y in
      let lamps = 2.5 * glow(x, y, 45, 45, 9) + 1.8 * glow(x, y, 140, 50, 15)
      return SIMD4(repeating: lamps + 1.4 * glow(x, y, 70, 145, 22))
        + 0.25 * SIMD4(1.05, 1, 0.9, 0.95)
    },
    Scene(testDescription: "sky") { x, y in
      let sun = 2.5 * exp(-hypot(x - 125, y - 60) / 30)
      let blue = SIMD4<Float>(0.55, 0.75, 1, 0.9) * (0.6 + 0.5 * y / 192)
      let branch = min(max(6 * sin(x * 0.11 + y * 0.07) * sin(y * 0.09) - 4, 0), 1)
      return (blue + sun) * (1 - branch) + branch * SIMD4(0.06, 0.09, 0.03, 0.06)
    },
    Scene(testDescription: "window") { x, y in
      let pane = (1.3 + 0.2 * sin(x * 0.4) * sin(y * 0.33)) * (0.8 + 0.7 * x / 192)
      let leaf = min(max(2 * sin(x * 0.05 + 1) * sin(y * 0.06) + 0.3, 0), 1)
      return SIMD4(repeating: pane * (1 - leaf)) + leaf * SIMD4(0.18, 0.32, 0.06, 0.2)
    },
    Scene(testDescription: "skin") { x, y in
      let shade = 0.6 + 0.38 * cos((x - 95) / 40) * cos((y - 95) / 45)
      let gloss = 1.8 * (glow(x, y, 75, 75, 7) + glow(x, y, 115, 120, 11))
      return SIMD4(1, 0.68, 0.52, 0.6) * (1.1 * shade) + gloss
    },
  ]

  static func data(_ cfa: CFA, _ scene: Scene, kelvin: Double) -> SensorData {
    let neutral = response * illuminant(kelvin)
    return SensorFixture.sensor(side, side, cfa) { x, y, c in
      let value = scene.pixel(Float(x), Float(y))[c] * neutral[c]
      return min(value + 0.002 * SensorFixture.noise(x, y, c), 1)
    }
  }

  /// Omits the fourth color, so that truth and white in use have three channels.
  static func fold(_ cfa: CFA) -> [Double] {
    cfa.channelCount == 4 ? [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0] : []
  }

  /// Mean error in color, stops from constant chromaticity, and in brightness, stops, where a
  /// channel is saturated and another is not.
  static func errors(
    _ picture: Image<CameraRGB>, _ scene: Scene, kelvin: Double, white: SIMD3<Float>,
    shot: SIMD4<Float>
  ) -> SIMD2<Double> {
    let neutral = response * illuminant(kelvin)
    var (sum, count) = (SIMD2<Double>(), 0.0)
    for y in 8..<side - 8 {
      for x in 8..<side - 8 {
        let camera = scene.pixel(Float(x), Float(y)) * neutral
        let saturated = (0..<3).filter { camera[$0] > 0.99 }.count
        guard (1...2).contains(saturated) else { continue }
        let balanced = camera * shot
        let truth = SIMD3(balanced.x, balanced.y, balanced.z) * white
        let found = picture[x, y] * white
        var color = 0.0
        for c in 0..<3 {
          let ratio = found[c] / max(found.sum(), 1e-6) / (truth[c] / truth.sum())
          color += abs(log2(Double(max(ratio, 1e-4)))) / 3
        }
        sum += SIMD2(color, abs(log2(Double(max(found.sum(), 1e-6) / truth.sum()))))
        count += 1
      }
    }
    return sum / max(count, 1)
  }

  /// Whites as shot and in use for illuminants, all of which people choose.
  static let illuminants: [(illuminant: Double, shot: Double, used: Double)] = [
    (5500, 5500, 5500), (3000, 3000, 3000), (2500, 5500, 2500), (3000, 5500, 3200),
    (8000, 5500, 8000), (12_000, 5500, 12_000), (12_000, 5500, 5500), (2500, 5500, 5500),
  ]

  @Test(arguments: patterns, scenes)
  func isNearTheTruthUnderTheWhiteInUse(cfa: CFA, scene: Scene) throws {
    let fold = Self.fold(cfa)
    var total = SIMD2<Double>()
    for (kelvin, shot, used) in Self.illuminants {
      let data = Self.data(cfa, scene, kelvin: kelvin)
      let balance = Self.balance(shot)
      let white = Self.balance(used) / balance
      let guided = try SensorFixture.picture(
        data, balance: balance,
        SensorSettings(highlights: .guided, white: white, fourColorToRGB: fold))
      let three = SIMD3(white.x, white.y, white.z)
      total +=
        Self.errors(guided, scene, kelvin: kelvin, white: three, shot: balance)
        / Double(Self.illuminants.count)
    }
    // Clipped to neutral it is 0.3 and 0.5.
    #expect(total.x < 0.06 && total.y < 0.08, "\(total)")
  }

  /// Dark lines of 1 to 4 photosites, as a lens shows them, in front of a level of 2.5 that
  /// saturates all channels.
  static let lines = Scene(testDescription: "lines") { x, y in
    var level: Float = 2.5
    for (number, at) in [30, 66, 102, 138].enumerated() {
      let across = number % 2 == 0 ? x - Float(at) : (x + 0.6 * y - 1.4 * Float(at)) / 1.166
      let width = 0.5 + 0.5 * Float(number)
      let covered = (erf((across + width) / 1.1) - erf((across - width) / 1.1)) / 2
      level *= 1 - 0.97 * covered
    }
    return SIMD4(repeating: level)
  }

  /// Objects in front of saturated areas stay neutral, dark, and thin: no channel stays at its clip
  /// level beside them, and reconstructed areas come close to them.
  @Test(arguments: patterns.prefix(3)) func thinDarkLinesStayNeutral(cfa: CFA) throws {
    for kelvin in [4200.0, 5500] {
      let balance = Self.balance(kelvin)
      let neutral = Self.response * Self.illuminant(kelvin)
      // The same at an exposure at which nothing is saturated.
      let short = Scene(testDescription: "short") { x, y in Self.lines.pixel(x, y) / 4 }
      let truth = try SensorFixture.picture(
        Self.data(cfa, short, kelvin: kelvin), balance: balance, SensorSettings(highlights: .kept))
      let picture = try SensorFixture.picture(
        Self.data(cfa, Self.lines, kelvin: kelvin), balance: balance,
        SensorSettings(highlights: .guided))
      var (sum, count) = (SIMD3<Double>(), 0.0)
      for y in 8..<Self.side - 8 {
        for x in 8..<Self.side - 8 {
          let level = Self.lines.pixel(Float(x), Float(y)).x
          guard (level * neutral).max() > 1, level < 2.4 else { continue }
          let (pixel, expected) = (picture[x, y], 4 * truth[x, y])
          func pink(_ p: SIMD3<Float>) -> Double { log2(Double((p.x + p.z) / 2 / p.y)) }
          let tint = pink(pixel) - pink(expected)
          sum += SIMD3(tint, abs(tint), abs(log2(Double(pixel.sum() / expected.sum()))))
          count += 1
        }
      }
      let found = sum / count
      #expect(abs(found.x) < 0.07 && found.y < 0.15 && found.z < 0.4, "\(kelvin): \(found)")
    }
  }

  /// A warm lamp is brightest in its core, under any white, and whiter there than around.
  @Test(arguments: patterns.prefix(3)) func lampsAreBrightestInTheirCore(cfa: CFA) throws {
    let lamp = Scene(testDescription: "lamp") { x, y in
      SIMD4(1.5, 1, 0.55, 0.8) * (6 * Self.glow(x, y, 96, 96, 30)) + SIMD4(repeating: 0.05)
    }
    let data = Self.data(cfa, lamp, kelvin: 5500)
    let balance = Self.balance(5500)
    for used in [2500.0, 4000, 5500, 8000] {
      let white = Self.balance(used) / balance
      let three = SIMD3(white.x, white.y, white.z)
      let picture = try SensorFixture.picture(
        data, balance: balance, SensorSettings(highlights: .guided, white: white))
      // Means of rings around the core.
      var rings = [SIMD4<Float>](repeating: .zero, count: 72)
      for y in 24..<168 {
        for x in 24..<168 {
          let ring = Int(hypot(Float(x) - 96, Float(y) - 96))
          guard ring < rings.count else { continue }
          rings[ring] += SIMD4(picture[x, y] * three, 1)
        }
      }
      let means = rings.map { $0 / $0.w }
      var brightest: Float = 0
      for ring in means.reversed() {
        let level = (ring.x + ring.y + ring.z) / 3
        #expect(level > 0.98 * brightest, "\(used): \(means)")
        brightest = max(brightest, level)
      }
      func whiteness(_ ring: SIMD4<Float>) -> Float {
        min(ring.x, ring.y, ring.z) / max(ring.x, ring.y, ring.z)
      }
      #expect(whiteness(means[2]) > whiteness(means[60]), "\(used): \(means)")
    }
  }

  /// Under a white that is not the illuminant's, areas that all channels lose are nearer to the
  /// color of surroundings with one channel left than to that white.
  @Test(arguments: patterns.prefix(3)) func blownSpotsHaveTheColorOfTheLight(cfa: CFA) throws {
    let plaster = Scene(testDescription: "plaster") { x, y in
      SIMD4(repeating: 1.75 + 0.3 * sin(x * 0.37) * sin(y * 0.31) + 0.1 * sin(x * 0.9 + y))
    }
    let data = Self.data(cfa, plaster, kelvin: 5500)
    let balance = Self.balance(5500)
    for used in [3000.0, 8000] {
      let white = Self.balance(used) / balance
      let picture = try SensorFixture.picture(
        data, balance: balance, SensorSettings(highlights: .guided, white: white))
      var (error, spots) = (0.0, 0.0)
      for y in 8..<Self.side - 8 {
        for x in 8..<Self.side - 8 where plaster.pixel(Float(x), Float(y)).x * 0.5 > 1 {
          let pixel = picture[x, y]
          error += abs(log2(Double(pixel.x / pixel.y))) + abs(log2(Double(pixel.z / pixel.y)))
          spots += 1
        }
      }
      let neutral = abs(log2(Double(white.x / white.y))) + abs(log2(Double(white.z / white.y)))
      #expect(spots > 500 && error / spots < 0.6 * neutral, "\(used): \(error / spots)")
    }
  }

  /// No reconstructed value is below its recorded value.
  @Test(arguments: patterns, [scenes[0], scenes[2], lines]) func nothingGetsDarker(
    cfa: CFA, scene: Scene
  ) throws {
    let data = Self.data(cfa, scene, kelvin: 5500)
    let balance = Self.balance(5500)
    let white = Self.balance(3400) / balance
    func mosaic(_ highlights: SensorSettings.Highlights) throws -> [Float] {
      let pipeline = try SensorPipeline(
        data, balance: balance,
        settings: SensorSettings(highlights: highlights, white: white, defects: .kept))
      guard case .mosaic(let mosaic, _, _) = pipeline.pixels else { return [] }
      let work = SensorWorkspace()
      let plane = try mosaic.load(PixelRect(pipeline.fullSize), work)
      return (0..<Self.side).flatMap { y in
        (0..<Self.side).map { plane.row(y)[$0 - plane.rect.x] }
      }
    }
    let (kept, rebuilt) = (try mosaic(.kept), try mosaic(.guided))
    #expect(kept.count == rebuilt.count && zip(kept, rebuilt).allSatisfy { $1 >= 0.99999 * $0 })
    #expect(kept != rebuilt)
  }

  @Test(arguments: patterns) func unsaturatedPicturesKeepTheirBits(cfa: CFA) throws {
    let data = SensorFixture.sensor(120, 90, cfa) { x, y, c in 0.8 * SensorFixture.busy(x, y, c) }
    let balance = Self.balance(5500)
    let plain = try SensorFixture.picture(
      data, balance: balance, SensorSettings(highlights: .kept))
    let guided = try SensorFixture.picture(
      data, balance: balance,
      SensorSettings(highlights: .guided, white: SIMD4(0.7, 1, 1.4, 1)))
    #expect(Self.differences(plain, guided) == 0)
  }

  /// A field of rising level as white as the white in use: no channel may fall, and where all are
  /// saturated the field is neutral.
  @Test(arguments: patterns) func moreLightNeverGetsDarker(cfa: CFA) throws {
    let balance = Self.balance(5500)
    for used in [3000.0, 5500, 9000] {
      let white = Self.balance(used) / balance
      let neutral = balance * white
      var last = SIMD3<Float>()
      for step in 0...50 {
        let level = 0.5 + 0.06 * Float(step)
        let data = SensorFixture.sensor(48, 48, cfa) { _, _, c in min(level / neutral[c], 1) }
        let pixel = try SensorFixture.picture(
          data, balance: balance,
          SensorSettings(
            highlights: .guided, white: white, fourColorToRGB: Self.fold(cfa)))[24, 24]
        for c in 0..<3 { #expect(pixel[c] >= last[c] - 2e-3, "\(level): \(pixel) after \(last)") }
        last = pixel
      }
      let shown = last * SIMD3(white.x, white.y, white.z)
      #expect(shown.max() - shown.min() < 1e-4 * shown.max(), "\(used) K: \(shown)")
    }
  }

  @Test(arguments: patterns) func doesNotDependOnTilesOrThreads(cfa: CFA) throws {
    let data = Self.data(cfa, Self.scenes[2], kelvin: 4000)
    let settings = SensorSettings(highlights: .guided, white: SIMD4(0.8, 1, 1.2, 1.1))
    let balance = Self.balance(5500)
    let full = try SensorFixture.picture(data, balance: balance, settings)
    let pipeline = try SensorPipeline(data, balance: balance, settings: settings, workers: 5)
    let buffer = PlanarBuffer()
    var differences = 0
    for rect in PixelRect(pipeline.size).tiles(width: 61, height: 37) {
      try pipeline.read(rect, into: buffer)
      for y in 0..<rect.height {
        for x in 0..<rect.width {
          let pixel = SIMD3(buffer.row(0, y)[x], buffer.row(1, y)[x], buffer.row(2, y)[x])
          if pixel != full[rect.x + x, rect.y + y] { differences += 1 }
        }
      }
    }
    #expect(differences == 0)
  }

  /// Without recovery, too, saturated areas have the color of the white in use, and its level if
  /// that is above the first saturation.
  @Test(arguments: patterns.prefix(3)) func clippedHighlightsAreNeutralUnderTheWhiteInUse(
    cfa: CFA
  ) throws {
    let data = SensorFixture.sensor(64, 64, cfa) { _, _, _ in 1 }
    let balance = Self.balance(5500)
    for used in [2800.0, 9000] {
      let white = Self.balance(used) / balance
      for highlights in [SensorSettings.Highlights.clipped, .guided] {
        let pixel = try SensorFixture.picture(
          data, balance: balance, SensorSettings(highlights: highlights, white: white))[32, 32]
        let shown = pixel * SIMD3(white.x, white.y, white.z)
        #expect(shown.max() - shown.min() < 1e-4 * shown.max(), "\(highlights): \(shown)")
      }
      let bright = try SensorFixture.picture(
        data, balance: balance,
        SensorSettings(highlights: .clipped, white: white, clippedWhite: 3))[32, 32]
      let shown = bright * SIMD3(white.x, white.y, white.z)
      #expect(shown.max() - shown.min() < 1e-4 && abs(shown.y - 3) < 1e-4, "\(shown)")
    }
  }

  /// Without recovery, a highlight whose color no white explains keeps it where one channel is
  /// saturated.
  @Test func clippedColorsStay() throws {
    let cfa = SensorFixture.bayers[0]
    let data = SensorFixture.sensor(64, 64, cfa) { _, _, c in c == 0 ? 1 : 0.2 }
    let balance = Self.balance(5500)
    let pictures = try [SensorSettings.Highlights.kept, .clipped].map {
      try SensorFixture.picture(data, balance: balance, SensorSettings(highlights: $0))
    }
    #expect(Self.differences(pictures[0], pictures[1]) == 0)
  }

  private static func differences(_ a: Image<CameraRGB>, _ b: Image<CameraRGB>) -> Int {
    (0..<a.size.height).reduce(0) { count, y in
      count + (0..<a.size.width).filter { a[$0, y] != b[$0, y] }.count
    }
  }
}

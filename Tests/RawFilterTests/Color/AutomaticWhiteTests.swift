import Foundation
import ImageCore
import SyntheticRaw
import TestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

/// Scenes under known illuminants.
@Suite struct AutomaticWhiteTests {
  static let illuminants: [(mired: Double, tint: Double)] = [
    (115, 6), (135, 10), (154, 9), (172, 9), (182, 8), (200, 7), (222, 14), (240, 2), (285, -4),
    (310, 0), (350, 0), (390, -3),
  ]

  static let profile: CameraProfile? = {
    let camera = SimulatedCamera.daylight
    guard let second = camera.colorMatrix2 else { return nil }
    return CameraProfile(
      calibrations: [
        CameraProfile.Calibration(
          temperature: 2850, colorMatrix: camera.colorMatrix1,
          forwardMatrix: camera.forwardMatrix1),
        CameraProfile.Calibration(
          temperature: 6500, colorMatrix: second, forwardMatrix: camera.forwardMatrix2),
      ], asShot: .unknown)
  }()

  /// Draws that are the same each time.
  struct Draws {
    var seed: UInt64
    private var counter: UInt64 = 0

    init(seed: UInt64) { self.seed = seed }
    mutating func uniform() -> Double {
      counter += 1
      return Double(IntegerNoise.bits(counter, seed: seed) >> 11) / 9_007_199_254_740_992
    }
    mutating func normal() -> Double {
      (-2 * log(max(uniform(), 1e-12))).squareRoot() * cos(2 * .pi * uniform())
    }
    mutating func index(_ count: Int) -> Int { min(Int(uniform() * Double(count)), count - 1) }
  }

  static func white(_ mired: Double, _ tint: Double) -> Chromaticity {
    CorrelatedColorTemperature(temperature: 1e6 / mired, tint: tint).chromaticity
  }

  /// Camera values of surfaces (linear BT.2020 under white light) lit by `illuminant`, with shading
  /// and a little noise; `areas` say how much of the picture each takes.
  static func colors(
    _ surfaces: [SIMD3<Double>], areas: [Double], illuminant: Chromaticity, _ draws: inout Draws,
    count: Int = 1500
  ) throws -> [SIMD3<Double>] {
    let profile = try #require(profile)
    let toCamera = try #require(profile.cameraToBT2020(white: illuminant).inverse)
    let sum = areas.reduce(0, +)
    var result: [SIMD3<Double>] = []
    for (surface, area) in zip(surfaces, areas) {
      for _ in 0..<max(2, Int(Double(count) * area / sum)) {
        let shade = 0.15 + 0.85 * draws.uniform()
        let noise = SIMD3(draws.normal(), draws.normal(), draws.normal()) * 0.01
        result.append(toCamera * surface * shade * (SIMD3(1, 1, 1) + noise))
      }
    }
    return result
  }

  /// Mixtures of pairs of ColorChecker patches, in areas of a power law, as leaves fallen on one
  /// another leave them (Lee, Mumford, Huang 2001).
  static func mondrian(_ illuminant: Chromaticity, seed: UInt64) throws -> [SIMD3<Double>] {
    var draws = Draws(seed: seed)
    let patches = ColorChart.patches.map { SIMD3<Double>($0) }
    var (surfaces, areas) = ([SIMD3<Double>](), [Double]())
    for _ in 0..<8 + draws.index(40) {
      let fraction = draws.uniform()
      surfaces.append(
        patches[draws.index(24)] * fraction + patches[draws.index(24)] * (1 - fraction))
      areas.append(pow(1 - draws.uniform() * 0.999, -1 / 1.1))
    }
    return try colors(surfaces, areas: areas, illuminant: illuminant, &draws)
  }

  /// Surfaces of natural statistics: logarithms of reflectance are normal, opponent colors
  /// uncorrelated, lightness wider than warmth, warmth wider than greenness (Ruderman, Cronin,
  /// Chiao 1998). The surfaces of one scene have something in common, so much that gray world errs
  /// by the 6° that it does on photographs (Gijsenij, Gevers, van de Weijer 2011), and one in fifty
  /// positions is a glint, which has the color of the illuminant (Shafer 1985).
  static func natural(_ illuminant: Chromaticity, seed: UInt64) throws -> [SIMD3<Double>] {
    var draws = Draws(seed: seed)
    func surface(_ l: Double, _ p: Double, _ q: Double) -> SIMD3<Double> {
      let root = 0.5.squareRoot()
      return SIMD3(exp((q + p) * root), 1, exp((q - p) * root)) * 0.2 * exp(l)
    }
    let theme = (p: draws.normal() * 0.2, q: draws.normal() * 0.1)
    var (surfaces, areas) = ([SIMD3<Double>](), [Double]())
    for _ in 0..<15 + draws.index(60) {
      surfaces.append(
        surface(
          draws.normal() * 0.6, theme.p + draws.normal() * 0.3, theme.q + draws.normal() * 0.15))
      areas.append(pow(1 - draws.uniform() * 0.999, -1 / 1.1))
    }
    let total = areas.reduce(0, +)
    for _ in 0..<8 {
      let fraction = draws.uniform()
      let body = surfaces[draws.index(surfaces.count)]
      surfaces.append(body * (1 - fraction) + SIMD3(repeating: 1) * fraction)
      areas.append(total / 400)
    }
    return try colors(surfaces, areas: areas, illuminant: illuminant, &draws)
  }

  static func degrees(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    let cosine = (a * b).sum() / ((a * a).sum() * (b * b).sum()).squareRoot()
    return acos(min(1, cosine)) * 180 / .pi
  }

  /// Scenes that no constant was chosen on. The mean is over both kinds: natural scenes by
  /// themselves are 3.3°, those of charts 2.5°.
  @Test func findsTheIlluminant() throws {
    let profile = try #require(Self.profile)
    func mean(_ v: [Double]) -> Double { v.reduce(0, +) / Double(v.count) }
    var all: [Double] = []
    for (kind, scene) in [("mondrian", Self.mondrian), ("natural", Self.natural)] {
      var (own, world) = ([Double](), [Double]())
      for (i, illuminant) in Self.illuminants.enumerated() {
        for number in 0..<6 {
          let white = Self.white(illuminant.mired, illuminant.tint)
          let colors = try scene(white, UInt64(900_000 + 100 * i + number))
          let found = AutomaticWhite(colors, profile: profile, asShot: nil).white
          let truth = profile.neutral(for: white)
          own.append(Self.degrees(profile.neutral(for: found), truth))
          world.append(Self.degrees(colors.reduce(SIMD3()) { $0 + $1 }, truth))
        }
      }
      print("\(kind): \(mean(own)) degrees, worst \(own.max() ?? 0); gray world \(mean(world))")
      #expect(mean(own) < 0.75 * mean(world))
      all += own
    }
    #expect(mean(all) <= 3)
  }

  @Test func exposureAndOrderDoNotMatter() throws {
    let profile = try #require(Self.profile)
    let colors = try Self.mondrian(Self.white(250, 3), seed: 7)
    let found = AutomaticWhite(colors, profile: profile, asShot: nil)
    for scale in [0.125, 8.0] {
      let other = AutomaticWhite(colors.map { $0 * scale }, profile: profile, asShot: nil)
      #expect(other.white == found.white)
    }
    let turned = AutomaticWhite(colors.reversed(), profile: profile, asShot: nil).white
    #expect(NeutralPatchTests.distance(turned, found.white) < 1e-6)
    // Where the picture says enough the file is not asked.
    #expect(found.confidence == 1)
    let estimate = AutomaticWhite(colors, profile: profile, asShot: Self.white(150, 8))
    #expect(estimate.white == found.white)
  }

  /// A picture of one color does not determine the illuminant: its cast is mostly preserved.
  @Test(arguments: [
    [SIMD3(0.10, 0.20, 0.05), SIMD3(0.15, 0.30, 0.07), SIMD3(0.05, 0.1, 0.03)],
    [SIMD3(1, 0.45, 0.12), SIMD3(0.8, 0.3, 0.1), SIMD3(0.6, 0.25, 0.15), SIMD3(0.3, 0.12, 0.08)],
    [SIMD3(0.25, 0.4, 0.7), SIMD3(0.3, 0.45, 0.75), SIMD3(0.35, 0.5, 0.78)],
  ]) func dominatingColorsStay(surfaces: [SIMD3<Double>]) throws {
    let profile = try #require(Self.profile)
    let daylight = Self.white(180, 9)
    var draws = Draws(seed: 3)
    let colors = try Self.colors(
      surfaces, areas: surfaces.map { _ in 1 }, illuminant: daylight, &draws)
    let mean = colors.reduce(SIMD3()) { $0 + $1 }
    func cast(_ white: Chromaticity) -> Double {
      Self.degrees(mean / profile.neutral(for: white), SIMD3(1, 1, 1))
    }
    let found = AutomaticWhite(colors, profile: profile, asShot: nil).white
    print("cast: \(cast(found)) of \(cast(daylight)) degrees left")
    #expect(cast(found) > 0.33 * cast(daylight) && cast(found) > 10)
    // A plausible white as shot preserves more of it.
    let estimate = AutomaticWhite(colors, profile: profile, asShot: daylight).white
    #expect(cast(estimate) > 0.5 * cast(daylight))
  }

  @Test func nothingToSeeIsDaylight() throws {
    let profile = try #require(Self.profile)
    for colors in [
      [], [SIMD3<Double>()], [SIMD3(.nan, 1, 1)], [SIMD3(-1, -1, -1)],
      [SIMD3<Double>](repeating: SIMD3(repeating: .infinity), count: 5),
    ] {
      let found = AutomaticWhite(colors, profile: profile, asShot: nil)
      let balance = CorrelatedColorTemperature(found.white)
      #expect(balance.temperature > 4300 && balance.temperature < 6500)
      #expect(found.confidence == 0)
      let shot = Self.white(330, 2)
      let estimate = AutomaticWhite(colors, profile: profile, asShot: shot).white
      #expect(NeutralPatchTests.distance(estimate, shot) < 1e-6)
      let absurd = Chromaticity(x: 0.1, y: 0.8)
      #expect(AutomaticWhite(colors, profile: profile, asShot: absurd).white == found.white)
    }
  }
}

// MARK: - Files

extension AutomaticWhiteTests {
  /// ColorChecker patches, 20 photosites wide, under 250 mired; the file declares `neutral`.
  static func chart(saying neutral: SIMD3<Double>? = nil) throws -> RAWFilter {
    var sensor = RAWFilterTests.sensor
    (sensor.white, sensor.kelvin) = (white(250, 3), 4000)
    var writer = sensor.expose(size: PixelSize(width: 336, height: 256)) { x, y in
      ColorChart.patches[(x / 32 + y / 32 * 7) % 24]
    }
    if let neutral { writer.asShotNeutral = neutral }
    return try RAWFilter(data: Data(try writer.bytes))
  }

  @Test func isOneMoreViewOfTheWhite() throws {
    var filter = try Self.chart()
    let asShot = filter.neutralChromaticity
    #expect(filter.supportedAdjustments.contains("isAutomaticWhiteBalanceEnabled"))
    filter.isAutomaticWhiteBalanceEnabled = true
    let found = filter.neutralChromaticity
    let profile = try #require(filter.profile)
    #expect(Self.degrees(profile.neutral(for: found), profile.neutral(for: asShot)) < 3)
    #expect(found != asShot)
    #expect(filter.neutralLocation == nil)
    #expect(
      abs(
        1e6 / Double(filter.neutralTemperature) - 1e6
          / CorrelatedColorTemperature(found).temperature) < 0.1)
    filter.exposure = 1
    #expect(filter.neutralChromaticity == found)
    var again = try Self.chart()
    again.workers = 1
    again.isAutomaticWhiteBalanceEnabled = true
    #expect(again.neutralChromaticity == found)
    filter.neutralTint = 0
    #expect(!filter.isAutomaticWhiteBalanceEnabled)
    filter.isAutomaticWhiteBalanceEnabled = false
    #expect(filter.settings.neutral != .asShot, "what is off stays off")
    again.isAutomaticWhiteBalanceEnabled = false
    #expect(again.neutralChromaticity == asShot)
  }

  @Test func doesNotBelieveTheFile() throws {
    var found: [Chromaticity] = []
    for neutral in [nil, SIMD3(1, 1, 1), SIMD3(0.9, 1, 0.4), SIMD3(0.4, 1, 0.8)] {
      let filter = try Self.chart(saying: neutral)
      let profile = try #require(filter.profile)
      let colors = try filter.picture.illuminantSamples(
        opcodes: filter.opcodes, profile: profile,
        defects: filter.measuredDefects())
      found.append(AutomaticWhite(colors, profile: profile, asShot: nil).white)
    }
    print("said otherwise: \(found.map { NeutralPatchTests.distance($0, found[0]) }) in xy")
    for other in found { #expect(NeutralPatchTests.distance(other, found[0]) < 1e-5) }
  }

  @Test func filesWithoutColorsHaveNone() throws {
    var filter = try RAWFilter(data: RAWFilterTests.file())
    filter.colorMatrix = [1, 2, 3]
    #expect(!filter.isAutomaticWhiteBalanceSupported)
    #expect(!filter.supportedAdjustments.contains("isAutomaticWhiteBalanceEnabled"))
    filter.isAutomaticWhiteBalanceEnabled = true
    #expect(try filter.resolvedWhite() == .d65)
  }

  /// How far from the camera's own choice, which is no truth, but better than one picture's.
  @Test func photographsAreNearTheCamerasChoice() throws {
    var (own, world) = ([Double](), [Double]())
    for name in [
      "adobe_12_ImageStats_WeightedAverage.dng", "canon30d_IMG_0848.CR2",
      "canonG10_plant_window.cr2", "derived_gopro_Fusion_GPFR7066.dng",
      "derived_hdrmerge_float16.dng", "lgH815_lossy_1mp.dng",
    ] {
      let path = try SharedFiles.path("raws/" + name)
      let filter = try RAWFilter(url: URL(filePath: path))
      let profile = try #require(filter.profile)
      let colors = try filter.picture.illuminantSamples(
        opcodes: filter.opcodes, profile: profile,
        defects: filter.measuredDefects())
      let found = AutomaticWhite(colors, profile: profile, asShot: nil)
      let truth = profile.neutral(for: profile.asShotWhite)
      own.append(Self.degrees(profile.neutral(for: found.white), truth))
      world.append(Self.degrees(colors.reduce(SIMD3()) { $0 + $1 }, truth))
      let (a, b) = (
        CorrelatedColorTemperature(profile.asShotWhite), CorrelatedColorTemperature(found.white)
      )
      print(
        "\(name): as shot \(Int(a.temperature)) K \(Int(a.tint)), found \(Int(b.temperature)) K",
        "\(Int(b.tint)), \(own.last ?? 0) degrees, gray world \(world.last ?? 0),",
        "confidence \(found.confidence)")
    }
    #expect(own.reduce(0, +) <= 0.7 * world.reduce(0, +))
  }
}

import Foundation
import ImageCore
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct NeutralPatchTests {
  static let surface = SIMD3<Float>(0.42, 0.5, 0.34)
  static let side = 25
  static let saturation = SIMD3<Float>(2.1, 1, 1.6)

  /// A patch of `value`, with noise of variance shot · x + read.
  static func patch(
    side: Int = side, shot: Float = 0, read: Float = 0, seed: UInt64 = 1,
    _ value: (_ x: Int, _ y: Int) -> SIMD3<Float>
  ) throws -> PlanarBuffer {
    let buffer = try PlanarBuffer(size: PixelSize(width: side, height: side))
    for y in 0..<side {
      for x in 0..<side {
        let value = value(x, y)
        for c in 0..<3 {
          let deviation = (shot * max(value[c], 0) + read).squareRoot()
          let draw = UInt64((y * side + x) * 3 + c)
          buffer.row(c, y)[x] = value[c] + deviation * IntegerNoise.normal(draw, seed: seed)
        }
      }
    }
    return buffer
  }

  static func found(
    _ buffer: PlanarBuffer, x: Int = side / 2, y: Int = side / 2
  ) throws -> SIMD3<Double> {
    try NeutralPatch(buffer, chosen: PixelPoint(x: x, y: y), saturation: saturation).color
  }

  /// The mean of all pixels.
  static func mean(_ buffer: PlanarBuffer) -> SIMD3<Double> {
    var sum = SIMD3<Double>()
    for y in 0..<buffer.size.height {
      for x in 0..<buffer.size.width {
        for c in 0..<3 { sum[c] += Double(buffer.row(c, y)[x]) }
      }
    }
    return sum / Double(buffer.size.area)
  }

  /// Distance of the illuminant from `color` to the one from `truth`, in xy.
  static func error(_ color: SIMD3<Double>, _ truth: SIMD3<Float> = surface) -> Double {
    let matrix = Primaries.bt2020.toXYZ
    let a = Chromaticity(xyz: matrix * color)
    let b = Chromaticity(xyz: matrix * SIMD3<Double>(truth))
    return ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
  }

  static func rootMeanSquare(_ values: [Double]) -> Double {
    (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
  }

  /// A full photosite of 2 500 electrons, a full-frame sensor at ISO 3200.
  static let shot: Float = 4e-4
  static let read: Float = 1e-6

  @Test func evenSurfaceIsExact() throws {
    #expect(Self.error(try Self.found(Self.patch { _, _ in Self.surface })) < 1e-6)
  }

  @Test func noiseAveragesOut() throws {
    var (own, plain) = ([Double](), [Double]())
    for seed in 1...20 {
      let patch = try Self.patch(shot: Self.shot, read: Self.read, seed: UInt64(seed)) { _, _ in
        Self.surface
      }
      own.append(Self.error(try Self.found(patch)))
      plain.append(Self.error(Self.mean(patch)))
    }
    print("noise: \(Self.rootMeanSquare(own)), plain mean \(Self.rootMeanSquare(plain)) in xy")
    #expect(Self.rootMeanSquare(own) < 0.0005)
    #expect(Self.rootMeanSquare(own) < 1.15 * Self.rootMeanSquare(plain))
  }

  /// Luminance 1/256, noise of over half that: the mean over many patches shows the bias.
  @Test func deepShadowsHaveNoBias() throws {
    let dark = Self.surface / 128
    var (sum, plain) = (SIMD3<Double>(), SIMD3<Double>())
    for seed in 1...200 {
      let patch = try Self.patch(shot: Self.shot, read: 2e-6, seed: UInt64(seed)) { _, _ in dark }
      let color = try Self.found(patch)
      let mean = Self.mean(patch)
      sum += color / color.y
      plain += mean / mean.y
    }
    // The plain mean has no bias here; both have the same noise.
    let bias = Self.error(sum, SIMD3<Float>(plain))
    print("deep shadow: \(Self.error(sum)), plain mean \(Self.error(plain)), apart \(bias) in xy")
    #expect(bias < 0.0005)
    #expect(Self.error(sum) < 0.002)
  }

  @Test(arguments: [-3, -2, 2, 3, 8]) func edgeTakesTheChosenSide(distance: Int) throws {
    let other = SIMD3<Float>(0.6, 0.2, 0.1)
    for isBright in [true, false] {
      let second = isBright ? other * 1.4 : other * 0.1
      for seed in 1...4 {
        let patch = try Self.patch(shot: 1e-4, read: 1e-7, seed: UInt64(seed)) { x, y in
          let isOther = distance > 0 ? x >= 12 + distance : x <= 12 + distance
          return isOther ? second : Self.surface
        }
        let own = Self.error(try Self.found(patch))
        #expect(own < 0.001, "edge at \(distance), bright \(isBright)")
        #expect(own < 0.1 * Self.error(Self.mean(patch)))
      }
    }
  }

  @Test func specksDoNotCount() throws {
    for seed in 1...5 {
      let patch = try Self.patch(shot: 1e-4, read: 1e-7, seed: UInt64(seed)) { x, y in
        let bits = IntegerNoise.bits(UInt64(y * 100 + x), seed: UInt64(seed))
        return bits % 10 == 0 ? SIMD3(0.9, 0.1, 0.05) : Self.surface
      }
      let own = Self.error(try Self.found(patch))
      #expect(own < 0.0005)
      #expect(own < 0.1 * Self.error(Self.mean(patch)))
    }
  }

  /// Green ends at its saturation in a corner: below the limit of 0.95 for all channels it would
  /// not be found, red may reach 2.1.
  @Test func clippedCornerDoesNotCount() throws {
    let patch = try Self.patch { x, y in
      let level = Self.surface * (1 + 0.12 * Float(max(0, x + y - 16)))
      return SIMD3(level.x, min(level.y, 1), level.z)
    }
    let own = Self.error(try Self.found(patch))
    #expect(own < 1e-5)
    #expect(Self.error(Self.mean(patch)) > 0.002)
    // Red far above 0.95, nothing saturated.
    let bright = SIMD3<Float>(1.8, 0.9, 0.4)
    #expect(Self.error(try Self.found(Self.patch { _, _ in bright }), bright) < 1e-6)
  }

  @Test func brightnessMayVary() throws {
    let patch = try Self.patch(shot: 1e-4, read: 1e-7) { x, y in
      Self.surface * (0.3 + 1.4 * Float(x) / 24)
    }
    #expect(Self.error(try Self.found(patch)) < 0.0005)
    let even = try Self.patch { x, y in Self.surface * (0.3 + 1.4 * Float(x) / 24) }
    #expect(Self.error(try Self.found(even)) < 1e-6)
  }

  @Test func worthlessPlacesAreRefused() throws {
    func refusal(_ buffer: PlanarBuffer) -> NeutralPatch.Refusal? {
      do throws(NeutralPatch.Refusal) {
        _ = try NeutralPatch(
          buffer, chosen: PixelPoint(x: 3, y: 3), saturation: Self.saturation)
        return nil
      } catch { return error }
    }
    #expect(try refusal(Self.patch { _, _ in SIMD3(0.5, 1, 0.5) }) == .clipped)
    #expect(try refusal(Self.patch { _, _ in SIMD3(repeating: .nan) }) == .clipped)
    #expect(try refusal(Self.patch { _, _ in SIMD3(0, 0, 0) }) == .black)
    #expect(try refusal(Self.patch { _, _ in SIMD3(-0.1, 0.2, 0.2) }) == .black)
    #expect(
      try refusal(Self.patch(shot: 0, read: 1e-4) { _, _ in SIMD3(repeating: 1e-5) }) == .black)
    #expect(try refusal(Self.patch(side: 1) { _, _ in Self.surface }) == nil)
  }

  @Test func sizeGrowsWithThePicture() {
    #expect(NeutralPatch.radius(native: PixelSize(width: 100, height: 80)) == 4)
    #expect(NeutralPatch.radius(native: PixelSize(width: 6000, height: 4000)) == 12)
    #expect(NeutralPatch.radius(native: PixelSize(width: 11_648, height: 8736)) == 25)
  }
}

// MARK: - Positions in a picture

extension NeutralPatchTests {
  static func white(_ filter: RAWFilter, _ x: Int, _ y: Int) throws -> Chromaticity {
    let profile = try #require(filter.profile)
    let balanced = try filter.picture.neutralPatch(
      at: PixelPoint(x: x, y: y), of: filter.cameraCrop, lens: filter.lensSelection,
      profile: profile, defects: .kept)
    return profile.white(forNeutral: balanced * profile.neutral(for: profile.asShotWhite))
  }

  static func distance(_ a: Chromaticity, _ b: Chromaticity) -> Double {
    ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
  }

  @Test func grayIsTheWhiteAsShot() throws {
    let filter = try RAWFilterTests.filter()
    let profile = try #require(filter.profile)
    for x in [30, 80, filter.nativeSize.width - 1] {
      #expect(try Self.distance(Self.white(filter, x, 12), profile.asShotWhite) < 0.0005)
    }
    // Two pixels above the edge to the reddish band, which a plain mean would hold, too.
    #expect(try Self.distance(Self.white(filter, 80, 44 - 8 - 2), profile.asShotWhite) < 0.001)
  }

  @Test func placesAreThoseOfSquarePixels() throws {
    let plain = try RAWFilterTests.filter()
    let scale = TIFFValue.rationals([Rational(2, 1), Rational(1, 1)])
    let wide = try RAWFilter(data: RAWFilterTests.file(fields: [50718: scale]))
    for x in [30, plain.nativeSize.width - 60] {
      #expect(try Self.white(plain, x, 52) == Self.white(wide, 2 * x, 52))
    }
  }

  @Test func errorsSayWhatToDo() throws {
    let filter = try RAWFilterTests.filter(peak: 8)
    func message(_ x: Int, _ y: Int) -> String {
      do {
        _ = try Self.white(filter, x, y)
        return ""
      } catch { return "\(error)" }
    }
    #expect(message(filter.nativeSize.width, 3).contains("outside the picture"))
    #expect(message(-1, 3).contains("outside the picture"))
    #expect(message(filter.nativeSize.width - 4, 12).contains("choose a darker"))
    let dark = try RAWFilter(data: RAWFilterTests.file(peak: 0))
    #expect(throws: RAWError.self) { try Self.white(dark, 20, 20) }
  }
}

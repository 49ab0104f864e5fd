import Foundation
import Testing

@testable import HDRRender

/// The laws of the curves of camera profiles, and published values of the reference renderer.
@Suite struct ProfileToneCurveTests {
  /// A toe that darkens and a shoulder, like a phone's curve.
  static let phone = (0...256).map { i in
    let x = Double(i) / 256
    return SIMD2(x, x - 0.12 * x * pow(1 - x, 6) + 0.02 * x * x * (1 - x))
  }
  /// Bright midtones and a long shoulder, like a camera's curve.
  static let camera = (0...64).map { i in
    let x = pow(Double(i) / 64, 2)
    return SIMD2(x, 1 - pow(1 - x, 2.4))
  }
  static let straight = [SIMD2(0.0, 0.0), SIMD2(1.0, 1.0)]
  static let toneMap = [
    SIMD2(0, 0), SIMD2(0.501953125, 0.445833325386047), SIMD2(0.671875, 0.501953125),
    SIMD2(0.8125, 0.671875), SIMD2(1, 0.8125),
  ]

  static func tone(_ points: [SIMD2<Double>], _ range: ProfileTone.Range, black: Double = 0) throws
    -> ProfileTone
  {
    ProfileTone(curve: try #require(ToneSpline(points)), range: range, black: black)
  }

  static func tones() throws -> [ProfileTone] {
    try [
      tone(phone, .standard), tone(phone, .standard, black: 0.02), tone(camera, .standard),
      tone(straight, .standard), tone(straight, .high(maximum: nil)),
      tone(toneMap, .high(maximum: nil)), tone(toneMap, .high(maximum: 1.5)),
    ]
  }

  static func curve(
    _ tone: ProfileTone, _ peak: Double, _ amount: Double, boost: Double = 1, shadow: Double = 1
  ) -> ProfileToneCurve {
    ProfileToneCurve(tone, peak: peak, amount: amount, boost: boost, shadowBoost: shadow)
  }

  static let peaks = [0.3, 1, 1.3, 4, 11, 40]

  static func samples(_ peak: Double) -> [Double] {
    [-0.1, 0] + (0...2000).map { 1e-5 * pow(max(peak, 1) * 1.2 / 1e-5, Double($0) / 2000) }
  }

  @Test(arguments: peaks) func risesWithValueAndAmount(peak: Double) throws {
    for tone in try Self.tones() {
      for boost in [0.3, 1] {
        for shadow in [0.0, 1, 2] {
          var last = [Double](repeating: -1, count: Self.samples(peak).count)
          for amount in [0, 0.25, 0.5, 1] {
            let t = Self.curve(tone, peak, amount, boost: boost, shadow: shadow)
            let values = Self.samples(peak).map { t($0) }
            #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 + 1e-6 })
            #expect(zip(last, values).dropFirst(2).allSatisfy { $0 <= $1 + 1e-9 })
            #expect(values.allSatisfy { $0 <= t.ceiling && $0.isFinite })
            last = values
          }
        }
      }
    }
  }

  @Test(arguments: peaks) func standardRangeEndsAtWhite(peak: Double) throws {
    for tone in try Self.tones() {
      let t = Self.curve(tone, peak, 0)
      #expect(t.ceiling == 1)
      #expect(Self.samples(peak).allSatisfy { t($0) <= 1 })
    }
  }

  @Test func amountZeroIsTheFilesOwnLook() throws {
    let tone = try Self.tone(Self.phone, .standard)
    let spline = try #require(ToneSpline(Self.phone))
    let t = Self.curve(tone, 11, 0)
    for x in stride(from: 0.0, through: 1, by: 0.01) { #expect(abs(t(x) - spline(x)) < 1e-12) }
    #expect(t(5) == 1)
  }

  @Test func amountOneOpensTheHighlights() throws {
    let tone = try Self.tone(Self.phone, .standard)
    let t = Self.curve(tone, 11, 1)
    #expect(t.headroom > 10.9 && t.headroom < 11.5)
    #expect(abs(t(11) - t.headroom) < 1e-6)
    let own = Self.curve(tone, 11, 0)
    for x in stride(from: 0.0, through: t.knee, by: 0.01) { #expect(abs(t(x) - own(x)) < 1e-12) }
    // Above the knee values keep their proportions.
    #expect(abs(t(8) / t(4) - 2) < 1e-9)
  }

  @Test func slopeIsContinuousAtTheKnee() throws {
    for points in [Self.phone, Self.camera] {
      let t = Self.curve(try Self.tone(points, .standard), 4, 1)
      let h = 1e-4
      let before = (t(t.knee) - t(t.knee - h)) / h
      let after = (t(t.knee + h) - t(t.knee)) / h
      #expect(abs(before - after) < 0.02 * after)
    }
  }

  /// Values of the reference renderer for a profile with these five points.
  @Test func highRangeCurveIsTheReferences() throws {
    let t = Self.curve(try Self.tone(Self.toneMap, .high(maximum: nil)), 4, 1)
    let known = [
      (4.0, 2.0), (2, 1), (1, 0.8000031), (0.5, 0.553711), (0.25, 0.302536), (0.125, 0.1534348),
      (0.0625, 0.07654572), (0.0078125, 0.009490967),
    ]
    // The reference draws its curve from a table, which is off by up to 4e-6.
    for (x, y) in known { #expect(abs(t(x) - y) < 4e-6 + 1e-6 * y, "\(x): \(t(x))") }
  }

  @Test func straightHighRangeShowsTheSceneItself() throws {
    let t = Self.curve(try Self.tone(Self.straight, .high(maximum: nil)), 6, 1)
    #expect(abs(t.headroom - 6) < 1e-9)
    for x in [0.01, 0.18, 1, 3] { #expect(abs(t(x) - x) < 1e-9) }
    let limited = Self.curve(try Self.tone(Self.straight, .high(maximum: 2)), 6, 1)
    #expect(limited.headroom == 2 && abs(limited(6) - 2) < 1e-9)
  }

  @Test func blackIsSubtractedOverAToe() throws {
    #expect(ProfileTone.black(stops: 1, shadowScale: 1) == 0.01)
    #expect(ProfileTone.black(stops: -3, shadowScale: 1) == 0.005)
    let tone = try Self.tone(Self.straight, .standard, black: 0.01)
    #expect(tone.withoutBlack(0.004) == 0 && tone.withoutBlack(1) == 1)
    #expect(abs(tone.withoutBlack(0.5) - 0.49 / 0.99) < 1e-12)
    #expect(abs(tone.withoutBlack(0.015) - 0.005 / 0.99) < 1e-12)
  }

  @Test func splineNeedsRisingPoints() {
    #expect(ToneSpline([SIMD2(0, 0)]) == nil)
    #expect(ToneSpline([SIMD2(0, 0), SIMD2(0, 1)]) == nil)
    #expect(ToneSpline([SIMD2(0, 0), SIMD2(.nan, 1)]) == nil)
    // A natural spline through a parabola's points is not the parabola at the ends, but near.
    let spline = ToneSpline((0...20).map { SIMD2(Double($0) / 20, pow(Double($0) / 20, 2)) })
    #expect(abs((spline?(0.525) ?? 0) - 0.275625) < 1e-6)
    #expect(abs((spline?(1.1) ?? 0) - 1.2) < 0.02)
  }
}

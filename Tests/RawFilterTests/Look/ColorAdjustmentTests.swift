import Foundation
import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import HDRRender
@testable import RawDecode
@testable import RawFilter

@Suite struct ColorAdjustmentTests {
  /// Linear BT.2020 of sRGB signals.
  static func color(_ red: Double, _ green: Double, _ blue: Double) -> SIMD3<Float> {
    let linear = SIMD3(
      SRGB.linear(signal: red), SRGB.linear(signal: green), SRGB.linear(signal: blue))
    return SIMD3<Float>(Primaries.srgb.conversion(to: .bt2020) * linear)
  }

  static let sky = color(0.45, 0.65, 0.9)
  static let skin = color(0.87, 0.68, 0.55)
  static let leaf = color(0.35, 0.42, 0.2)
  static let red = color(0.8, 0.1, 0.1)
  static let gray = SIMD3<Float>(repeating: 0.18)
  static let all = [sky, skin, leaf, red, gray]

  static func changed(
    _ color: SIMD3<Float>, peak: Float = 100, _ change: (inout LookSettings) -> Void
  ) -> SIMD3<Float> {
    var look = LookSettings()
    change(&look)
    let stage = ColorAdjustment(look, peak: peak)
    return OneColorRow.run(color) { rows in stage?.apply(rows) }
  }

  static func lab(_ color: SIMD3<Float>) -> SIMD3<Double> { Oklab.lab(SIMD3<Double>(color)) }
  static func chroma(_ color: SIMD3<Float>) -> Double {
    let lab = lab(color)
    return (lab.y * lab.y + lab.z * lab.z).squareRoot()
  }
  static func hue(_ color: SIMD3<Float>) -> Double {
    let lab = lab(color)
    let degrees = atan2(lab.z, lab.y) * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }

  @Test func neutralIsNoStage() {
    #expect(ColorAdjustment(LookSettings(), peak: 2) == nil)
    var look = LookSettings()
    // Without an effect of their own.
    look.mixer[.red].gray = 1
    look.grading.shadows.hue = 200
    look.grading.balance = 1
    #expect(ColorAdjustment(look, peak: 2) == nil)
  }

  @Test func saturationScalesChromaAlone() {
    for color in Self.all {
      for amount: Float in [-1, -0.4, 0.6, 1] {
        let out = Self.changed(color) { $0.saturation = amount }
        #expect(abs(Self.lab(out).x / Self.lab(color).x - 1) < 1e-4)
        let wanted = Self.chroma(color) * Double(1 + amount)
        #expect(Self.chroma(out) < wanted + 1e-4)
        // Of red and leaves twice as much is outside.
        let isNear = amount > 0 && (color == Self.red || color == Self.leaf)
        #expect(
          isNear || Self.chroma(out) > wanted * 0.97 - 1e-4, "\(color) \(amount) \(out)")
        guard color != Self.gray, amount > -1 else { continue }
        #expect(abs(Self.hue(out) - Self.hue(color)) < 0.02)
      }
      let none = Self.changed(color) { $0.saturation = -1 }
      #expect((none.max() - none.min()) / none.max() < 1e-5)
    }
  }

  /// More is never less, and ends at the surface of BT.2020 at the same hue and lightness: behind
  /// it hues turn.
  @Test func saturationEndsAtTheSurface() {
    let amounts = stride(from: Float(0), through: 1, by: 0.1)
    for wheel in stride(from: 0.0, to: 6, by: 0.25) {
      func signal(_ shift: Double) -> Double {
        let position = abs((wheel + shift).truncatingRemainder(dividingBy: 6) - 3)
        return 0.15 + 0.7 * min(max(position - 1, 0), 1)
      }
      let color = Self.color(signal(0), signal(4), signal(2))
      var last = 0.0
      for amount in amounts {
        let out = Self.changed(color) { $0.saturation = amount }
        #expect(out.min() > -1e-5 * out.max(), "\(wheel) \(amount)")
        #expect(Self.chroma(out) > last - 1e-6, "\(wheel) \(amount)")
        #expect(abs(Self.lab(out).x / Self.lab(color).x - 1) < 1e-4)
        let turned = abs(Self.hue(out) - Self.hue(color))
        #expect(min(turned, 360 - turned) < 0.05, "\(wheel) \(amount)")
        last = Self.chroma(out)
      }
    }
    // What is outside already is not moved further.
    let outside = SIMD3<Float>(0.5, -0.05, 0.02)
    let out = Self.changed(outside) { $0.saturation = 1 }
    #expect(abs(Self.chroma(out) / Self.chroma(outside) - 1) < 1e-3)
  }

  /// The same at any exposure, above reference white as below.
  @Test func exposureDoesNotMatter() {
    func change(_ look: inout LookSettings) {
      (look.saturation, look.vibrance) = (0.3, 0.5)
      look.mixer[.orange].hue = 0.7
      look.mixer[.blue].luminance = -1
    }
    for color in Self.all {
      let out = Self.changed(color, change)
      let bright = Self.changed(color * 16, change) / 16
      let difference = bright - out
      #expect(max(abs(difference.x), abs(difference.y), abs(difference.z)) < 0.03 * out.max())
    }
  }

  @Test func vibranceActsOnDullColors() {
    func growth(_ color: SIMD3<Float>, _ amount: Float) -> Double {
      Self.chroma(Self.changed(color) { $0.vibrance = amount }) / Self.chroma(color)
    }
    #expect(growth(Self.leaf, 1) > growth(Self.red, 1))
    #expect(growth(Self.sky, 1) > 1.3 && growth(Self.red, 1) < 1.25)
    #expect(growth(Self.skin, 1) < growth(Self.sky, 1))
    for color in Self.all where color != Self.gray {
      let growths = [Float(-1), -0.5, 0, 0.5, 1].map { growth(color, $0) }
      #expect(zip(growths, growths.dropFirst()).allSatisfy { $0 < $1 })
    }
    let gray = Self.changed(Self.gray) { $0.vibrance = 1 }
    #expect((gray.max() - gray.min()) < 1e-6)
  }

  // MARK: Ranges of hues

  /// A color of the hue of a range.
  static func pure(_ range: ColorRange) -> SIMD3<Float> {
    func channel(_ n: Double) -> Double {
      let k = (n + range.angle / 60).truncatingRemainder(dividingBy: 6)
      return 1 - max(0, min(k, 4 - k, 1))
    }
    return color(channel(5), channel(3), channel(1))
  }

  @Test(arguments: ColorRange.allCases) func aRangeChangesItsColor(range: ColorRange) throws {
    let color = Self.pure(range)
    let more = Self.changed(color) { $0.mixer[range].saturation = 1 }
    #expect(abs(Self.chroma(more) / Self.chroma(color) - 2) < 0.01)
    let less = Self.changed(color) { $0.mixer[range].saturation = -1 }
    #expect(Self.chroma(less) < 0.01 * Self.chroma(color))
    let levels = [-1, -0.5, 0, 0.5, 1].map { (amount: Float) in
      Self.lab(Self.changed(color) { $0.mixer[range].luminance = amount }).x
    }
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 * 1.05 < $1 })
    let turned = [-1, -0.5, 0.5, 1].map { (amount: Float) -> Double in
      let out = Self.changed(color) { $0.mixer[range].hue = amount }
      #expect(abs(Self.chroma(out) / Self.chroma(color) - 1) < 0.01)
      let turn = Self.hue(out) - Self.hue(color)
      return turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn
    }
    #expect(turned[0] < turned[1] && turned[1] < 0 && 0 < turned[2] && turned[2] < turned[3])
    // Of the color on the other side nothing is seen, and nothing of gray.
    let all = ColorRange.allCases
    let index = try #require(all.firstIndex(of: range))
    for other in [Self.pure(all[(index + 4) % 8]), Self.gray] {
      let out = Self.changed(other) {
        ($0.mixer[range].hue, $0.mixer[range].saturation, $0.mixer[range].luminance) = (1, 1, 1)
      }
      #expect((0..<3).allSatisfy { abs(out[$0] - other[$0]) < 1e-3 * other.max() })
    }
  }

  /// Neighbors that move towards each other do not pass each other.
  @Test func theOrderOfHuesStays() {
    let hues = (0..<720).map { Double($0) / 2 }
    let colors = hues.map { degrees in
      let angle = degrees * .pi / 180
      return SIMD3<Float>(Oklab.rgb(SIMD3(0.7, 0.1 * cos(angle), 0.1 * sin(angle))))
    }
    for sign: Float in [-1, 1] {
      let after = colors.map { color in
        Self.hue(
          Self.changed(color) { look in
            for (i, range) in ColorRange.allCases.enumerated() {
              look.mixer[range].hue = i % 2 == 0 ? sign : -sign
            }
          })
      }
      let steps = zip(after, after.dropFirst() + [after[0]]).map { before, behind in
        let step = behind - before
        return step < -180 ? step + 360 : step > 180 ? step - 360 : step
      }
      #expect(steps.allSatisfy { $0 > -0.02 })
      #expect(abs(steps.reduce(0, +) - 360) < 0.1)
    }
  }

  // MARK: Black and white

  @Test func blackAndWhiteWeighsItsColors() {
    for color in Self.all {
      let plain = Self.changed(color) { $0.isBlackAndWhiteEnabled = true }
      #expect(plain.max() - plain.min() < 1e-5 * plain.max())
      #expect(abs(Self.lab(plain).x / Self.lab(color).x - 1) < 1e-4)
    }
    for range in ColorRange.allCases {
      let grays = [-1, 0, 1].map { amount in
        Self.changed(Self.pure(range)) {
          $0.isBlackAndWhiteEnabled = true
          $0.mixer[range].gray = Float(amount)
          // Colors are gone.
          ($0.mixer[range].saturation, $0.mixer[range].luminance, $0.vibrance) = (1, 1, 1)
        }.y
      }
      #expect(grays[0] < 0.5 * grays[1] && grays[2] > 2 * grays[1], "\(range)")
    }
  }

  // MARK: Grading

  @Test func tintsActOnTheirTones() {
    let (dark, middle, bright) = (
      SIMD3<Float>(repeating: 0.01), Self.gray, SIMD3<Float>(repeating: 4)
    )
    func tint(_ color: SIMD3<Float>, _ tones: ColorGrading.Tones) -> Double {
      let out = Self.changed(color) {
        ($0.grading[tones].hue, $0.grading[tones].saturation) = (240, 1)
      }
      let saturation = Self.chroma(out) / Self.lab(out).x
      if saturation > 0.01 { #expect(abs(Self.hue(out) - Oklab.hue(wheel: 240)) < 0.5) }
      #expect(abs(Self.lab(out).x / Self.lab(color).x - 1) < 1e-3)
      return saturation
    }
    #expect(tint(dark, .shadow) > 0.12 && tint(bright, .shadow) < 0.02)
    #expect(tint(bright, .highlight) > 0.12 && tint(dark, .highlight) < 0.02)
    #expect(tint(middle, .midtone) > tint(dark, .midtone))
    #expect(tint(middle, .midtone) > tint(bright, .midtone))
    for color in [dark, middle, bright] {
      #expect(abs(tint(color, .global) - 0.15) < 0.001)
      let sum = tint(color, .shadow) + tint(color, .midtone) + tint(color, .highlight)
      #expect(abs(sum - 0.15) < 0.002)
    }
    func shadows(_ balance: Float) -> Double {
      let out = Self.changed(Self.gray) {
        ($0.grading.shadows.saturation, $0.grading.balance) = (1, balance)
      }
      return Self.chroma(out)
    }
    #expect(shadows(-1) > shadows(0) && shadows(0) > shadows(1))
  }

  @Test func luminanceOfTonesKeepsTheirOrder() {
    for blending: Float in [0, 1] {
      let levels = (-80...32).map { step in
        Self.changed(SIMD3(repeating: exp2(Float(step) / 8))) { look in
          look.grading.blending = blending
          look.grading.shadows.luminance = 1
          look.grading.midtones.luminance = -1
          look.grading.highlights.luminance = -1
        }.y
      }
      #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  // MARK: Limits

  @Test func nothingExceedsThePeak() {
    for color in Self.all {
      let bright = color / color.max() * 3
      let out = Self.changed(bright, peak: 3) { look in
        (look.saturation, look.vibrance) = (1, 1)
        for range in ColorRange.allCases { look.mixer[range].luminance = 1 }
        look.grading.global.luminance = 1
      }
      #expect(out.max() <= 3 && out.max() > 2.9)
    }
  }

  @Test func whatIsNoColorDoesNoHarm() {
    for color: SIMD3<Float> in [
      SIMD3(.nan, 1, 0), SIMD3(-1, -0.2, -3), SIMD3(0, 0, 0), SIMD3(1e30, -1e30, .infinity),
      SIMD3(-0.0, 2e-38, 0), SIMD3(-1e-3, 2e-3, -1e-3),
    ] {
      let out = Self.changed(color) { look in
        (look.saturation, look.vibrance, look.mixer[.red].hue) = (1, 1, 1)
        (look.grading.shadows.saturation, look.grading.highlights.luminance) = (1, 1)
        for range in ColorRange.allCases { look.mixer[range].luminance = 1 }
      }
      #expect(out.x.isFinite && out.y.isFinite && out.z.isFinite, "\(color)")
    }
  }
}

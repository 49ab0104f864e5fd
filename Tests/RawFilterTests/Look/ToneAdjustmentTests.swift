import Foundation
import HDRRender
import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import RawDecode
@testable import RawFilter

@Suite struct ToneAdjustmentTests {
  typealias Path = WritableKeyPath<LookSettings, Float> & Sendable

  static let paths: [(name: String, path: any Path)] = [
    ("contrast", \.contrast), ("highlights", \.highlights), ("shadows", \.shadows),
    ("whites", \.whites), ("blacks", \.blacks),
  ]

  /// Scene values from far below black's noise to far above any headroom.
  static let values = (-160...64).map { exp2(Double($0) / 8) }

  /// Of fog, of a night, of a backlit room and of a picture that is all one tone.
  static let scenes = [
    (-6.0, 0.0, 2.5), (-1.2, 1, 1.5), (-6, -2, 2), (-5, 1.5, 4.5), (-1.2, 0, 1.5),
  ]
  .map { dark, middle, bright in
    var tones = SceneTones()
    (tones.dark, tones.middle, tones.bright) = (dark, middle, bright)
    return tones
  }

  private func curve(
    _ tones: SceneTones = SceneTones(), _ change: (inout LookSettings) -> Void
  ) -> ToneAdjustment {
    var look = LookSettings()
    change(&look)
    return ToneAdjustment(look, tones: tones)
  }

  @Test func neutralIsTheIdentity() {
    let neutral = ToneAdjustment(LookSettings())
    #expect(neutral.isNeutral)
    for x in Self.values { #expect(neutral(x) == x && neutral(-x) == -x) }
    #expect(ToneColorStage(LookSettings(), peak: 3).tone == nil)
  }

  /// All combinations of the extremes: the order of values is preserved, gray stays where contrast
  /// turns about it, signs stay.
  @Test(arguments: scenes) func risesWithTheValueAtAllExtremes(tones: SceneTones) {
    for code in 0..<243 {
      var digits = code
      let curve = curve(tones) { look in
        for (_, path) in Self.paths {
          look[keyPath: path] = Float(digits % 3 - 1)
          digits /= 3
        }
      }
      let shown = Self.values.map { curve($0) }
      #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 < $1 }, "combination \(code)")
      #expect(shown.allSatisfy { $0.isFinite && $0 > 0 })
      if tones.middle == 0 || code % 3 == 1 {
        #expect(abs(curve(ToneCurve.gray) / ToneCurve.gray - 1) < 1e-12)
      }
      #expect(curve(0) == 0 && curve(-0.3) == -curve(0.3))
    }
  }

  /// Where each acts, which way, and that more of it does more.
  @Test func eachActsOnItsRange() throws {
    let (black, dark, bright, white, lamp) = (0.003, 0.04, 0.5, 1.0, 8.0)
    let acts: [String: (on: [Double], not: [Double])] = [
      "highlights": ([bright, white, lamp], [black, dark]),
      "shadows": ([black, dark], [bright, white, lamp]),
      "whites": ([white, lamp], [black, dark]), "blacks": ([0.015], [bright, white, lamp]),
    ]
    for (name, path) in Self.paths where name != "contrast" {
      let range = try #require(acts[name])
      let curves = [-1, -0.5, 0.5, 1].map { amount in
        curve { $0[keyPath: path] = Float(amount) }
      }
      for x in range.on {
        let shown = [curves[0](x), curves[1](x), x, curves[2](x), curves[3](x)]
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 * 1.05 < $1 }, "\(name) at \(x)")
      }
      for x in range.not {
        #expect(curves.allSatisfy { abs($0(x) / x - 1) < 0.01 }, "\(name) at \(x)")
      }
    }
    let (soft, hard) = (curve { $0.contrast = -1 }, curve { $0.contrast = 1 })
    #expect(hard(0.09) < 0.09 && hard(0.36) > 0.36 && soft(0.09) > 0.09 && soft(0.36) < 0.36)
    // What is far above gray moves less; what is black keeps what it has got.
    #expect(hard(16) / 16 < hard(0.72) / 0.72 && hard(1e-4) / 1e-4 < hard(0.045) / 0.045)
    #expect(hard(1e-4) / 1e-4 > exp2(-1.61))
  }

  /// Blacks −1 makes the dark tones of any picture black, and whites 1 its bright tones white if
  /// that takes no more than two stops; what is a stop on the other side of gray stays.
  @Test(arguments: scenes) func blacksAndWhitesAreThoseOfThePicture(tones: SceneTones) {
    func value(_ stops: Double) -> Double { ToneCurve.gray * exp2(stops) }
    let (dark, bright) = (value(tones.dark), value(tones.bright))
    let black = curve(tones) { $0.blacks = -1 }
    #expect(black(dark) < dark / 250 && black(value(1)) == value(1))
    let half = curve(tones) { $0.blacks = -0.5 }
    #expect(half(dark) >= black(dark) && half(dark) < dark)
    #expect(curve(tones) { $0.blacks = 1 }(dark) > dark * 1.1)
    let white = curve(tones) { $0.whites = 1 }
    #expect(white(bright) > min(value(tones.white), bright * 2.8) && white(value(-1)) == value(-1))
    #expect(curve(tones) { $0.whites = -1 }(bright) < bright * 0.75)
    // Behind what the steps before make of them.
    let both = curve(tones) { ($0.contrast, $0.blacks) = (-1, -1) }
    #expect(tones.dark > -2 || both(dark) < dark / 100)
  }

  /// Contrast turns about half of the stops from gray to the middle.
  @Test func contrastTurnsAboutThePicture() {
    for tones in Self.scenes {
      let pivot = ToneCurve.gray * exp2(tones.middle / 2)
      let curve = curve(tones) { $0.contrast = 1 }
      #expect(abs(curve(pivot) / pivot - 1) < 1e-12)
      #expect(curve(pivot * 2) / pivot > 3 && curve(pivot / 2) / pivot < 0.32)
    }
  }

  @Test func tonesArePercentiles() throws {
    let size = PixelSize(width: 100, height: 1)
    let scene = try PlanarBuffer(size: size)
    for x in 0..<100 {
      for plane in 0..<3 { scene.row(plane, 0)[x] = 0.01 }
      scene.row(x % 3, 0)[x] = 0.18 * exp2(Float((x * 37) % 100 - 49) / 16)
    }
    let tones = SceneTones(scene)
    #expect(abs(tones.dark + 3) < 1e-5 && abs(tones.bright - 48.0 / 16) < 0.07)
    #expect(abs(tones.middle) < 1e-5)
    let bright = tones.exposed(by: 2)
    #expect(bright.dark == -1.2 && bright.bright == 4.5 && abs(bright.middle - 2) < 1e-5)
    // A picture that is all black, and one without pixels.
    let black = try PlanarBuffer(size: size)
    for plane in 0..<3 { for x in 0..<100 { black.row(plane, 0)[x] = 0 } }
    let none = SceneTones(black).exposed(by: 0)
    #expect(none.dark == -6 && none.middle == -2 && none.bright == 1.5)
    #expect(SceneTones(try PlanarBuffer(size: PixelSize(width: 0, height: 0))) == SceneTones())
  }

  @Test(arguments: [Float(0.3), 1, 5, 40]) func theTableIsTheCurve(peak: Float) {
    let curve = curve { ($0.contrast, $0.highlights, $0.whites) = (0.7, -1, 0.5) }
    let table = ToneAdjustmentTable(curve, peak: peak)
    for x in Self.values.map({ Float($0) }) where x <= peak && x > peak * 0x1p-19 {
      let color = OneColorRow.run(SIMD3(x, x / 2, -x / 4)) { table.apply($0) }
      let gain = Float(curve(Double(x)) / Double(x))
      #expect(abs(color.x / (x * gain) - 1) < 2e-5, "\(x)")
      #expect(color.y == color.x / 2 && color.z == color.x / -4)
    }
  }

  @Test func whatIsNoColorDoesNoHarm() {
    let curve = curve { ($0.shadows, $0.blacks, $0.highlights) = (1, 1, 1) }
    let table = ToneAdjustmentTable(curve, peak: 2)
    for color: SIMD3<Float> in [
      SIMD3(.nan, 1, 0), SIMD3(-1, -0.2, -3), SIMD3(0, 0, 0), SIMD3(1e30, 1, 1),
      SIMD3(-0.0, 2e-38, 0),
    ] {
      let out = OneColorRow.run(color) { table.apply($0) }
      #expect(out.x.isFinite && out.y.isFinite && out.z.isFinite, "\(color)")
    }
  }
}

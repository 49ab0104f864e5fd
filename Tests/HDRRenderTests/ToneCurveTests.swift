import Foundation
import ImageCore
import Testing

@testable import HDRRender

/// The laws of the curve family, each over dense samples of peaks, amounts and boosts.
@Suite struct ToneCurveTests {
  static let peaks = [0.4, 1.0, 1.3, 2.0, 4.0, 7.9, 16.0, 60.0]
  static let amounts = stride(from: 0.0, through: 1.0, by: 0.125).map { $0 }
  static let boosts = [0.05, 0.25, 0.5, 0.75, 1.0]

  static func curve(_ peak: Double, _ amount: Double, boost: Double = 1, shadow: Double = 1)
    -> ToneCurve
  {
    ToneCurve(
      peak: peak, headroom: Double(Headroom.ofScene(peak: Float(peak))), amount: amount,
      boost: boost, shadowBoost: shadow)
  }

  /// Scene values from −0.1 to above the peak, evenly spaced in the logarithm.
  static func samples(_ peak: Double) -> [Double] {
    [-0.1, -0.01, 0] + (0...4000).map { 1e-5 * pow(max(peak, 1) * 1.2 / 1e-5, Double($0) / 4000) }
  }

  @Test(arguments: peaks, boosts) func standardRangeNeverExceedsWhite(peak: Double, boost: Double) {
    let t = Self.curve(peak, 0, boost: boost)
    #expect(Self.samples(peak).allSatisfy { t($0) <= 1 })
  }

  @Test(arguments: peaks, boosts) func risesWithValue(peak: Double, boost: Double) {
    for amount in Self.amounts {
      for shadow in [0.0, 0.5, 1, 2] {
        let t = Self.curve(peak, amount, boost: boost, shadow: shadow)
        let values = Self.samples(peak).map { t($0) }
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 + 1e-12 })
      }
    }
  }

  @Test(arguments: peaks) func risesWithAmount(peak: Double) {
    for x in Self.samples(peak) where x > 0 {
      let values = Self.amounts.map { Self.curve(peak, $0)(x) }
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 + 1e-12 })
    }
  }

  @Test(arguments: peaks) func shadowsAndMidtonesStay(peak: Double) {
    let standard = Self.curve(peak, 0)
    for amount in Self.amounts {
      let t = Self.curve(peak, amount)
      for x in Self.samples(peak) where x <= 0.42 { #expect(abs(t(x) - standard(x)) <= 1e-9) }
    }
  }

  @Test(arguments: peaks, boosts) func slopeIsContinuous(peak: Double, boost: Double) {
    // Halving the step must halve the largest jump of the slope; a corner would keep it.
    func largestJump(step: Double, _ t: ToneCurve) -> Double {
      let end = min(max(peak, 1), 2) * 0.999
      var (worst, last) = (0.0, Double.nan)
      for i in Int(0.01 / step)..<Int(end / step) {
        let slope = (t(Double(i) * step + step) - t(Double(i) * step)) / step
        if last.isFinite { worst = max(worst, abs(slope - last)) }
        last = slope
      }
      return worst
    }
    for amount in [0, 0.5, 1.0] {
      let t = Self.curve(peak, amount, boost: boost)
      let (coarse, fine) = (largestJump(step: 1e-3, t), largestJump(step: 2.5e-4, t))
      #expect(fine < max(coarse * 0.5, 1e-6), "jump \(coarse) became \(fine)")
    }
  }

  @Test(arguments: peaks) func peakReachesTheHeadroom(peak: Double) {
    let limit = Double(Headroom.ofScene(peak: Float(peak)))
    for amount in Self.amounts {
      let t = Self.curve(peak, amount)
      #expect(t.headroom <= limit && t(peak) <= t.ceiling)
      #expect(t.ceiling == pow(t.headroom, amount))
      if amount == 1, peak > 1.1 {
        #expect(abs(t(peak) / t.headroom - 1) < 1e-6 && t.headroom > 0.8 * limit)
      }
      if peak >= ToneCurve.white { #expect(abs(t(peak) / pow(limit, amount) - 1) < 1e-7) }
    }
  }

  /// A glint does not darken other highlights.
  @Test func standardRangeIsTheSameForEveryScene() {
    for x in Self.samples(1) {
      let values = Self.peaks.filter { $0 >= max(x, 1) }.map { Self.curve($0, 0)(x) }
      #expect(values.allSatisfy { $0 == values[0] }, "\(x)")
    }
  }

  /// Both looks at levels that photographers see: black, gray, reference white, clipped highlights.
  @Test func looksAreWhatTheyAreNamedFor() {
    func rendered(_ look: ToneLook, _ x: Double) -> Double {
      ToneCurve(peak: 4, headroom: 4, amount: 0, look: look)(x)
    }
    // CIE lightness of the standard look at -5, -2.5, 0 and +1.5 stops from gray.
    for (stops, lightness) in [(-5, 0.7), (-2.5, 10.8), (0, 49.5), (1.5, 79)] {
      let y = rendered(.standard, 0.18 * exp2(stops))
      let l = y > 216.0 / 24389 ? 116 * cbrt(y) - 16 : y * 24389 / 27
      #expect(abs(l - lightness) < 1, "\(stops): \(l)")
    }
    #expect((0.82...0.9).contains(rendered(.standard, 1)) && rendered(.standard, 1.8) > 0.95)
    // Below gray a power.
    for x in [0.001, 0.01, 0.1] {
      #expect(abs(rendered(.faithful, x) / (0.18 * pow(x / 0.18, 1.1)) - 1) < 1e-3)
    }
  }

  @Test func grayIsFixed() {
    for peak in Self.peaks { #expect(abs(Self.curve(peak, 0.5)(0.18) - 0.18) < 1e-12) }
  }

  @Test func boostZeroIsTheLine() {
    let t = ToneCurve(peak: 9, headroom: 9, amount: 0, boost: 0)
    for x in [-3.0, 0, 0.1, 1, 8.5, 20] { #expect(t(x) == x) }
    #expect(t.isLinear)
  }

  @Test func shadowBoostLiftsOnlyShadows() {
    let (dark, neutral, bright) = (
      Self.curve(4, 0, shadow: 0), Self.curve(4, 0), Self.curve(4, 0, shadow: 2)
    )
    for x in [0.001, 0.01, 0.05, 0.1] {
      #expect(dark(x) < neutral(x) && neutral(x) < bright(x))
    }
    for x in [0.18, 0.5, 3.0] { #expect(dark(x) == neutral(x) && bright(x) == neutral(x)) }
  }

  @Test(arguments: peaks) func tableFollowsTheCurve(peak: Double) throws {
    for amount in [0, 0.4, 1.0] {
      let t = Self.curve(peak, amount)
      let table = ToneTable(t, look: .standard)
      let xs = Self.samples(peak)
      let buffer = try PlanarBuffer(size: PixelSize(width: xs.count, height: 1))
      let rows = buffer.rows(0)
      for plane in 0..<3 { for (i, x) in xs.enumerated() { rows[plane][i] = Float(x) } }
      table.apply(rows)
      let (r, g, b) = (Array(rows.red.buffer), Array(rows.green.buffer), Array(rows.blue.buffer))
      for (x, y) in zip(xs, r) {
        let wanted = t(Double(Float(x)))
        #expect(abs(Double(y) - wanted) <= max(abs(wanted) * 3e-5, 1e-6), "at \(x)")
        #expect(Double(y) <= t.ceiling * (1 + 1e-6))
      }
      #expect(r == g && g == b)
    }
  }
}

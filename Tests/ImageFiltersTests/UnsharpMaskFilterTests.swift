import Foundation
import ImageCore
import TestSupport
import Testing

@testable import HDRRender
@testable import ImageFilters

@Suite struct UnsharpMaskFilterTests {
  private func step(_ low: Float, _ high: Float, headroom: Float = 8) -> Image<DisplayReferred> {
    EditScene.picture(60, 12, headroom: headroom) { x, _ in
      SIMD3(repeating: low + (high - low) * min(max((Float(x) - 26) / 8, 0), 1))
    }
  }

  /// No rim above a highlight, and the slope gets steeper.
  @Test func highlightsGetNoRim() throws {
    for (low, high) in [(Float(0.2), Float(6.5)), (2, 8), (0.05, 1.5)] {
      let picture = step(low, high)
      let result = try UnsharpMaskFilter(sigma: 2, amount: 2).applied(to: picture)
      #expect(EditScene.range(result).upperBound <= high)
      #expect(EditScene.range(result).lowerBound > 0)
      let (a, b) = (EditScene.image(result), picture)
      let rise = { (p: Image<DisplayReferred>) in
        (26..<34).map { log2(p[$0 + 1, 5].x / p[$0, 5].x) }.max() ?? 0
      }
      #expect(rise(a) > rise(b))
    }
  }

  @Test func belowWhiteDetailMayOvershootUpToWhite() throws {
    let result = EditScene.range(
      try UnsharpMaskFilter(sigma: 2, amount: 2).applied(to: step(0.3, 0.6)))
    #expect(result.upperBound > 0.62 && result.upperBound <= 1)
    #expect(result.lowerBound < 0.29)
    let dark = try UnsharpMaskFilter(sigma: 2, amount: 4).applied(
      to: step(0.3, 0.6, headroom: 0.65))
    #expect(EditScene.range(dark).upperBound <= 0.65)
  }

  @Test func detailBelowTheThresholdStays() throws {
    let picture = step(0.5, 0.55)
    let sharp = try UnsharpMaskFilter(sigma: 2, amount: 2, threshold: 0.5).applied(to: picture)
    #expect(EditScene.isSame(sharp, picture))
  }

  @Test func colorsStay() throws {
    let picture = EditScene.picture(40, 9) { x, _ in
      SIMD3(3, 1, -0.2) * (x < 20 ? 0.1 : 0.4)
    }
    let result = EditScene.image(try UnsharpMaskFilter(sigma: 1, amount: 1).applied(to: picture))
    for x in 0..<40 {
      let p = result[x, 4]
      #expect(abs(p.y / p.x - 1 / 3) < 1e-5 && abs(p.z / p.x + 0.2 / 3) < 1e-5)
    }
  }

  @Test(arguments: [0.8, 6, 30]) func isTheSameHoweverItIsCut(sigma: Double) throws {
    #expect(
      EditScene.isTileInvariant(
        try UnsharpMaskFilter(sigma: sigma, amount: 1.3).applied(to: EditScene.noise())))
  }
}

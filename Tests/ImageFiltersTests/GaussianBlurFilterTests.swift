import Foundation
import ImageCore
import TestSupport
import Testing

@testable import HDRRender
@testable import ImageFilters

@Suite struct GaussianBlurFilterTests {
  /// A point becomes the Gaussian, whatever the way it is made.
  @Test(arguments: [0.4, 1, 2.5, 3.99, 4, 5.9, 9, 14.2]) func aPointBecomesAGaussian(sigma: Double)
    throws
  {
    let side = 151
    let picture = EditScene.picture(side, side, headroom: 1000) { x, y in
      SIMD3(repeating: x == 75 && y == 75 ? 1000 : 0)
    }
    let result = EditScene.image(try GaussianBlurFilter(sigma: sigma).applied(to: picture))
    var sum = 0.0
    for d in -75...75 { sum += exp(-Double(d * d) / (2 * sigma * sigma)) }
    let peak = 1000 / (sum * sum)
    for y in 0..<side {
      for x in 0..<side {
        let square = Double((x - 75) * (x - 75) + (y - 75) * (y - 75))
        let truth = peak * exp(-square / (2 * sigma * sigma))
        #expect(abs(Double(result[x, y].x) - truth) < 0.004 * peak)
      }
    }
  }

  /// The last sample is repeated outside the edge: near it a step is as in a wider picture.
  @Test func edgesAreExtended() throws {
    let small = EditScene.picture(40, 1) { x, _ in SIMD3(repeating: x < 30 ? 1 : 4) }
    let large = EditScene.picture(240, 1) { x, _ in SIMD3(repeating: x < 130 ? 1 : 4) }
    for sigma in [2.0, 6, 11] {
      let blur = try GaussianBlurFilter(sigma: sigma)
      let (a, b) = (
        EditScene.image(blur.applied(to: small)), EditScene.image(blur.applied(to: large))
      )
      for x in 0..<40 { #expect(abs(a[x, 0].x - b[x + 100, 0].x) < 0.006) }
    }
  }

  @Test(arguments: [1, 7.5, 300, 10_000]) func flatAreasKeepEveryBit(sigma: Double) throws {
    for level in [Float(6.5), -0.3, 0.1] {
      let picture = EditScene.flat(SIMD3(repeating: level))
      let result = try GaussianBlurFilter(sigma: sigma).applied(to: picture)
      #expect(EditScene.isSame(result, picture))
    }
  }

  @Test func neverBrighterThanTheBrightest() throws {
    let picture = EditScene.noise()
    for sigma in [0.3, 1, 4, 20] {
      let result = try GaussianBlurFilter(sigma: sigma).applied(to: picture)
      #expect(result.info.headroom == 8)
      let range = EditScene.range(result)
      #expect(range.lowerBound >= -0.5 && range.upperBound <= 8)
    }
  }

  @Test(arguments: [1.0, 4.5, 17, 60]) func isTheSameHoweverItIsCut(sigma: Double) throws {
    #expect(
      EditScene.isTileInvariant(
        try GaussianBlurFilter(sigma: sigma).applied(to: EditScene.noise(130, 110))))
  }
}

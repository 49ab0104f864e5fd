import Foundation
import ImageCore
import TestSupport
import Testing

@testable import HDRRender
@testable import ImageFilters

@Suite struct ResizeFilterTests {
  /// A thin highlight over dark: nothing rings below the darkest or above the brightest.
  @Test func highlightsDoNotRing() throws {
    let picture = EditScene.picture(64, 64) { x, y in
      SIMD3(repeating: (20..<24).contains(x) || (30..<50).contains(y) ? 8 : 0.1)
    }
    for (w, h) in [(128, 100), (33, 21), (64, 200), (7, 64), (1, 1)] {
      let result = try ResizeFilter(to: PixelSize(width: w, height: h)).applied(to: picture)
      #expect(result.size == PixelSize(width: w, height: h))
      let range = EditScene.range(result)
      #expect(range.lowerBound >= 0.1 && range.upperBound <= 8)
      #expect(result.info.headroom == 8)
    }
    // Away from the edges the dark is still exactly dark: no second ring either.
    let larger = EditScene.image(
      try ResizeFilter(to: PixelSize(width: 256, height: 64)).applied(to: picture))
    for x in 0..<76 { #expect(larger[x, 5].x == 0.1) }
  }

  /// A smooth picture, reduced, is the same function sampled at the centers of the larger pixels.
  @Test func areasAreAligned() throws {
    func light(_ x: Double, _ y: Double) -> Float {
      Float(2 + sin(x * 4) + cos(y * 3))
    }
    let picture = EditScene.picture(120, 90) { x, y in
      SIMD3(repeating: light((Double(x) + 0.5) / 120, (Double(y) + 0.5) / 90))
    }
    for (w, h) in [(40, 30), (37, 29), (171, 200)] {
      let result = EditScene.image(
        try ResizeFilter(to: PixelSize(width: w, height: h)).applied(to: picture))
      for y in 3..<h - 3 {
        for x in 3..<w - 3 {
          let truth = light((Double(x) + 0.5) / Double(w), (Double(y) + 0.5) / Double(h))
          #expect(abs(result[x, y].x - truth) < 0.004)
        }
      }
    }
  }

  /// Stripes finer than the result can show become their mean, not false stripes.
  @Test func fineDetailDoesNotAlias() throws {
    let picture = EditScene.picture(200, 8) { x, _ in SIMD3(repeating: x % 2 == 0 ? 0 : 2) }
    let result = EditScene.image(
      try ResizeFilter(to: PixelSize(width: 77, height: 8)).applied(to: picture))
    for x in 4..<73 { #expect(abs(result[x, 4].x - 1) < 0.03) }
  }

  @Test func meansStay() throws {
    let picture = EditScene.noise(96, 96)
    let result = EditScene.image(
      try ResizeFilter(to: PixelSize(width: 12, height: 12)).applied(to: picture))
    func mean(_ image: Image<DisplayReferred>) -> Double {
      var sum = 0.0
      for y in 0..<image.size.height {
        for x in 0..<image.size.width { sum += Double(image[x, y].y) }
      }
      return sum / Double(image.size.area)
    }
    #expect(abs(mean(result) / mean(picture) - 1) < 0.02)
  }

  @Test func anAxisThatKeepsItsSizeKeepsItsSamples() throws {
    let picture = EditScene.picture(31, 4) { x, _ in SIMD3(Float(x % 5), Float(x % 3), -1) }
    let result = EditScene.image(
      try ResizeFilter(to: PixelSize(width: 31, height: 9)).applied(to: picture))
    for y in 0..<9 { for x in 0..<31 { #expect(result[x, y] == picture[x, 0]) } }
  }

  @Test func thumbnailsKeepTheShapeAndNeverGrow() throws {
    let picture = EditScene.noise(61, 47)
    let result = try ResizeFilter.thumbnail(maxPixelSize: 20).applied(to: picture)
    #expect(result.size == PixelSize(width: 20, height: 15))
    #expect(result.info == picture.info)
    let same = try ResizeFilter.thumbnail(maxPixelSize: 61).applied(to: picture)
    #expect(EditScene.isSame(same, picture))
    let thin = try ResizeFilter.thumbnail(maxPixelSize: 10).applied(to: EditScene.noise(200, 1))
    #expect(thin.size == PixelSize(width: 10, height: 1))
  }
}

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
    func value(_ x: Double, _ y: Double) -> Float {
      Float(2 + sin(x * 4) + cos(y * 3))
    }
    let picture = EditScene.picture(120, 90) { x, y in
      SIMD3(repeating: value((Double(x) + 0.5) / 120, (Double(y) + 0.5) / 90))
    }
    for (w, h) in [(40, 30), (37, 29), (171, 200)] {
      let result = EditScene.image(
        try ResizeFilter(to: PixelSize(width: w, height: h)).applied(to: picture))
      for y in 3..<h - 3 {
        for x in 3..<w - 3 {
          let truth = value((Double(x) + 0.5) / Double(w), (Double(y) + 0.5) / Double(h))
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

  /// A picture of one column that gets a usual shape, along columns first: the same up to rounding,
  /// in tiles of any kind, and within the memory of a usual picture.
  @Test func pictureOfOneColumn() throws {
    func value(_ y: Int) -> Float { Float(1 + sin(Double(y) / 400)) }
    let tall = EditScene.picture(1, 100_000) { _, y in SIMD3(repeating: value(y)) }
    let filter = try ResizeFilter(to: PixelSize(width: 1920, height: 100)).applied(to: tall)
    let result = EditScene.image(filter)
    for y in 1..<99 {
      #expect(abs(result[0, y].x - value(y * 1000 + 500)) < 0.2)
      #expect((0..<1920).allSatisfy { result[$0, y] == result[0, y] })
    }
    let tile = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
    try filter.read(PixelRect(x: 901, y: 37, width: 50, height: 3), into: tile)
    for x in 0..<50 { #expect(tile.row(0, 2)[x] == result[901 + x, 39].x) }
  }

  /// What does not fit one intermediate is read in segments, bit by bit the same.
  @Test func segmentsOfColumns() throws {
    let picture = EditScene.picture(40, 400_000) { x, y in
      SIMD3(repeating: Float((x &* 31 &+ y &* 17) % 97))
    }
    let filter = try ResizeFilter(to: PixelSize(width: 30, height: 4)).applied(to: picture)
    let full = EditScene.image(filter)
    let tile = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
    for x in stride(from: 0, to: 30, by: 5) {
      try filter.read(PixelRect(x: x, y: 1, width: 5, height: 2), into: tile)
      for i in 0..<5 { #expect(tile.row(1, 1)[i] == full[x + i, 2].y) }
    }
    let large = try ResizeFilter(to: PixelSize(width: 2300, height: 2300))
      .applied(to: EditScene.noise(2400, 2400))
    let bands = EditScene.image(large)
    try large.read(PixelRect(x: 0, y: 0, width: 2300, height: 2300), into: tile)
    for y in [0, 1100, 2299] {
      #expect((0..<2300).allSatisfy { tile.row(2, y)[$0] == bands[$0, y].z })
    }
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

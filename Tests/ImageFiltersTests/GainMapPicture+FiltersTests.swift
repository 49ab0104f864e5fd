import Foundation
import ImageCore
import TestSupport
import Testing

@testable import HDRRender
@testable import ImageFilters

@Suite struct GainMapPictureFiltersTests {
  /// A base with a smooth map of `stops` over it.
  private func picture(
    _ width: Int, _ height: Int, channels: Int = 1, stops: (Double, Double) -> Double
  ) throws -> GainMapPicture {
    let map = PixelSize(width: (width + 1) / 2, height: (height + 1) / 2)
    var codes: [UInt16] = []
    for y in 0..<map.height {
      for x in 0..<map.width {
        let value = stops(
          (Double(x) + 0.5) / Double(map.width), (Double(y) + 0.5) / Double(map.height))
        for _ in 0..<channels { codes.append(UInt16((value / 3 * 65535).rounded())) }
      }
    }
    return GainMapPicture(
      base: EditScene.picture(width, height, headroom: 1) { x, y in
        SIMD3(0.6, 0.5, 0.2 + 0.3 * Float(x + y) / Float(width + height))
      },
      map: try GainMapImage(size: map, channels: channels, codes: codes, maximumCode: 65535),
      formula: .iso(
        try GainMapMetadata(channels: [.init(maximumStops: 3)], alternateHeadroomStops: 3)))
  }

  private func wave(_ x: Double, _ y: Double) -> Double { 1.5 + sin(x * 5) * cos(y * 4) }

  private func difference(_ a: EditScene.Source, _ b: EditScene.Source) -> Float {
    #expect(a.size == b.size)
    let (a, b) = (EditScene.image(a), EditScene.image(b))
    var worst: Float = 0
    for y in 0..<a.size.height {
      for x in 0..<a.size.width {
        let error = a[x, y] - b[x, y]
        worst = max(worst, error.max(), -error.min())
      }
    }
    return worst
  }

  /// Editing the picture and then applying its map is editing the rendition, to less than a fifth
  /// of the step between two pixels of the map.
  @Test func geometryKeepsTheMapOnThePicture() throws {
    for (w, h) in [(120, 90), (121, 91)] {
      let picture = try picture(w, h, stops: wave)
      let edits: [any ImageFilter] = [
        try CropFilter(PixelRect(x: 20, y: 10, width: 61, height: 50)),
        try CropFilter(PixelRect(x: 13, y: 7, width: 60, height: 51)),
        try ResizeFilter(to: PixelSize(width: 75, height: 60)),
        try ResizeFilter.thumbnail(maxPixelSize: 40), OrientFilter(quarterTurns: 1),
        OrientFilter(.rightMirrored), try AffineFilter(straightenedBy: 6),
      ]
      for edit in edits {
        let edited = try picture.edited(by: edit)
        // The change over a fifth of a pixel of the map where gains and values are steepest and
        // largest.
        let density = edit is ResizeFilter ? edited.map.size.width : picture.map.size.width
        let limit = 3.4 * (exp2(Float(5) / Float(density) / 5) - 1)
        for display in [1.0, 3, 8] {
          let a = edited.rendition(displayHeadroom: display)
          let b = try edit.applied(to: picture.rendition(displayHeadroom: display))
          #expect(difference(a, b) < limit, "\(edit) \(w) \(display)")
        }
        let size = edited.base.size
        #expect(abs(2 * edited.map.size.width - size.width) <= 1)
        #expect(abs(2 * edited.map.size.height - size.height) <= 1)
      }
    }
  }

  /// Else a file of some KiB would ask for memory without end.
  @Test func aMapLargerThanItsPictureIsEnlargedNoFurtherThanIt() throws {
    let flat = try GainMapImage(
      size: PixelSize(width: 64, height: 64), channels: 1,
      bytes: [UInt8](repeating: 128, count: 64 * 64))
    let small = try picture(4, 4, stops: wave)
    let large = GainMapPicture(base: small.base, map: flat, formula: small.formula)
    let size = PixelSize(width: 300, height: 200)
    #expect(try large.edited(by: ResizeFilter(to: size)).map.size == size)
    let smallest = try large.edited(by: ResizeFilter(to: PixelSize(width: 2, height: 2)))
    #expect(smallest.map.size == PixelSize(width: 32, height: 32))
  }

  @Test func evenCropsAndFullOnesKeepEveryCode() throws {
    let picture = try picture(40, 20, stops: wave)
    let edited = try picture.edited(by: CropFilter(PixelRect(x: 8, y: 4, width: 20, height: 10)))
    for y in 0..<5 {
      for x in 0..<10 {
        #expect(edited.map.codes[y * 10 + x] == picture.map.codes[(y + 2) * 20 + x + 4])
      }
    }
    let full = try picture.edited(by: CropFilter(PixelRect(x: 0, y: 0, width: 40, height: 20)))
    #expect(full.map == picture.map && EditScene.isSame(full.base, picture.base))
  }

  @Test func turningFourTimesGivesTheMapBack() throws {
    let picture = try picture(41, 20, channels: 3, stops: wave)
    let turn = OrientFilter(quarterTurns: 1)
    let once = try picture.edited(by: turn)
    #expect(once.map.size == PixelSize(width: 10, height: 21))
    #expect(once.map != picture.map)
    #expect(try once.edited(by: [turn, turn, turn]).map == picture.map)
  }

  /// A darker exposure leaves the map, and every rendition is the darker one.
  @Test func darkerExposuresKeepTheMap() throws {
    let picture = try picture(40, 30, stops: wave)
    let apple = GainMapPicture(base: picture.base, map: picture.map, formula: .apple(headroom: 6))
    let edit = try ExposureFilter(stops: -1.5)
    for picture in [picture, apple] {
      let edited = try picture.edited(by: edit)
      #expect(edited.map == picture.map)
      for display in [1.0, 2, 4, 9] {
        let a = edited.rendition(displayHeadroom: display)
        let b = edit.applied(to: picture.rendition(displayHeadroom: display))
        #expect(difference(a, b) < 1e-5)
      }
    }
  }

  /// Other edits rebuild the map: the base stays in its range and the HDR end is the edited one.
  @Test func otherEditsRebuildTheMap() throws {
    let picture = try picture(120, 90, stops: wave)
    let edits: [any ImageFilter] = [
      try ExposureFilter(stops: 1), try ColorMatrixFilter.saturation(1.1, in: .displayP3),
      try GaussianBlurFilter(sigma: 2),
    ]
    for edit in edits {
      let edited = try picture.edited(by: edit)
      #expect(EditScene.range(edited.base).upperBound <= 1.0001)
      #expect(edited.headrooms.lowerBound == 1)
      let truth = try edit.applied(to: picture.rendition(displayHeadroom: 8))
      let high = edited.rendition(displayHeadroom: edited.headrooms.upperBound)
      let (a, b) = (EditScene.image(high), EditScene.image(truth))
      for y in 2..<88 {
        for x in 2..<118 {
          let weights = SIMD3<Float>(Primaries.displayP3.luminance)
          let (p, q) = ((a[x, y] * weights).sum(), (b[x, y] * weights).sum())
          #expect(abs(log2(p / q)) < 0.03)
        }
      }
    }
  }
}

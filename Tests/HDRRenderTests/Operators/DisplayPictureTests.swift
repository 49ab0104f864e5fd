import ImageCore
import ImageFilters
import TestSupport
import Testing

@testable import HDRRender

@Suite struct DisplayPictureTests {
  /// An even gray with one bright quarter.
  private func lamp(_ width: Int, _ height: Int) -> Image<DisplayReferred> {
    EditScene.picture(width, height) { x, y in
      SIMD3(repeating: 2 * x < width && 2 * y < height ? 6.5 : 0.25)
    }
  }

  @Test func thumbnailsKeepTheRange() throws {
    let picture = DisplayPicture(lamp(120, 80), contentHeadroom: 8, averageLightLevel: 0.4)
    let small = try picture.thumbnail(maxPixelSize: 30)
    #expect(small.size == PixelSize(width: 30, height: 20) && small.isHighDynamicRange)
    #expect(small.contentHeadroom == 8 && small.averageLightLevel == 0.4)
    guard case .pixels(let pixels) = small.content else {
      Issue.record("a picture without a map got one")
      return
    }
    let reduced = EditScene.image(pixels)
    #expect(reduced[3, 3] == SIMD3(repeating: 6.5) && reduced[25, 15] == SIMD3(repeating: 0.25))
  }

  /// A small gain-map picture is one still: standard displays get the base, others the map.
  @Test func thumbnailsKeepTheGainMap() throws {
    let map = try DisplayRenderingTests.gainMap()
    let small = try DisplayPicture(map, averageLightLevel: 0.3).thumbnail(maxPixelSize: 15)
    guard case .gainMap(let picture) = small.content else {
      Issue.record("the map is gone")
      return
    }
    #expect(small.size == PixelSize(width: 15, height: 10))
    #expect(picture.map.size == PixelSize(width: 8, height: 5))
    #expect(small.contentHeadroom == 8 && picture.formula == map.formula)
    let high = EditScene.range(picture.rendition(displayHeadroom: 8))
    let standard = EditScene.range(picture.rendition(displayHeadroom: 1))
    #expect(high.upperBound > standard.upperBound)
  }

  @Test func formatsFollowTheHeadroom() throws {
    func format(_ headroom: Float) -> PictureFormat {
      PictureFormat(holding: DisplayPicture(DisplayRenderingTests.picture(headroom)))
    }
    #expect(format(1).dynamicRange == .sdr && format(1).bitDepth == 8)
    #expect(format(1).primaries == .displayP3 && !format(1).isHighDynamicRange)
    #expect(format(4.9).dynamicRange == .hlg && format(4.9).bitDepth == 10)
    #expect(format(5).dynamicRange == .pq && format(5).primaries == .bt2020)
    let mapped = PictureFormat(holding: DisplayPicture(try DisplayRenderingTests.gainMap()))
    #expect(mapped.dynamicRange == .sdr && mapped.hasGainMap && mapped.isHighDynamicRange)
  }
}

import ImageCore
import Testing

@Suite struct HighlightAreaTests {
  /// `count` of the pixels have the value `bright`, all others `rest`.
  private func picture(
    _ bright: Float, count: Int, rest: Float = 0.5
  ) throws -> Image<DisplayReferred> {
    let size = PixelSize(width: 100, height: 600)
    return try Image(size: size, info: .init(primaries: .bt2020, headroom: bright)) { planes in
      for y in 0..<size.height {
        for x in 0..<size.width {
          // All over the picture.
          let isBright = (y * size.width + x) * 7919 % size.area < count
          for plane in 0..<3 { planes.row(plane, y)[x] = isBright && plane == 1 ? bright : rest }
        }
      }
    }
  }

  @Test func aGlintDoesNotCount() throws {
    for workers in [1, 3] {
      let glint = try picture(40, count: 299).highlightArea(workers: workers)
      #expect(glint.peak == 40 && glint.headroom == 1)
      let lamp = try picture(40, count: 301).highlightArea(workers: workers)
      #expect(lamp.peak == 40 && lamp.headroom == 40)
      let lamps = try picture(40, count: 299, rest: 2.5).highlightArea(workers: workers)
      #expect(abs(lamps.headroom / 2.5 - 1) < 1 / 128.0)
    }
  }

  @Test func codingErrorsAreNoHighlights() throws {
    #expect(try picture(1.03, count: 60_000).highlightArea().headroom == 1)
    #expect(try picture(1.05, count: 60_000).highlightArea().headroom == 1.05)
    #expect(try picture(0.3, count: 60_000).highlightArea().peak == 0.5)
  }

  /// Too few pixels for the fraction: each counts.
  @Test func smallPicturesHaveNoGlints() throws {
    let small = try Image<DisplayReferred>(
      size: PixelSize(width: 13, height: 15), info: .init(primaries: .srgb, headroom: 9)
    ) { planes in
      for plane in 0..<3 {
        for y in 0..<15 { for x in 0..<13 { planes.row(plane, y)[x] = (x, y) == (4, 3) ? 9 : 0 } }
      }
    }
    #expect(try small.highlightArea().headroom == 9)
  }
}

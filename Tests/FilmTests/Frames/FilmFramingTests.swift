import HDRRender
import ImageCore
import TestSupport
import Testing

@testable import Film

struct FilmFramingTests {
  private func size(_ width: Int, _ height: Int) -> PixelSize {
    PixelSize(width: width, height: height)
  }

  @Test("The film has even sides where the chroma takes no others")
  func sides() throws {
    #expect(try FilmFraming(size(321, 181), .ofSource, .yuv420).size == size(320, 180))
    #expect(try FilmFraming(size(321, 181), .ofSource, .yuv422).size == size(320, 181))
    #expect(try FilmFraming(size(321, 181), .ofSource, .yuv444).size == size(321, 181))
    #expect(throws: FilmError.self) {
      try FilmFraming(size(321, 181), .exactly(size(321, 180)), .yuv420)
    }
    #expect(throws: FilmError.self) { try FilmFraming(size(8, 8), .ofSource, .yuv444) }
  }

  @Test("A largest size is turned for upright frames and never enlarges")
  func boxes() throws {
    let box = FilmSize.atMost(size(1920, 1080))
    #expect(try FilmFraming(size(6000, 4000), box, .yuv420).size == size(1620, 1080))
    #expect(try FilmFraming(size(4000, 6000), box, .yuv420).size == size(1080, 1620))
    #expect(try FilmFraming(size(640, 480), box, .yuv420).size == size(640, 480))
  }

  @Test("Frames of the size of the film keep every bit, and so do those of one column more")
  func same() throws {
    let picture = EditScene.noise(61, 47)
    let framing = try FilmFraming(picture.size, .ofSource, .yuv420)
    let (framed, active) = try framing.framed(picture)
    #expect(framed.size == size(60, 46) && active == PixelRect(framed.size))
    let (a, b) = (EditScene.image(picture), EditScene.image(framed))
    for y in 0..<46 { for x in 0..<60 { #expect(a[x, y] == b[x, y]) } }
  }

  @Test("Frames of other proportions are whole, in the middle, on black")
  func bars() throws {
    let framing = try FilmFraming(size(64, 64), .ofSource, .yuv420)
    let (framed, active) = try framing.framed(EditScene.flat(SIMD3(repeating: 0.5), 80, 40))
    #expect(framed.size == size(64, 64))
    #expect(active == PixelRect(x: 0, y: 16, width: 64, height: 32))
    let image = EditScene.image(framed)
    #expect(image[32, 15] == SIMD3(0, 0, 0) && image[32, 48] == SIMD3(0, 0, 0))
    #expect(abs(image[32, 32].x - 0.5) < 1e-6 && abs(image[0, 16].x - 0.5) < 1e-6)
  }
}

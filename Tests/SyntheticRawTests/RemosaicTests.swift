import ImageCore
import SyntheticRaw
import Testing

@Suite("Remosaic")
struct RemosaicTests {
  private let pixels = (0..<(12 * 6 * 3)).map { UInt16($0 * 300) }

  @Test("keeps of each pixel the value behind its filter")
  func samples() throws {
    let picture = try Remosaic(size: PixelSize(width: 12, height: 6), pixels: pixels)
    for pattern in [MosaicPattern.bayer(.gbrg), .xTrans(x: 2, y: 1)] {
      let file = picture.file(pattern)
      for i in 0..<72 {
        #expect(file.samples[i] == pixels[3 * i + pattern.channel(x: i % 12, y: i / 12)])
      }
      #expect(try file.bytes.count > 72)
    }
  }

  @Test("reads the PPM that it writes")
  func ppm() throws {
    let picture = try Remosaic(size: PixelSize(width: 12, height: 6), pixels: pixels)
    let back = try Remosaic(ppm: picture.ppm)
    #expect(back.pixels == pixels && back.size == picture.size)
    let comment = Array("P6 # made by hand\n12 6\n65535\n".utf8)
    #expect(try Remosaic(ppm: comment + picture.ppm.suffix(432)).pixels == pixels)
  }

  @Test(
    "refuses other files",
    arguments: ["", "P6", "P6 12 6 255\n", "P5 1 1 65535\n12", "P6 9 9 65535\n1"])
  func refuses(text: String) {
    #expect(throws: DNGWriter.Problem.self) { try Remosaic(ppm: Array(text.utf8)) }
  }
}

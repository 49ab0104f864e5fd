import ImageCore
import Testing

@testable import Film

struct MovieInfoTests {
  @Test("Planar formats of up to 16 bits are known by their names")
  func formats() throws {
    let size = PixelSize(width: 5, height: 3)
    let known: [(String, bits: Int, bytes: Int)] = [
      ("yuv420p", 8, 15 + 12), ("yuv420p10le", 10, 30 + 24), ("yuv422p10le", 10, 30 + 36),
      ("yuv444p12le", 12, 90), ("yuvj420p", 8, 27), ("gbrp10le", 10, 90), ("gray", 8, 15),
      ("gray10le", 10, 30),
    ]
    for (name, bits, bytes) in known {
      let format = try #require(MovieInfo.PixelFormat(name))
      #expect(format.bits == bits && format.bytes(size) == bytes, "\(name)")
    }
    for name in [
      "yuv420p10be", "nv12", "p010le", "rgb24", "yuva444p10le", "yuv420p33le", "", "pal8",
    ] {
      #expect(MovieInfo.PixelFormat(name) == nil, "\(name)")
    }
  }
}

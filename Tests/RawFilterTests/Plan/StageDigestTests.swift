import ImageCore
import Testing

@testable import RawFilter

@Suite struct StageDigestTests {
  private func digest(
    _ width: Int, _ height: Int, workers: Int = 1, _ value: (Int, Int, Int) -> Float
  ) throws -> String {
    let size = PixelSize(width: width, height: height)
    let image = try Image<CameraRGB>(size: size, info: CameraRGB.Info()) { planes in
      for plane in 0..<3 {
        for y in 0..<height {
          for x in 0..<width { planes.row(plane, y)[x] = value(plane, x, y) }
        }
      }
    }
    return try StageDigest("levels", image, workers: workers).xxh64
  }

  @Test func holdsEveryBitAndTheShape() throws {
    let plain = try digest(17, 9) { plane, x, y in Float(plane * 1000 + y * 17 + x) }
    #expect(plain.count == 16)
    #expect(
      try plain == digest(17, 9, workers: 4) { plane, x, y in Float(plane * 1000 + y * 17 + x) })
    for (plane, x, y) in [(0, 0, 0), (1, 16, 3), (2, 16, 8)] {
      let changed = try digest(17, 9) {
        let value = Float($0 * 1000 + $2 * 17 + $1)
        return $0 == plane && $1 == x && $2 == y ? value.nextUp : value
      }
      #expect(changed != plain)
    }
    #expect(try digest(6, 4) { _, _, _ in 0 } != digest(4, 6) { _, _, _ in 0 })
    #expect(try digest(6, 4) { _, _, _ in 0 } != digest(6, 4) { _, _, _ in -0.0 })
  }
}
